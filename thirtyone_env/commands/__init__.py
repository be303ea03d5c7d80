"""The subcommands of `thirtyone` that need the core install only."""

"""Subcommands of `thirtyone`."""

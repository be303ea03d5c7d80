"""Programs that measure policies."""

"""Programs that fit policies."""

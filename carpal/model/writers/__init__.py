"""Models and scenes as MJCF."""

"""Reaction-aware motion: rest-to-rest moves with the least push on the mount."""

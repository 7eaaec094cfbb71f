"""Motions as values: joint-space blends, straight tool lines, and the fastest timing of a path."""

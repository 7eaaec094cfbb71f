"""Motions as values: joint-space blends, straight tool lines, and the fastest timing of a path."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

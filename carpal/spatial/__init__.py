"""Rotations, rigid motions, twists, wrenches, inertias."""

from carpal._core.front_door import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

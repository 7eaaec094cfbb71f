"""The studio: browser pages with a 3-D scene (viser)."""

from carpal._core.front_door import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

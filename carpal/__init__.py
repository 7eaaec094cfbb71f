"""Carpal: robot arms and hands, from description to evidence."""

from carpal._core.front_door import attach

__version__ = "0.1.0"
__getattr__, __dir__, __all__ = attach(__name__, __file__)

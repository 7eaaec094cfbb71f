"""Carpal: robot arms and hands, from description to evidence."""

from carpal._lazy import lazy

__version__ = "0.1.0"
__getattr__, __dir__, __all__ = lazy(__name__, __file__)

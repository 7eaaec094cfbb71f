"""Robots of the five theses and their relatives, one file each."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

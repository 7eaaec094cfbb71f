"""What a robot sees: cameras and their views."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

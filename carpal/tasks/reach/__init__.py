"""An arm moves to a point and is held there by gravity-compensated PD."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

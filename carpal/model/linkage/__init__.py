"""The linkage compiler: bars, pins, springs and a drive become a curve, a model, a mechanism and MJCF."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

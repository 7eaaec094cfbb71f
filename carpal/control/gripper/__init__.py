"""A gripper closed by a geared linear motor: its simulation, its filter, its two force limits, what a stall means."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

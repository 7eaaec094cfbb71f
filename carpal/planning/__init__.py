"""Which motion to make: joint trajectories that respect limits and ask little of the mount."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

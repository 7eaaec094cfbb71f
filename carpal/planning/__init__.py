"""Which motion to make: joint trajectories that respect limits and ask little of the mount."""

from carpal._core.front_door import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

"""A rover's arm finds a communication relay, grasps it by a flap and carries it (thesis 3): the things of its scene."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

"""How well an object is held: grasp matrix, force closure, quality, internal forces, load distribution."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

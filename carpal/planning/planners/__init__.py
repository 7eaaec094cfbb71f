"""Ways around obstacles: SBL, EST and RRT-Connect, and shortening what they find."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

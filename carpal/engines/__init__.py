"""Time: engines that move a scene, and the recording of what happened."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

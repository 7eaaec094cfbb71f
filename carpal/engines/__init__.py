"""Time: engines that move a scene, and the recording of what happened."""

from carpal._core.front_door import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

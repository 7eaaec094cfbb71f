"""Robot files to models: URDF and MJCF, trusted or from strangers."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

"""Two calibrated cameras: models and their files, calibration, triangulation, the pose of four painted marks."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

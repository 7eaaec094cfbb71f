"""Where a robot is: forward kinematics, Jacobians, configurations."""

from carpal._core.front_door import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

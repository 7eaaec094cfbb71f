"""A 7-DOF arm on a free XY table whose reaction is predicted and cancelled (thesis 5)."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

"""What moves a robot: inverse and forward dynamics, mass matrix, energies, centre of mass, mount wrench."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

"""What moves a robot: inverse and forward dynamics, mass matrix, energies, centre of mass, mount wrench."""

from carpal._core.front_door import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

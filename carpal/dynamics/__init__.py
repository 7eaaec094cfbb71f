"""What moves a robot: inverse and forward dynamics, mass matrix, energies, centre of mass, mount wrench."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""A 7-DOF arm on a free XY table whose reaction is predicted and cancelled (thesis 5)."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

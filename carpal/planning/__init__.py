"""Which motion to make: joint trajectories that respect limits and ask little of the mount."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""A rover's arm finds a communication relay, grasps it by a flap and carries it (thesis 3): the things of its scene."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Perception: camera views, stereo, hands as landmarks, data gloves."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""The labs: whole systems built on the library. A lab imports the library; no lab imports another."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

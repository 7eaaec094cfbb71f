"""A humanoid arm with a five-digit linkage hand catches a thrown ball and drops it in a bin (thesis 1)."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

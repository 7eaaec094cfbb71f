"""A humanoid arm with a five-digit linkage hand catches a thrown ball and drops it in a bin (thesis 1)."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

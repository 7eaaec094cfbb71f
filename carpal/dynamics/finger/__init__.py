"""The spring finger of thesis 4: its motion, rest, frequencies, springs to design and constants to identify."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

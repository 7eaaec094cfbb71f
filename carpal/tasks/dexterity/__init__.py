"""dexterity: a five-fingered hand holds, rolls, slides, hits and turns an object (thesis 2)."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

"""Full coordinates: rigid bodies held together by stiff springs, with contact and friction (thesis 1, chapter 2)."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

"""Contacts with a state: modes, frictional collisions, joint-space dynamics (thesis 2)."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

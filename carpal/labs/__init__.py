"""The labs: whole systems built on the library. A lab imports the library; no lab imports another."""

from carpal._core.front_door import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

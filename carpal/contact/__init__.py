"""Who touches whom, how far apart, how curved: distances, contacts, trees, rolling."""

from carpal._core.front_door import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

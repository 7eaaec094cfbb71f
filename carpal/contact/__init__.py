"""Who touches whom, how far apart, how curved: distances, contacts, trees, rolling."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

"""What exists and never changes while simulating: models, readers, the writer, the catalogue."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

"""What exists and never changes while simulating: models, readers, the writer, the catalogue."""

from carpal._core.front_door import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

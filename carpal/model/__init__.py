"""What exists and never changes while simulating: models, readers, the writer, the catalogue."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

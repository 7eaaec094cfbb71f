"""Questions with a score: tasks, their registry, and running one over many seeds."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

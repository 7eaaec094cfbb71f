"""Questions with a score: tasks, their registry, and running one over many seeds."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

"""Questions with a score: tasks, their registry, and running one over many seeds."""

from carpal._core.front_door import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

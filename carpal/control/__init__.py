"""What to do next: joint control laws."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

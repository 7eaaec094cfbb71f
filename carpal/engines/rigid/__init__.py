"""Joint space without contact: articulated bodies, prescribed or actuated joints."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

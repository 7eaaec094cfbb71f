"""The telephone's line: letters from one signer to many receivers, authenticated, in order, or with what is missing told."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

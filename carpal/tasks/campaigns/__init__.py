"""Campaigns: one task asked many times, on processes, a GPU or a cluster, with a journal and answers."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

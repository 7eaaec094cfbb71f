"""Handshapes from 21 landmarks of a hand: files, features, simulated hands, a small network, gloves, depth frames."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

"""A 7-DOF arm with a spring-tendon hand spells words, felt by the hands of a deafblind receiver (thesis 4)."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)

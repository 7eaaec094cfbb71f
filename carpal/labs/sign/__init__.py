"""A 7-DOF arm with a spring-tendon hand spells words, felt by the hands of a deafblind receiver (thesis 4)."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""mount: a 7-DOF arm on a free XY table whose reaction is predicted and cancelled (Alkire 2020).

Doors: `task`, `options`, `robot` (arm and table), `scene` (the plant), `controller`, `score`, `figures`, `kernels`. It has no
commands and no page of its own.
"""

from carpal._core.front_door import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

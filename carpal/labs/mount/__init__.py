"""mount: a 7-DOF arm on a free XY table whose reaction is predicted and cancelled (Alkire 2020).

Doors: `task`, `options`, `robot` (arm and table), `scene` (the plant), `controller`, `score`, `figures`, `kernels`. It has no
commands and no page of its own.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

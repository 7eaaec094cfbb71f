"""finger: a spring finger's statics, motion, design and identification.

A lab without a task. Doors: `robot` (the finger), `commands`, `figures`, `kernels`; beside them `statics`, `dynamics`, `motion`,
`modes`, `design`, `identification`. It has no options, scene, controller, score or page.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""finger: a spring finger's statics, motion, design and identification.

A lab without a task. Doors: `robot` (the finger), `commands`, `figures`, `kernels`; beside them `statics`, `dynamics`, `motion`,
`modes`, `design`, `identification`. It has no options, scene, controller, score or page.
"""

from carpal._core.front_door import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

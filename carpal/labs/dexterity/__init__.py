"""dexterity: a five-fingered hand holds, rolls, slides, hits and turns an object (Chan 1998).

Doors: `task`, `options`, `robot` (the hand), `scene` (an example as scene, start and targets), `controller` (the joint servo),
`score`, `figures`, `page`. It has no commands of its own and no kernels.
"""

from carpal._core.front_door import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

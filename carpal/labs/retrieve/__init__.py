"""Retrieve: a rover's arm locates a communication relay by stereo, grasps it by a flap and carries it (Leutenegger 2008).

Doors: `task`, `options`, `robot` (K10 arm with gripper), `scene`, `controller` (the pick-up, stage by stage), `score`, `figures`,
`commands`, `page`. Behind them: `relay`, `vision`, `planning`, `cycle`, `simulation`, `gripper` (with the lab's kernels),
`execution`, `studies`, `page_parts`.
"""

from carpal._core.front_door import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

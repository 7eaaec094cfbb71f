"""Yesmunt's catching arm (2014): an arm with a five-digit linkage hand catches a thrown ball and drops it in a bin.

Start at `robot.py` (what the robot is), `scene.py` (robot, ball and bin together), `controller.py` (gains and plans), `cases.py`
(from a case to its score) and `task.py`. The lab has no command and no page beyond those that its task brings, so there is no
`commands.py` and no `page.py`.
"""

from carpal._core.front_door import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

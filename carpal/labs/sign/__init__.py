"""Sign: a 7-DOF arm with a tendon-driven hand spells texts for a deafblind receiver (Prabhu 2018, PARLOMA).

Doors: `task`, `options`, `robot` (hand on an arm, with the receiver: it is the whole scene), `controller`, `score`, `figures`,
`commands`, `page`, `kernels`. Behind them: `files`, `hand`, `motion`, `reading`, `touch`, `link`, `board`; the commands of the
network link and of reading are in `link_commands` and `reading_commands`, the telephone demonstration in `demo`.
"""

from carpal._core.front_door import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

"""The packed tables in which couplings and loops reach the kernels; `model/constraint_tables.py` fills them."""

from typing import NamedTuple

import numpy as np

# columns of `couplings`: row among the constraints, index of follower and leader (-1: none) in q and in v, positions from which
# the polynomial counts, five coefficients, the follower's limits
ROW, Q_FOLLOWER, Q_LEADER, V_FOLLOWER, V_LEADER, FOLLOWER_REF, LEADER_REF, COEFFICIENTS = 0, 1, 2, 3, 4, 5, 6, 7
FOLLOWER_MIN, FOLLOWER_MAX = 12, 13
COUPLING_COLUMNS = 14
# columns of `loops`: rows of both bodies, whether frames coincide (else points), first row among the loops' equations, pose of
# the closing frame in both bodies' rows
BODY_A, BODY_B, IS_WELD, FIRST, ROTATION_A, POSITION_A, ROTATION_B, POSITION_B = 0, 1, 2, 3, 4, 13, 16, 25
LOOP_COLUMNS = 28
# bits of `sides`
MOVES_A, MOVES_B = 1, 2


class ConstraintTables(NamedTuple):
    """Couplings and loops of a model.

    couplings (couplings, COUPLING_COLUMNS), leaders before their followers; loops (loops, LOOP_COLUMNS); sides (loops, bodies)
    int64: which of a loop's two bodies a joint moves; placed (n) int64: rows of bodies whose poses the loops need, parents
    first; dependent (n) int64: rows of the joints that close the loops.
    """

    couplings: np.ndarray
    loops: np.ndarray
    sides: np.ndarray
    placed: np.ndarray
    dependent: np.ndarray

"""The packed tables in which a model reaches the kernels, and how to read them.

`joints` (n + 1, 4) int64 and `bodies` (n + 1, 26) float64 have one row per moving body; row 0 is the world together with
everything fixed to it. Every fixed joint has been folded away, the frame of a body is its joint's frame after the
motion, and the axis of a revolute or prismatic joint is that frame's z: see `model/tables.py`, which fills them.
"""

from carpal._core.compile import leaf

# columns of `joints`
KIND, PARENT, Q_INDEX, V_INDEX = 0, 1, 2, 3
# values of KIND
FIXED, REVOLUTE, PRISMATIC, BALL, FREE = 0, 1, 2, 3, 4
# columns of `bodies`: pose of the joint in the parent, mass, first moment, inertia about the origin, rotor inertia
ROTATION, POSITION, MASS, MOMENT, INERTIA, ARMATURE, GRAVITY = 0, 9, 12, 13, 16, 22, 23
BODY_COLUMNS = 26
# columns of `frames`: pose in the body
FRAME_COLUMNS = 12


@leaf
def vector_at(table, row, column):
    """Three numbers of a table."""
    return table[row, column], table[row, column + 1], table[row, column + 2]


@leaf
def matrix_at(table, row, column):
    """Nine numbers of a table."""
    return (
        table[row, column], table[row, column + 1], table[row, column + 2],
        table[row, column + 3], table[row, column + 4], table[row, column + 5],
        table[row, column + 6], table[row, column + 7], table[row, column + 8],
    )  # fmt: skip


@leaf
def symmetric_at(table, row, column):
    """Six numbers of a table."""
    return (
        table[row, column], table[row, column + 1], table[row, column + 2],
        table[row, column + 3], table[row, column + 4], table[row, column + 5],
    )  # fmt: skip

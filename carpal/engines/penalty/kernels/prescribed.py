"""Prescribed motion of a body: poses at times, a constant twist from row to row (Yesmunt 2014, step 4e of its procedure)."""

from carpal._core.compile import kernel
from carpal.engines.penalty.kernels.state import COM, MOTION, MOTIONS, W_W, P, Q, V, W, put, refresh, rotation_of
from carpal.model.kernels.tables import vector_at
from carpal.spatial.kernels.quaternion import wxyz_turned
from carpal.spatial.kernels.vec3 import add, cross, rotate, rotate_back, scale

# time [s], p_WB, wxyz, and the twist until the next row: velocity of B's origin and angular velocity, in W
TIME, ORIGIN, TURN, LINEAR, ANGULAR = 0, 1, 4, 8, 11
MOTION_COLUMNS = 14


@kernel
def follow_motion(bodies, motions, time, now, body, slot):
    """Put a body where its motion has it at `time`; before the first row and after the last it stands still."""
    first, rows = int(bodies[body, MOTION]), int(bodies[body, MOTIONS])
    row = first
    while row + 1 < first + rows and motions[row + 1, TIME] <= time:
        row += 1
    s = time - motions[row, TIME]
    v, w = vector_at(motions, row, LINEAR), vector_at(motions, row, ANGULAR)
    if s < 0.0 or row + 1 == first + rows:
        s, v, w = 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    turned = wxyz_turned(
        motions[row, TURN], motions[row, TURN + 1], motions[row, TURN + 2], motions[row, TURN + 3],
        s * w[0], s * w[1], s * w[2],
    )  # fmt: skip
    for i in range(4):
        now[slot, body, Q + i] = turned[i]
    refresh(now, slot, body)
    R = rotation_of(now, slot, body)
    arm = rotate(R, vector_at(bodies, body, COM))
    put(now, slot, body, P, add(add(vector_at(motions, row, ORIGIN), scale(s, v)), arm))
    put(now, slot, body, V, add(v, cross(w, arm)))
    put(now, slot, body, W, rotate_back(R, w))
    put(now, slot, body, W_W, w)

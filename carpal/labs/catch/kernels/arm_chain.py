"""The arm's forward kinematics for the controller: six turns about z between fixed placements, and what gravity asks of them.

The table `chain` has a row for each joint, the placement of its frame in the one before (R row by row, p), and a last
row for the hand. `links` has mass and centre of mass of what moves with each joint, in its frame, the last with the hand.
"""

from carpal._core.compile import kernel, leaf
from carpal.model.kernels.tables import matrix_at, vector_at
from carpal.spatial.kernels.scratch import get_vector, put_vector
from carpal.spatial.kernels.sincos import sincos
from carpal.spatial.kernels.vec3 import add, cross, dot, product, rotate, scale, sub, turn_z

JOINTS = 6
CHAIN_COLUMNS = 12
# columns of `frames` (slots, joints + 1, columns): origin and axis of each joint, then moment and mass of all beyond it
ORIGIN, AXIS, MOMENT, BEYOND = 0, 3, 6, 9
FRAME_COLUMNS = 10


@leaf
def _next(chain, row, R, p):
    """Placement of the next frame."""
    return product(R, matrix_at(chain, row, 0)), add(p, rotate(R, vector_at(chain, row, 9)))


@kernel
def hand_of(chain, angles, slot, moved, by):
    """R_WH and p_WH for the angles of one slot, the one numbered `moved` (-1: none) changed `by` so much [rad]."""
    R, p = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
    for i in range(JOINTS):
        R, p = _next(chain, i, R, p)
        s, c = sincos(angles[slot, i] + (by if i == moved else 0.0))
        R = turn_z(R, s, c)
    return _next(chain, JOINTS, R, p)


@kernel
def frames_of(chain, links, angles, frames, slot):
    """`hand_of`, and origin and axis of every joint with the weight's moment of all that it carries."""
    R, p = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
    for i in range(JOINTS):
        R, p = _next(chain, i, R, p)
        s, c = sincos(angles[slot, i])
        R = turn_z(R, s, c)
        put_vector(frames, slot, i, ORIGIN, p)
        put_vector(frames, slot, i, AXIS, (R[2], R[5], R[8]))
        mass = links[i, 0]
        put_vector(frames, slot, i, MOMENT, scale(mass, add(p, rotate(R, vector_at(links, i, 1)))))
        frames[slot, i, BEYOND] = mass
    for i in range(JOINTS - 2, -1, -1):
        put_vector(
            frames, slot, i, MOMENT, add(get_vector(frames, slot, i, MOMENT), get_vector(frames, slot, i + 1, MOMENT))
        )
        frames[slot, i, BEYOND] += frames[slot, i + 1, BEYOND]
    return _next(chain, JOINTS, R, p)


@kernel
def jacobian_of(frames, p_WH, A, slot):
    """Columns of the hand's velocity (p', w) for every joint rate, into A[slot] (6, 6)."""
    for i in range(JOINTS):
        axis = get_vector(frames, slot, i, AXIS)
        linear = cross(axis, sub(p_WH, get_vector(frames, slot, i, ORIGIN)))
        for k in range(3):
            A[slot, k, i] = linear[k]
            A[slot, 3 + k, i] = axis[k]


@leaf
def holding_torque(frames, gravity, i, slot):
    """Torque [N m] of joint i that carries the weight of everything beyond it."""
    about = sub(
        get_vector(frames, slot, i, MOMENT), scale(frames[slot, i, BEYOND], get_vector(frames, slot, i, ORIGIN))
    )
    return -dot(get_vector(frames, slot, i, AXIS), cross(about, gravity))

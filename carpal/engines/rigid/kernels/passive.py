"""Forces that a joint makes by itself: viscous damping and smoothed Coulomb friction; and the table that says how much.

    f = - d v - f_c tanh(|v| / v_s) v / |v|

with d the damping, f_c the Coulomb friction and v_s the speed below which the sign is smoothed (Andersson, Söderberg,
Björklund, "Friction models for sliding dry, boundary and mixed lubricated contacts", 2007). A ball joint, and the two
halves of a free one, are vectors: |v| is the length of three components, so the law has no preferred axes.
"""

import math

from carpal._core.compile import leaf
from carpal.kinematics.kernels.state import freedoms
from carpal.model.kernels.tables import KIND, V_INDEX

# columns of `dofs`, one row per component of v: prescribed or not, damping, Coulomb friction, fastest speed of a step
PRESCRIBED, DAMPING, FRICTION, FASTEST = 0, 1, 2, 3
DOF_COLUMNS = 4


@leaf
def passive_forces(joints, dofs, smooth, v, force, world):
    """Fill force[world] with the passive force of every component of v; `smooth` is v_s."""
    for body in range(1, joints.shape[0]):
        first, count = joints[body, V_INDEX], freedoms(joints[body, KIND])
        width = 1 if count == 1 else 3
        for start in range(first, first + count, width):
            square = 0.0
            for i in range(start, start + width):
                square += v[world, i] * v[world, i]
            speed, coulomb = math.sqrt(square), dofs[start, FRICTION]
            grip = 0.0
            if coulomb > 0.0 and speed > 0.0:
                grip = coulomb * math.tanh(speed / smooth) / speed
            for i in range(start, start + width):
                force[world, i] = -(dofs[i, DAMPING] + grip) * v[world, i]


@leaf
def resolved(dofs, v, world):
    """Whether every speed is finite and slow enough for the step."""
    ok = True
    for i in range(v.shape[1]):
        ok = ok and abs(v[world, i]) <= dofs[i, FASTEST]
    return ok

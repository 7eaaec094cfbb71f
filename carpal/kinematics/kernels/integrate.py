"""Moving a configuration along a constant velocity: sums for axes, the exponential for ball and free joints."""

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.kernels.state import all_finite
from carpal.model.kernels.tables import BALL, FREE, KIND, PRISMATIC, Q_INDEX, REVOLUTE, V_INDEX
from carpal.spatial.kernels.quaternion import wxyz_turned


@leaf
def integrate_body(joints, body, q, v, iv, dt, q_next, world):
    """Move one joint's coordinates along its velocity, which stands at v[world, iv]."""
    kind, iq = joints[body, KIND], joints[body, Q_INDEX]
    if kind == REVOLUTE or kind == PRISMATIC:
        q_next[world, iq] = q[world, iq] + dt * v[world, iv]
        return
    if kind == FREE:
        for i in range(3):
            q_next[world, iq + i] = q[world, iq + i] + dt * v[world, iv + i]
    shift = 0 if kind == BALL else 3
    iq, iv = iq + shift, iv + shift
    w, x, y, z = wxyz_turned(
        q[world, iq], q[world, iq + 1], q[world, iq + 2], q[world, iq + 3],
        dt * v[world, iv], dt * v[world, iv + 1], dt * v[world, iv + 2],
    )  # fmt: skip
    q_next[world, iq] = w
    q_next[world, iq + 1] = x
    q_next[world, iq + 2] = y
    q_next[world, iq + 3] = z


@kernel
def integrate(joints, q, v, dt, q_next, world):
    """q_next = q (+) v dt of one world; `q_next` may be `q`."""
    for body in range(1, joints.shape[0]):
        integrate_body(joints, body, q, v, joints[body, V_INDEX], dt, q_next, world)


@entry
def integrate_batch(joints, q, v, dt, q_next, start, stop, stride, slot):
    """`integrate` over worlds; dt (worlds, 1)."""
    bad = 0
    for world in range(start, stop, stride):
        integrate(joints, q, v, dt[world, 0], q_next, world)
        if not all_finite(q_next, world) and bad == 0:
            bad = world + 1
    return bad

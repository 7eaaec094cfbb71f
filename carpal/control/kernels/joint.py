"""Joint control laws on one world: PD, PD with gravity compensation, computed torque.

The error of a ball or free joint is the rotation vector from where it is to where it should be, in the joint's axes on
the parent's side, as its velocity is. Computed torque: Luh, Walker, Paul, "Resolved-acceleration control of mechanical
manipulators", 1980, in joint space.
"""

from carpal._core.compile import entry, kernel, leaf
from carpal.dynamics.kernels.gravity import COLUMNS as _GRAVITY_COLUMNS
from carpal.dynamics.kernels.gravity import gravity
from carpal.dynamics.kernels.rnea import COLUMNS as _RNEA_COLUMNS
from carpal.dynamics.kernels.rnea import rnea
from carpal.kinematics.kernels.state import all_finite
from carpal.model.kernels.tables import FREE, KIND, PRISMATIC, Q_INDEX, REVOLUTE, V_INDEX
from carpal.spatial.kernels.quaternion import rotation_from_wxyz, rotation_vector_between

# columns of `gains`, one row per component of v
KP, KD, ACTUATED, LARGEST = 0, 1, 2, 3
GAIN_COLUMNS = 4
# scratch columns of `gravity_pd` and of `computed_torque`
GRAVITY_SCRATCH, TORQUE_SCRATCH = _GRAVITY_COLUMNS, _RNEA_COLUMNS


@leaf
def _rotation(q, world, iq):
    return rotation_from_wxyz(q[world, iq], q[world, iq + 1], q[world, iq + 2], q[world, iq + 3])


@leaf
def feedback(joints, gains, q_target, v_target, q, v, out, world):
    """Joint by joint: out = kp (q_target - q) + kd (v_target - v)."""
    for body in range(1, joints.shape[0]):
        kind, iq, iv = joints[body, KIND], joints[body, Q_INDEX], joints[body, V_INDEX]
        if kind == REVOLUTE or kind == PRISMATIC:
            out[world, iv] = gains[iv, KP] * (q_target[world, iq] - q[world, iq])
            out[world, iv] += gains[iv, KD] * (v_target[world, iv] - v[world, iv])
            continue
        if kind == FREE:
            for i in range(3):
                out[world, iv + i] = gains[iv + i, KP] * (q_target[world, iq + i] - q[world, iq + i])
                out[world, iv + i] += gains[iv + i, KD] * (v_target[world, iv + i] - v[world, iv + i])
            iq, iv = iq + 3, iv + 3
        turn = rotation_vector_between(_rotation(q, world, iq), _rotation(q_target, world, iq))
        for i in range(3):
            out[world, iv + i] = gains[iv + i, KP] * turn[i]
            out[world, iv + i] += gains[iv + i, KD] * (v_target[world, iv + i] - v[world, iv + i])


@leaf
def limit(gains, u, world):
    """No force where no actuator is, and none above the actuators' largest; returns 1 when a number is not finite."""
    finite = all_finite(u, world)
    for i in range(u.shape[1]):
        most = gains[i, LARGEST]
        u[world, i] = gains[i, ACTUATED] * min(max(u[world, i], -most), most)
    return 0 if finite else 1


@kernel
def pd(joints, gains, q_target, v_target, q, v, u, world):
    """U of joint PD; returns 1 when a number is not finite."""
    feedback(joints, gains, q_target, v_target, q, v, u, world)
    return limit(gains, u, world)


@kernel
def gravity_pd(joints, bodies, gains, q_target, v_target, q, v, u, weight, scratch, world, slot):
    """U of PD with gravity compensation; `weight` (row `world`) is scratch."""
    feedback(joints, gains, q_target, v_target, q, v, u, world)
    bad = gravity(joints, bodies, q, weight, scratch, world, slot)
    for i in range(u.shape[1]):
        u[world, i] += weight[world, i]
    return bad | limit(gains, u, world)


@kernel
def computed_torque(joints, bodies, gains, q_target, v_target, vdot_target, q, v, u, wanted, scratch, world, slot):
    """U that gives every joint the acceleration vdot_target + feedback; `wanted` (row `world`) is scratch."""
    feedback(joints, gains, q_target, v_target, q, v, wanted, world)
    for i in range(u.shape[1]):
        wanted[world, i] = gains[i, ACTUATED] * (wanted[world, i] + vdot_target[world, i])
    bad = rnea(joints, bodies, q, v, wanted, u, scratch, world, slot)
    return bad | limit(gains, u, world)


@entry
def pd_batch(joints, gains, q_target, v_target, q, v, u, start, stop, stride, slot):
    """`pd` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        if pd(joints, gains, q_target, v_target, q, v, u, world) and bad == 0:
            bad = world + 1
    return bad


@entry
def gravity_pd_batch(
    joints, bodies, gains, q_target, v_target, q, v, u, weight, scratch, start, stop, stride, slot
):  # fmt: skip
    """`gravity_pd` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        if gravity_pd(joints, bodies, gains, q_target, v_target, q, v, u, weight, scratch, world, slot) and bad == 0:
            bad = world + 1
    return bad


@entry
def computed_torque_batch(
    joints, bodies, gains, q_target, v_target, vdot_target, q, v, u, wanted, scratch, start, stop, stride, slot
):
    """`computed_torque` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        refused = computed_torque(
            joints, bodies, gains, q_target, v_target, vdot_target, q, v, u, wanted, scratch, world, slot
        )
        if refused and bad == 0:
            bad = world + 1
    return bad

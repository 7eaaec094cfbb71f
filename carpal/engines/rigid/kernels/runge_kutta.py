"""One step of the classical Runge-Kutta method (Kutta 1901), all four stages in one call.

Quaternions are integrated as four numbers, qdot = 1/2 (0, w) wxyz with w on the parent's side, and normalised at the
end of the step: projecting back onto an invariant keeps the order (Hairer, Lubich, Wanner, "Geometric Numerical
Integration", 2006, IV.4). Their rate is linear in them, so their length does not matter within the step. The work of the
joints is summed with the same weights, so the ledger is as accurate as the motion.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.engines.rigid.kernels.passive import resolved
from carpal.engines.rigid.kernels.rates import add_work, stage_rates
from carpal.kinematics.kernels.state import all_finite
from carpal.model.kernels.tables import BALL, FREE, KIND, PRISMATIC, Q_INDEX, REVOLUTE, V_INDEX


@leaf
def add_to_ledger(total, at, start, rate, weight, ahead, i, world, slot):
    """Add a rate to the sum, and place the next stage `ahead` of the step's start."""
    total[slot, i] += weight * rate
    at[slot, i] = start[world, i] + ahead * rate


@leaf
def next_q(joints, q, stage, weight, ahead, world, slot):
    """Book qdot of the stage for every joint."""
    for body in range(1, joints.shape[0]):
        kind, iq, iv = joints[body, KIND], joints[body, Q_INDEX], joints[body, V_INDEX]
        if kind == REVOLUTE or kind == PRISMATIC:
            add_to_ledger(stage.q_sum, stage.q, q, stage.v[slot, iv], weight, ahead, iq, world, slot)
            continue
        if kind == FREE:
            for i in range(3):
                add_to_ledger(stage.q_sum, stage.q, q, stage.v[slot, iv + i], weight, ahead, iq + i, world, slot)
            iq, iv = iq + 3, iv + 3
        a, b, c = 0.5 * stage.v[slot, iv], 0.5 * stage.v[slot, iv + 1], 0.5 * stage.v[slot, iv + 2]
        w, x, y, z = stage.q[slot, iq], stage.q[slot, iq + 1], stage.q[slot, iq + 2], stage.q[slot, iq + 3]
        add_to_ledger(stage.q_sum, stage.q, q, -(a * x + b * y + c * z), weight, ahead, iq, world, slot)
        add_to_ledger(stage.q_sum, stage.q, q, a * w + b * z - c * y, weight, ahead, iq + 1, world, slot)
        add_to_ledger(stage.q_sum, stage.q, q, b * w + c * x - a * z, weight, ahead, iq + 2, world, slot)
        add_to_ledger(stage.q_sum, stage.q, q, c * w + a * y - b * x, weight, ahead, iq + 3, world, slot)


@leaf
def normalise(joints, q, world):
    """Bring every quaternion back to length one."""
    for body in range(1, joints.shape[0]):
        kind, iq = joints[body, KIND], joints[body, Q_INDEX]
        if kind == BALL or kind == FREE:
            iq += 3 if kind == FREE else 0
            w, x, y, z = q[world, iq], q[world, iq + 1], q[world, iq + 2], q[world, iq + 3]
            s = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
            q[world, iq], q[world, iq + 1], q[world, iq + 2], q[world, iq + 3] = s * w, s * x, s * y, s * z


@kernel
def rk4_step(joints, bodies, dofs, tendons, smooth, dt, q, v, u, work, stage, world, slot):
    """Move one world by dt, in place: rows `world` of q, v and work. `stage` is scratch.

    Returns 0, or 1 when the step diverged: a number that is not finite, or a speed that dt cannot resolve.
    """
    for i in range(q.shape[1]):
        stage.q[slot, i] = stage.q_sum[slot, i] = q[world, i]
    for i in range(v.shape[1]):
        stage.v[slot, i] = stage.v_sum[slot, i] = v[world, i]
    bad = 0
    for k in range(4):
        moment = 0 if k == 0 else 2 if k == 3 else 1
        bad |= stage_rates(joints, bodies, dofs, tendons, smooth, u, moment, stage, world, slot)
        weight = dt / 6.0 if k == 0 or k == 3 else dt / 3.0
        ahead = dt if k == 2 else 0.5 * dt
        add_work(dofs, u, moment, stage, stage.v, work, weight, world, slot, slot)
        next_q(joints, q, stage, weight, ahead, world, slot)
        for i in range(v.shape[1]):
            add_to_ledger(stage.v_sum, stage.v, v, stage.vdot[slot, i], weight, ahead, i, world, slot)
    for i in range(q.shape[1]):
        q[world, i] = stage.q_sum[slot, i]
    for i in range(v.shape[1]):
        v[world, i] = stage.v_sum[slot, i]
    normalise(joints, q, world)
    return 0 if bad == 0 and all_finite(q, world) and resolved(dofs, v, world) else 1

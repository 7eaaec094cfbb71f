"""Accelerations of one stage with springs, tendons, actuators, gravity compensation, couplings and loops.

With all of them at hand the dynamics are taken in matrix form: M from the composite-rigid-body algorithm, the bias force from the
recursive Newton-Euler algorithm at the accelerations of the prescribed joints,

    A vdot = f - h K v + J^T lambda        J vdot = -Jdot v

with A = M for explicit integrators. The implicit one takes forces at the end of its step h, linearised: A = M + h D + h^2 K, with
the damping D and stiffness K of joints and lines (Baraff, Witkin, "Large steps in cloth simulation", 1998); elsewhere K = 0.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.dynamics.kernels.constraint_rows import constraint_rows
from carpal.dynamics.kernels.crba import crba
from carpal.dynamics.kernels.gravity import gravity
from carpal.dynamics.kernels.rnea import rnea
from carpal.engines.rigid.kernels.lines import add_line_stiffness, add_lines, evaluate_lines
from carpal.engines.rigid.kernels.passive import DAMPING, FRICTION, PRESCRIBED
from carpal.engines.rigid.kernels.rates import DISSIPATED, WORK_IN, first_control
from carpal.engines.rigid.kernels.row_solver import factor_rows, multipliers, solve_rows
from carpal.kinematics.kernels.state import all_finite, freedoms
from carpal.model.kernels.tables import KIND, V_INDEX
from carpal.spatial.kernels.cholesky_factor import factor_spd, solve_lower, solve_upper

IMPLICIT = 2  # beside SYMPLECTIC and RK4 of `run.py`


@kernel
def damping_rates(joints, dofs, smooth, v, damp, slot):
    """Fill damp[slot] (nv): the passive force of each component is -damp v, Coulomb friction by its secant."""
    for body in range(1, joints.shape[0]):
        first, count = joints[body, V_INDEX], freedoms(joints[body, KIND])
        width = 1 if count == 1 else 3
        for start in range(first, first + count, width):
            square = 0.0
            for i in range(start, start + width):
                square += v[slot, i] * v[slot, i]
            speed, dry = math.sqrt(square), dofs[start, FRICTION]
            grip = 0.0
            if dry > 0.0:
                grip = dry * math.tanh(speed / smooth) / speed if speed > 0.0 else dry / smooth
            for i in range(start, start + width):
                damp[slot, i] = dofs[i, DAMPING] + grip


@kernel
def line_and_joint_forces(general, stage, loads, ahead, slot):
    """Fill passive, elastic and drive forces at stage.v; `ahead` is the length of an implicit step at its end, or zero."""
    for i in range(stage.v.shape[1]):
        stage.passive[slot, i] = -loads.damp[slot, i] * stage.v[slot, i]
        loads.elastic[slot, i] = loads.drive[slot, i] = 0.0
    add_lines(
        general.lines, loads.found, stage.q.shape[1], ahead, stage.v, stage.passive, loads.elastic, loads.drive, slot
    )


@leaf
def _lift(general, stage, loads, slot):
    """Add to the elastic forces what gravity compensation carries; stage.force is scratch."""
    bad = gravity(general.rigid.joints, general.lifted, stage.q, stage.force, stage.bodies, slot, slot)
    for i in range(stage.v.shape[1]):
        loads.elastic[slot, i] += stage.force[slot, i]
    return bad


@leaf
def _factor(general, stage, loads, slot):
    """Factor A, and add to the right side stage.force what it takes for implicit lines.

    Prescribed joints are taken out of the lower triangle, which is factored; the upper one keeps M.
    """
    rigid, n = general.rigid, stage.v.shape[1]
    for i in range(n):
        loads.weight[slot, i] = 1.0 / loads.M[slot, i, i]
        if rigid.integrator == IMPLICIT:
            loads.M[slot, i, i] += rigid.dt * loads.damp[slot, i]
    if rigid.integrator == IMPLICIT:
        add_line_stiffness(
            general.lines, loads.found, stage.q.shape[1], rigid.dt, stage.v, stage.vdot, loads.M, stage.force, slot
        )
    for i in range(n):
        for j in range(i):
            if rigid.dofs[i, PRESCRIBED] != 0.0 or rigid.dofs[j, PRESCRIBED] != 0.0:
                loads.M[slot, i, j] = 0.0
        if rigid.dofs[i, PRESCRIBED] != 0.0:
            loads.M[slot, i, i] = 1.0
    return 0 if factor_spd(loads.M, slot, n) else 1


@leaf
def _constrain(general, stage, loads, rows, slot):
    """Add to vdot what the rows' forces do; returns the rank."""
    rigid, n = general.rigid, stage.v.shape[1]
    constraint_rows(
        rigid.joints, rigid.bodies, general.constraints, stage.q, stage.v, loads.still, loads.weight, stage.bodies,
        rows.J, rows.gap, rows.bias, rows.size, slot, slot,
    )  # fmt: skip
    rank = factor_rows(loads.M, rigid.dofs, rows.J, rows.size, general.rows, rows.Q, rows.R, rows.order, slot)
    for r in range(general.rows):
        s = -rows.bias[slot, r]
        for j in range(n):
            s -= rows.J[slot, r, j] * stage.vdot[slot, j]
        rows.target[slot, r] = s
    solve_rows(loads.M, rows.Q, rows.R, rows.order, rank, rows.target, rows.y, loads.x, slot)
    for j in range(n):
        stage.vdot[slot, j] += loads.x[slot, 0, j]
    return rank


@leaf
def _take_forces(general, stage, loads, rows, rank, slot):
    """Put into stage.force what the drives and friction of prescribed joints supply together."""
    dofs, n = general.rigid.dofs, stage.v.shape[1]
    any_given = False
    for i in range(n):
        any_given = any_given or dofs[i, PRESCRIBED] != 0.0
    if not any_given:
        return
    multipliers(rows.R, rows.order, rank, rows.y, rows.factors, slot)
    for i in range(n):
        if dofs[i, PRESCRIBED] == 0.0:
            continue
        force = loads.bias[slot, i] - loads.elastic[slot, i] - loads.drive[slot, i]
        for j in range(n):
            if dofs[j, PRESCRIBED] == 0.0:
                upper = loads.M[slot, i, j] if i < j else loads.M[slot, j, i]
                force += upper * stage.vdot[slot, j]
        for r in range(general.rows):
            force -= rows.J[slot, r, i] * rows.factors[slot, r]
        stage.force[slot, i] = force


@kernel
def general_rates(general, u, ctrl, moment, stage, loads, rows, world, slot):
    """Fill the stage's passive forces, accelerations and joint forces; returns 1 when the dynamics refused."""
    rigid, n = general.rigid, stage.v.shape[1]
    dofs, first = rigid.dofs, first_control(u, stage.v, moment)
    for i in range(n):
        loads.still[slot, i] = 0.0
        stage.vdot[slot, i] = u[world, first + i] if dofs[i, PRESCRIBED] != 0.0 else 0.0
    bad = rnea(rigid.joints, rigid.bodies, stage.q, stage.v, stage.vdot, loads.bias, stage.bodies, slot, slot)
    bad |= crba(rigid.joints, rigid.bodies, stage.q, loads.M, stage.bodies, slot, slot)
    damping_rates(rigid.joints, dofs, rigid.friction_speed, stage.v, loads.damp, slot)
    evaluate_lines(general.lines, ctrl, rigid.friction_speed, stage.q, stage.v, loads.found, world, slot)
    line_and_joint_forces(general, stage, loads, 0.0, slot)
    if general.lifted.shape[0] > 0:
        bad |= _lift(general, stage, loads, slot)
    for i in range(n):
        stage.force[slot, i] = 0.0
        if dofs[i, PRESCRIBED] == 0.0:
            applied = u[world, first + i] + stage.passive[slot, i] + loads.elastic[slot, i] + loads.drive[slot, i]
            stage.force[slot, i] = applied - loads.bias[slot, i]
    bad |= _factor(general, stage, loads, slot)
    for i in range(n):
        loads.x[slot, 0, i] = stage.force[slot, i] if dofs[i, PRESCRIBED] == 0.0 else 0.0
        stage.force[slot, i] = u[world, first + i]
    if bad == 0:
        solve_lower(loads.M, loads.x, slot, 0, n)
        solve_upper(loads.M, loads.x, slot, 0, n)
    for i in range(n):
        stage.vdot[slot, i] += loads.x[slot, 0, i]
    rank = 0
    if general.rows > 0 and bad == 0:
        rank = _constrain(general, stage, loads, rows, slot)
    _take_forces(general, stage, loads, rows, rank, slot)
    return 0 if bad == 0 and all_finite(stage.vdot, slot) and all_finite(stage.force, slot) else 1


@kernel
def add_general_work(dofs, u, moment, stage, drive, work, weight, world, slot):
    """Add `weight` times the powers of drives and of what dissipates, along stage.v, to the ledger."""
    power, heat = 0.0, 0.0
    first = first_control(u, stage.v, moment)
    for i in range(stage.v.shape[1]):
        rate, lost = stage.v[slot, i], stage.passive[slot, i]
        own = stage.force[slot, i] - lost if dofs[i, PRESCRIBED] != 0.0 else u[world, first + i]
        power += (own + drive[slot, i]) * rate
        heat -= lost * rate
    work[world, WORK_IN] += weight * power
    work[world, DISSIPATED] += weight * heat

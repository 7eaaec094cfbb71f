"""Drift correction: positions are moved onto couplings and loops by Newton's method, velocities are projected onto them.

Both corrections are mass-weighted projections, with the mass matrix of the last stage (Hairer, Lubich, Wanner, "Geometric
Numerical Integration", 2006, IV.4: projection keeps the order of the integrator).
"""

from carpal._core.compile import kernel
from carpal.dynamics.kernels.constraint_rows import constraint_rows
from carpal.engines.rigid.kernels.row_solver import factor_rows, solve_rows
from carpal.kinematics.kernels.integrate import integrate

CLOSED = 1e-13
"""Gap [m, rad] at which Newton's method stops."""
MOST_OPEN = 1e-10
"""Largest gap [m, rad] of an accepted step."""
LARGEST_MOVE = 0.2
"""Most that one correction moves a joint [rad, m]."""


@kernel
def _evaluate(general, stage, loads, rows, slot):
    """Rows at stage.q and stage.v; returns the largest gap, NaN where one is not finite."""
    rigid = general.rigid
    constraint_rows(
        rigid.joints, rigid.bodies, general.constraints, stage.q, stage.v, loads.still, loads.weight, stage.bodies,
        rows.J, rows.gap, rows.bias, rows.size, slot, slot,
    )  # fmt: skip
    return largest(rows.gap, general.rows, slot)


@kernel
def largest(values, count, slot):
    """The largest magnitude of values[slot], NaN where one is not finite."""
    worst, finite = 0.0, 0.0
    for r in range(count):
        worst = max(worst, abs(values[slot, r]))
        finite += 0.0 * values[slot, r]
    return worst + finite


@kernel
def close_gaps(general, stage, loads, rows, most, slot):
    """Move stage.q until every gap is closed, at most `most` times; returns the largest gap left.

    The rows are left at the final stage.q. loads.M holds the factor of the metric.
    """
    rigid = general.rigid
    worst = _evaluate(general, stage, loads, rows, slot)
    for _ in range(most):
        if worst <= CLOSED or not worst < 1e9:
            break
        rank = factor_rows(loads.M, rigid.dofs, rows.J, rows.size, general.rows, rows.Q, rows.R, rows.order, slot)
        for r in range(general.rows):
            rows.target[slot, r] = -rows.gap[slot, r]
        solve_rows(loads.M, rows.Q, rows.R, rows.order, rank, rows.target, rows.y, loads.x, slot)
        far = 0.0
        for j in range(stage.v.shape[1]):
            loads.elastic[slot, j] = loads.x[slot, 0, j]
            far = max(far, abs(loads.x[slot, 0, j]))
        share = 1.0 if far <= LARGEST_MOVE else LARGEST_MOVE / far
        integrate(rigid.joints, stage.q, loads.elastic, share, stage.q, slot)
        worst = _evaluate(general, stage, loads, rows, slot)
    return worst


@kernel
def row_speeds(stage, rows, count, slot):
    """Fill rows.target with -J v; returns the largest magnitude."""
    for r in range(count):
        s = 0.0
        for j in range(stage.v.shape[1]):
            s -= rows.J[slot, r, j] * stage.v[slot, j]
        rows.target[slot, r] = s
    return largest(rows.target, count, slot)


@kernel
def project_velocity(general, stage, loads, rows, slot):
    """Take out of stage.v what would open the rows, which stand at stage.q."""
    row_speeds(stage, rows, general.rows, slot)
    rank = factor_rows(loads.M, general.rigid.dofs, rows.J, rows.size, general.rows, rows.Q, rows.R, rows.order, slot)
    solve_rows(loads.M, rows.Q, rows.R, rows.order, rank, rows.target, rows.y, loads.x, slot)
    for j in range(stage.v.shape[1]):
        stage.v[slot, j] += loads.x[slot, 0, j]

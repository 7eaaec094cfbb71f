"""The step of composed inverse kinematics: one quadratic program for each priority, highest first.

|J dq - e|^2 + damping |dq|^2 is made least inside all limits, over the directions that leave what higher priorities have got
as it is. Limits are kept by every priority, so each program but the first begins with a step that keeps them.
"""

from carpal._core.compile import kernel
from carpal.kinematics.composed.kernels.active_set import HIGH, LOW, SOLVED, solve_quadratic
from carpal.kinematics.composed.kernels.priorities import identity_basis, narrow_basis


@kernel
def _level_rows(work, first, end, n, width, plain, slot):
    """P = J N of a priority's rows; plain: N is the identity."""
    if plain:
        for i in range(first, end):
            for k in range(n):
                work.P[slot, i, k] = work.J[slot, i, k]
        return
    for i in range(first, end):
        for k in range(width):
            s = 0.0
            for j in range(n):
                s += work.J[slot, i, j] * work.N[slot, j, k]
            work.P[slot, i, k] = s


@kernel
def _limit_rows_in_basis(work, qp, rows, n, m, width, plain, slot):
    """B = A N and bounds less what the step has used: A is the identity, then rows of J from `rows` on.

    Returns how many constraints bound a variable each: all freedoms while the basis is the identity.
    """
    if plain:
        for i in range(m):
            qp.bounds[slot, i, LOW], qp.bounds[slot, i, HIGH] = work.c[slot, i, LOW], work.c[slot, i, HIGH]
            if i >= n:
                for k in range(n):
                    qp.B[slot, i, k] = work.J[slot, rows + i - n, k]
        return n
    for i in range(m):
        used = work.step[slot, i] if i < n else 0.0
        for k in range(width):
            qp.B[slot, i, k] = work.N[slot, i, k] if i < n else 0.0
        if i >= n:
            for j in range(n):
                a = work.J[slot, rows + i - n, j]
                if a != 0.0:
                    used += a * work.step[slot, j]
                    for k in range(width):
                        qp.B[slot, i, k] += a * work.N[slot, j, k]
        qp.bounds[slot, i, LOW] = work.c[slot, i, LOW] - used
        qp.bounds[slot, i, HIGH] = work.c[slot, i, HIGH] - used
    return 0


@kernel
def _program(work, qp, first, end, n, width, factor, least, slot):
    """H = P^T P + damping (a factor of the squared error, plus `least`), g = P^T (e - J step); returns the squared error."""
    for k in range(width):
        qp.g[slot, k] = 0.0
        for j in range(k + 1):
            qp.H[slot, k, j] = 0.0
    cost = 0.0
    for i in range(first, end):
        cost += work.e[slot, i] * work.e[slot, i]
        missing = work.e[slot, i]
        for j in range(n):
            missing -= work.J[slot, i, j] * work.step[slot, j]
        for k in range(width):
            p = work.P[slot, i, k]
            if p != 0.0:
                qp.g[slot, k] += p * missing
                for j in range(k + 1):
                    qp.H[slot, k, j] += p * work.P[slot, i, j]
    damping = factor * cost + least
    for k in range(width):
        qp.H[slot, k, k] += damping
    return cost


@kernel
def best_step(targets, factor, least, work, qp, n, m, slot):
    """work.step[slot]: the step of the independent freedoms; returns (status of the first program, its squared error)."""
    levels, rows = targets.levels, targets.levels[targets.levels.shape[0] - 1]
    for k in range(n):
        work.step[slot, k] = 0.0
    width, first_cost, status = n, 0.0, SOLVED
    for level in range(levels.shape[0] - 1):
        first, end = levels[level], levels[level + 1]
        _level_rows(work, first, end, n, width, level == 0, slot)
        boxes = _limit_rows_in_basis(work, qp, rows, n, m, width, level == 0, slot)
        cost = _program(work, qp, first, end, n, width, factor, least, slot)
        if level == 0:
            first_cost = cost
        solved = solve_quadratic(qp, width, boxes, m, slot)
        if level == 0:
            status = solved
        if solved != SOLVED:  # rounding can do that to a lower priority: it then asks for nothing
            break
        for j in range(n):
            if level == 0:
                work.step[slot, j] = qp.x[slot, j]
            else:
                for k in range(width):
                    work.step[slot, j] += work.N[slot, j, k] * qp.x[slot, k]
        if level + 2 < levels.shape[0]:
            if level == 0:
                identity_basis(work.N, n, slot)
            width = narrow_basis(work.N, work.P, first, end, n, width, slot)
            if width == 0:
                break
    for k in range(n):  # rounding leaves no bound of a freedom
        work.step[slot, k] = min(max(work.step[slot, k], work.c[slot, k, LOW]), work.c[slot, k, HIGH])
    return status, first_cost

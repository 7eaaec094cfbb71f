"""One step of the spring finger by Gauss's three-stage collocation, order 6, in angles and momenta.

Hairer, Lubich, Wanner, "Geometric Numerical Integration", 2006, II.1.3 and VIII.6. Gauss methods are symplectic for Hamilton's
equations, and only in canonical variables: so the state is (theta, p = M w), not (theta, w). They are A-stable, which matters
because light phalanges with ordinary dampers are stiff (rates of thousands per second). The stage equations are solved for the
momenta's rates F by Newton's method with the linearised finger at the step's beginning, a 9x9 system factored once per step,
and iterated down to rounding.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.labs.finger.kernels.terms import (
    DAMPING,
    GRAVITY,
    MOMENT,
    between,
    configuration_moments,
    damping_moments,
    inverse_entries,
    load_moments,
    mass_entries,
    relative,
    sines,
    solved,
    spring_torques,
    static_moments,
    stiffness_entries,
    times,
)
from carpal.spatial.kernels.lu import factor_general, solve_factored
from carpal.spatial.kernels.vec3 import add

_R = math.sqrt(15.0)
A = (
    (5 / 36, 2 / 9 - _R / 15, 5 / 36 - _R / 30),
    (5 / 36 + _R / 24, 2 / 9, 5 / 36 - _R / 24),
    (5 / 36 + _R / 30, 2 / 9 + _R / 15, 5 / 36),
)
B = (5 / 18, 4 / 9, 5 / 18)
C = (0.5 - _R / 10, 0.5, 0.5 + _R / 10)
AA = tuple(tuple(sum(A[i][m] * A[m][j] for m in range(3)) for j in range(3)) for i in range(3))
MOST = 60  # iterations; six are usual
COARSE = 1e-9  # change between iterations, relative, that counts as solved when rounding allows no less
# columns of the stage scratch (9 rows): the momenta's rates, the angles' rates
_F, _W = 0, 1
STAGE = 2


@leaf
def _stored(stage, slot, i, column):
    return stage[slot, 3 * i, column], stage[slot, 3 * i + 1, column], stage[slot, 3 * i + 2, column]


@leaf
def _moved(start, stage, slot, i, column, h):
    """Start + h sum_j A_ij x_j."""
    x, y, z = start
    for j in range(3):
        a = h * A[i][j]
        x += a * stage[slot, 3 * j, column]
        y += a * stage[slot, 3 * j + 1, column]
        z += a * stage[slot, 3 * j + 2, column]
    return x, y, z


@leaf
def _rate(rows, world, theta, s, c, w, load):
    """The momenta's rate [N m]."""
    held = add(static_moments(rows, world, theta, s, c, load), damping_moments(rows, world, w))
    return add(held, configuration_moments(rows, world, s, c, w))


@leaf
def _linearise(rows, world, s, c, load, h, lu, slot):
    """1 + h A (x) (D M^-1) + h^2 A^2 (x) (H M^-1), dampers D and Hessian H, into lu[slot]."""
    V = inverse_entries(mass_entries(rows, world, s, c))
    H = stiffness_entries(rows, world, s, c, load)
    c1, c2, c3 = rows[world, DAMPING], rows[world, DAMPING + 1], rows[world, DAMPING + 2]
    D = (c1 + c2, -c2, 0.0, c2 + c3, -c3, c3)
    for b in range(3):
        unit = (1.0 if b == 0 else 0.0, 1.0 if b == 1 else 0.0, 1.0 if b == 2 else 0.0)
        column = times(V, unit)
        d, e = times(D, column), times(H, column)
        for i in range(3):
            for j in range(3):
                f, g = h * A[i][j], h * h * AA[i][j]
                for a in range(3):
                    lu[slot, 3 * i + a, 3 * j + b] = f * d[a] + g * e[a]
    for i in range(9):
        lu[slot, i, i] += 1.0
    return V


@leaf
def _size(rows, world, theta, s, c, load):
    """How large the moments are that nearly cancel at rest [N m]: their rounding is the least that an iteration can reach."""
    t, Q = spring_torques(rows, world, relative(theta)), load_moments(rows, world, s, c, load)
    g = abs(rows[world, GRAVITY]) + abs(rows[world, GRAVITY + 1])
    total = 0.0
    for i in range(3):
        total += abs(t[i]) + abs(Q[i]) + rows[world, MOMENT + i] * g
    return total


@kernel
def _iterate(rows, world, theta, p, load0, load1, h, V, size, lu, order, x, stage, slot):
    """One Newton iteration; returns the largest change of the stages, relative to them and to the moments that cancel in them."""
    change_w, most_w = 0.0, size * abs(h) * (V[0] + V[3] + V[5])
    for i in range(3):
        s, c = sines(_moved(theta, stage, slot, i, _W, h))
        w = solved(mass_entries(rows, world, s, c), _moved(p, stage, slot, i, _F, h))
        for a in range(3):  # the rates of this round wait in x until all stages have theirs
            change_w = max(change_w, abs(w[a] - stage[slot, 3 * i + a, _W]))
            most_w = max(most_w, abs(w[a]))
            x[slot, 3 * i + a] = w[a]
    for i in range(9):
        stage[slot, i, _W] = x[slot, i]
    most_f = size
    for i in range(3):
        at = _moved(theta, stage, slot, i, _W, h)
        s, c = sines(at)
        f = _rate(rows, world, at, s, c, _stored(stage, slot, i, _W), between(load0, load1, C[i]))
        for a in range(3):
            most_f = max(most_f, abs(f[a]))
            x[slot, 3 * i + a] = f[a] - stage[slot, 3 * i + a, _F]
    solve_factored(lu, order, x, slot, 9)
    change_f, sound = 0.0, 0.0
    for i in range(9):
        sound += 0.0 * (x[slot, i] + stage[slot, i, _W])  # a maximum does not see what is not a number
        change_f = max(change_f, abs(x[slot, i]))
        stage[slot, i, _F] += x[slot, i]
    for i in range(3):
        turn = (0.0, 0.0, 0.0)
        for j in range(3):
            a = h * A[i][j]
            turn = add(turn, (a * x[slot, 3 * j], a * x[slot, 3 * j + 1], a * x[slot, 3 * j + 2]))
        turn = times(V, turn)
        for a in range(3):
            stage[slot, 3 * i + a, _W] += turn[a]
    return change_f / (most_f + 1e-300) + change_w / (most_w + 1e-300) + sound


@kernel
def gauss_step(rows, world, theta, p, load0, load1, h, lu, order, x, stage, slot):
    """Move angles and momenta by h under a load that changes linearly.

    Returns (theta, p, work of the loads [J], loss in the dampers [J], iterations), iterations -1 when the stages did not close.
    """
    s, c = sines(theta)
    w = solved(mass_entries(rows, world, s, c), p)
    V = _linearise(rows, world, s, c, between(load0, load1, 0.5), h, lu, slot)
    if not factor_general(lu, order, slot, 9):
        return theta, p, 0.0, 0.0, -1
    for i in range(3):
        f = _rate(rows, world, theta, s, c, w, between(load0, load1, C[i]))
        for a in range(3):
            stage[slot, 3 * i + a, _F] = f[a]
            stage[slot, 3 * i + a, _W] = w[a]
    size = _size(rows, world, theta, s, c, load0)
    last, rounds = math.inf, -1
    for k in range(MOST):
        change = _iterate(rows, world, theta, p, load0, load1, h, V, size, lu, order, x, stage, slot)
        if not change < math.inf:
            break
        if change < 2e-16 or (change < COARSE and change >= 0.5 * last):
            rounds = k + 1
            break
        last = change
    if rounds < 0:
        return theta, p, 0.0, 0.0, -1
    work, loss = 0.0, 0.0
    end, push = theta, p
    for i in range(3):
        at = _moved(theta, stage, slot, i, _W, h)
        s, c = sines(at)
        w, f, b = _stored(stage, slot, i, _W), _stored(stage, slot, i, _F), h * B[i]
        Q = load_moments(rows, world, s, c, between(load0, load1, C[i]))
        d = damping_moments(rows, world, w)
        work += b * (Q[0] * w[0] + Q[1] * w[1] + Q[2] * w[2])
        loss -= b * (d[0] * w[0] + d[1] * w[1] + d[2] * w[2])
        end = add(end, (b * w[0], b * w[1], b * w[2]))
        push = add(push, (b * f[0], b * f[1], b * f[2]))
    return end, push, work, loss, rounds

"""A free body's own turning over a step: the implicit midpoint rule in body axes, which keeps energy and |momentum| exactly.

    I (w+ - w) + dt wm x I wm = 0,  wm = (w + w+) / 2

solved by Newton's method in three unknowns. Multiplied by wm it says that w.I w stays, by I wm that |I w| does. The
explicit term gains energy at high spin. The attitude turns by the Cayley map of dt wm, an angle of 2 atan(dt |wm| / 2): with
it the momentum R I w stays in space exactly, its direction too.
"""

import math

from carpal._core.compile import leaf
from carpal.spatial.kernels.quaternion import rotation_from_wxyz, wxyz_turned
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate, rotate_back, scale, sub, symmetric_times

ITERATIONS = 20


@leaf
def solve_three(A, b):
    """A^-1 b by cross products, of a 3 x 3 matrix (9 numbers, row by row)."""
    r0, r1, r2 = (A[0], A[1], A[2]), (A[3], A[4], A[5]), (A[6], A[7], A[8])
    c0, c1, c2 = cross(r1, r2), cross(r2, r0), cross(r0, r1)
    k = 1.0 / dot(r0, c0)
    return scale(k, add(add(scale(b[0], c0), scale(b[1], c1)), scale(b[2], c2)))


@leaf
def spun(I, w, dt):
    """Angular velocity after dt and in the middle, in body axes, of a body that turns freely; I about its mass centre (6)."""
    after = w
    size = I[0] + I[1] + I[2]
    for _ in range(ITERATIONS):
        middle = scale(0.5, add(w, after))
        L = symmetric_times(I, middle)
        f = add(symmetric_times(I, sub(after, w)), scale(dt, cross(middle, L)))
        if dot(f, f) <= 1e-32 * size * size * dot(middle, middle):
            break
        k = 0.5 * dt
        x, y, z = middle
        # I + k (wm~ I - (I wm)~)
        A = (
            I[0] + k * (y * I[4] - z * I[3]), I[3] + k * (y * I[5] - z * I[1] + L[2]), I[4] + k * (y * I[2] - z * I[5] - L[1]),
            I[3] + k * (z * I[0] - x * I[4] - L[2]), I[1] + k * (z * I[3] - x * I[5]), I[5] + k * (z * I[4] - x * I[2] + L[0]),
            I[4] + k * (x * I[3] - y * I[0] + L[1]), I[5] + k * (x * I[1] - y * I[3] - L[0]), I[2] + k * (x * I[5] - y * I[4]),
        )  # fmt: skip
        after = sub(after, solve_three(A, f))
    return after, scale(0.5, add(w, after))


@leaf
def free_turn(I, R, w_B, dt):
    """(angular velocity after dt, rate of the turn: its exponential over dt is the Cayley map, the turn itself), all in W.

    I: about the mass centre, in body axes (6). R: attitude. w_B: angular velocity in W.
    """
    after, middle = spun(I, rotate_back(R, w_B), dt)
    half = 0.5 * dt * math.sqrt(dot(middle, middle))
    rate = scale(math.atan(half) / half if half > 1e-8 else 1.0, rotate(R, middle))
    w, x, y, z = wxyz_turned(1.0, 0.0, 0.0, 0.0, dt * rate[0], dt * rate[1], dt * rate[2])
    turn = rotation_from_wxyz(w, x, y, z)
    return rotate(turn, rotate(R, after)), rate, turn

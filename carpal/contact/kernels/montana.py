"""Montana's contact equations: how the contact wanders over both surfaces (Montana 1988; Chan 1998, Appendix A).

Bodies A (Montana's finger) and B (his object) touch at one point. Each surface has a chart with metric M, curvature K and
torsion T; the spin is the angle psi between the two tangent frames, whose rotation is

    R_CaCb = [[cos psi, -sin psi, 0], [-sin psi, -cos psi, 0], [0, 0, -1]]

(Chan 1998 prints +1 in the corner, which is no rotation: E8). For the twist (v, w) of A relative to B at the contact, in
the axes of C_a (E6: only that sign and frame give the equations), with R the upper left block and K~ = R K_b R,

    M_a du_a = (K_a + K~)^-1 ((-w_y, w_x) - K~ (v_x, v_y))
    M_b du_b = R (K_a + K~)^-1 ((-w_y, w_x) + K_a (v_x, v_y))
    dpsi = w_z + T_a M_a du_a + T_b M_b du_b,     v_z = 0.

The entry takes the package's own relative twist, B relative to A, and turns its sign. Fourth-order Runge-Kutta.
"""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.contact.kernels.charts import chart_left, coordinates_of, has_poles, off_surface, surface_at
from carpal.spatial.kernels.sincos import sincos
from carpal.spatial.kernels.vec3 import dot, rotate, scale

# what ended a motion
ROLLING, LINE_CONTACT, LEFT_A, LEFT_B, AT_POLE, TOO_FAST = 0, 1, 2, 3, 4, 5
# axes in which the twist is given: the chart's frame on A, the axes of shape A, of shape B
IN_CONTACT, IN_A, IN_B = 0, 1, 2
# columns of contact coordinates
CHART_A, U_A, V_A, CHART_B, U_B, V_B, SPIN, ARC_A, ARC_B = 0, 1, 2, 3, 4, 5, 6, 7, 8
COORDINATES, PATH = 7, 9
FLAT = 1e-12  # determinant of the relative curvature over its squared trace: below it no single point touches
LONGEST_STEP = 0.3  # [rad] of latitude in one step: more could pass a chart's pole unseen


@leaf
def between_frames(psi):
    """R_CaCb (9 numbers)."""
    s, c = sincos(psi)
    return c, -s, 0.0, -s, -c, 0.0, 0.0, 0.0, -1.0


@kernel
def contact_speeds(K_a, K_b, psi, v, w):
    """(status, speed over A, speed over B) of the contact, each (x, y) in its tangent frame [m/s].

    v, w: twist of A relative to B at the contact, in C_a. This form needs no chart.
    """
    s, c = sincos(psi)
    # R K_b R with R = [[c, -s], [-s, -c]]
    a, b, d = K_b[0], K_b[1], K_b[2]
    t11 = c * c * a - 2.0 * c * s * b + s * s * d
    t12 = -c * s * a + (s * s - c * c) * b + c * s * d
    t22 = s * s * a + 2.0 * c * s * b + c * c * d
    r11, r12, r22 = K_a[0] + t11, K_a[1] + t12, K_a[2] + t22
    det, trace = r11 * r22 - r12 * r12, r11 + r22
    if 0.0 * det != 0.0:
        return TOO_FAST, (0.0, 0.0), (0.0, 0.0)
    if not abs(det) > FLAT * trace * trace:
        return LINE_CONTACT, (0.0, 0.0), (0.0, 0.0)
    f, g = -w[1] - (t11 * v[0] + t12 * v[1]), w[0] - (t12 * v[0] + t22 * v[1])
    over_a = ((r22 * f - r12 * g) / det, (r11 * g - r12 * f) / det)
    f, g = -w[1] + (K_a[0] * v[0] + K_a[1] * v[1]), w[0] + (K_a[1] * v[0] + K_a[2] * v[1])
    x, y = (r22 * f - r12 * g) / det, (r11 * g - r12 * f) / det
    return ROLLING, over_a, (c * x - s * y, -s * x - c * y)


@kernel
def contact_rates(kind_a, size_a, chart_a, kind_b, size_b, chart_b, state, v, w, axes):
    """(status, rates) of state = (u_a, v_a, u_b, v_b, psi, arc_a, arc_b); v, w: twist of B relative to A in `axes`."""
    _, xa, ya, za, M_a, K_a, T_a = surface_at(kind_a, size_a, chart_a, state[0], state[1])
    _, xb, yb, zb, M_b, K_b, T_b = surface_at(kind_b, size_b, chart_b, state[2], state[3])
    v, w = scale(-1.0, v), scale(-1.0, w)
    if axes == IN_A:
        v = (dot(xa, v), dot(ya, v), dot(za, v))
        w = (dot(xa, w), dot(ya, w), dot(za, w))
    elif axes == IN_B:
        R = between_frames(state[4])
        v = rotate(R, (dot(xb, v), dot(yb, v), dot(zb, v)))
        w = rotate(R, (dot(xb, w), dot(yb, w), dot(zb, w)))
    status, s_a, s_b = contact_speeds(K_a, K_b, state[4], v, w)
    dv_a, dv_b = s_a[1] / M_a[2], s_b[1] / M_b[2]
    turn = w[2] + T_a[0] * s_a[0] + T_a[1] * s_a[1] + T_b[0] * s_b[0] + T_b[1] * s_b[1]
    length_a = math.sqrt(s_a[0] * s_a[0] + s_a[1] * s_a[1])
    length_b = math.sqrt(s_b[0] * s_b[0] + s_b[1] * s_b[1])
    du_a, du_b = (s_a[0] - M_a[1] * dv_a) / M_a[0], (s_b[0] - M_b[1] * dv_b) / M_b[0]
    return status, (du_a, dv_a, du_b, dv_b, turn, length_a, length_b)


@leaf
def moved(y, h, k):
    """Y + h k of seven numbers."""
    return (
        y[0] + h * k[0], y[1] + h * k[1], y[2] + h * k[2], y[3] + h * k[3], y[4] + h * k[4], y[5] + h * k[5], y[6] + h * k[6],
    )  # fmt: skip


@leaf
def twist_at(twists, world, row):
    """(v, w) of a sample."""
    return (
        (twists[world, row, 0], twists[world, row, 1], twists[world, row, 2]),
        (twists[world, row, 3], twists[world, row, 4], twists[world, row, 5]),
    )


@kernel
def other_chart(kind, size, chart, u, v):
    """(chart, u, v, turn) of the same point in the best chart; `turn` is by how much its x axis is turned about the normal."""
    p, x, y, _, _, _, _ = surface_at(kind, size, chart, u, v)
    new, a, b = coordinates_of(kind, size, p)
    _, ahead, _, _, _, _, _ = surface_at(kind, size, new, a, b)
    return new, a, b, math.atan2(dot(ahead, y), dot(ahead, x))


@kernel
def montana_step(kind_a, size_a, chart_a, kind_b, size_b, chart_b, y, dt, twists, world, row, axes):
    """One Runge-Kutta step with the twists of rows row, row + 1 (halfway) and row + 2; (status, new state)."""
    v, w = twist_at(twists, world, row)
    s1, k1 = contact_rates(kind_a, size_a, chart_a, kind_b, size_b, chart_b, y, v, w, axes)
    v, w = twist_at(twists, world, row + 1)
    s2, k2 = contact_rates(kind_a, size_a, chart_a, kind_b, size_b, chart_b, moved(y, 0.5 * dt, k1), v, w, axes)
    s3, k3 = contact_rates(kind_a, size_a, chart_a, kind_b, size_b, chart_b, moved(y, 0.5 * dt, k2), v, w, axes)
    v, w = twist_at(twists, world, row + 2)
    s4, k4 = contact_rates(kind_a, size_a, chart_a, kind_b, size_b, chart_b, moved(y, dt, k3), v, w, axes)
    y = moved(moved(moved(moved(y, dt / 6.0, k1), dt / 3.0, k2), dt / 3.0, k3), dt / 6.0, k4)
    return max(max(s1, s2), max(s3, s4)), y


@kernel
def allowed(kind_a, size_a, kind_b, size_b, y, new, axes):
    """ROLLING where a step may be kept, or why not."""
    total = new[0] + new[1] + new[2] + new[3] + new[4] + new[5] + new[6]
    if 0.0 * total != 0.0:
        return TOO_FAST
    if has_poles(kind_a) and abs(new[0] - y[0]) > LONGEST_STEP:
        return TOO_FAST
    if has_poles(kind_b) and abs(new[2] - y[2]) > LONGEST_STEP:
        return TOO_FAST
    if off_surface(kind_a, size_a, new[1]):
        return LEFT_A
    if off_surface(kind_b, size_b, new[3]):
        return LEFT_B
    if axes == IN_CONTACT and chart_left(kind_a, new[0]):
        return AT_POLE
    return ROLLING


@leaf
def put_row(path, world, row, chart_a, chart_b, y):
    """Write one row of contact coordinates and arc lengths."""
    path[world, row, CHART_A], path[world, row, CHART_B] = chart_a, chart_b
    path[world, row, U_A], path[world, row, V_A] = y[0], y[1]
    path[world, row, U_B], path[world, row, V_B] = y[2], y[3]
    path[world, row, SPIN], path[world, row, ARC_A], path[world, row, ARC_B] = y[4], y[5], y[6]


@kernel
def roll(kind_a, size_a, kind_b, size_b, first, twists, dt, axes, path, world):
    """Contact coordinates of one world along its twists; (status, steps done). Rows after the last step repeat it."""
    chart_a, chart_b = int(first[world, CHART_A]), int(first[world, CHART_B])
    y = (first[world, U_A], first[world, V_A], first[world, U_B], first[world, V_B], first[world, SPIN], 0.0, 0.0)
    put_row(path, world, 0, chart_a, chart_b, y)
    status, done = ROLLING, 0
    for step in range(path.shape[1] - 1):
        if status == ROLLING:
            status, new = montana_step(
                kind_a, size_a, chart_a, kind_b, size_b, chart_b, y, dt, twists, world, 2 * step, axes
            )
            if status == ROLLING:
                status = allowed(kind_a, size_a, kind_b, size_b, y, new, axes)
            if status == ROLLING:
                y, done = new, step + 1
                if chart_left(kind_a, y[0]):
                    chart_a, a, b, turn = other_chart(kind_a, size_a, chart_a, y[0], y[1])
                    y = (a, b, y[2], y[3], y[4] + turn, y[5], y[6])
                if chart_left(kind_b, y[2]):
                    chart_b, a, b, turn = other_chart(kind_b, size_b, chart_b, y[2], y[3])
                    y = (y[0], y[1], a, b, y[4] + turn, y[5], y[6])
        put_row(path, world, step + 1, chart_a, chart_b, y)
    return status, done


@entry
def roll_batch(kind_a, size_a, kind_b, size_b, dt, axes, first, twists, path, verdict, start, stop, stride, slot):
    """`roll` over worlds: first (7), twists (2 n + 1, 6) at half steps, path (n + 1, 9), verdict (status, steps done)."""
    a, b = (size_a[0], size_a[1], size_a[2]), (size_b[0], size_b[1], size_b[2])
    for world in range(start, stop, stride):
        status, done = roll(kind_a, a, kind_b, b, first, twists, dt, axes, path, world)
        verdict[world, 0], verdict[world, 1] = status, done
    return 0

"""What follows when a slip stops within a collision: stick, or a start along the one diverging ray (Chan 1998, 4.3; Mirtich).

Matrices are symmetric, (xx, yy, zz, xy, xz, yz), in contact axes (t1, t2, n). While a contact sticks, the tangential impulse
per normal impulse is x = -K_tt^-1 k_t, where k_t = (k13, k23); it may do so while |x| <= mu. Chan only cites the test;
it is (K^-1_13)^2 + (K^-1_23)^2 <= mu^2 (K^-1_33)^2 (E17), the same sentence, but this form needs no inverse of K and holds
for a singular one.

Otherwise the slip starts again along r with K_tt (-mu r) + k_t = g r, g > 0. So (mu K_tt + g) r = k_t: the length of
r(g) falls strictly with g, from |x| / mu > 1 at g = 0 to 0, hence exactly one ray, found from this secular equation by
Newton's method, which comes from below and never overshoots. No grid over angles, which would miss rays (E17), is needed.
"""

import math

from carpal._core.compile import kernel, leaf

SINGULAR = 1e-13  # determinant of K_tt over its squared trace: below it the tangents move along one direction only


@leaf
def stick_ratio(K):
    """X (2): tangential impulse per normal impulse that keeps the slip as it is; the shortest one where many do."""
    trace = K[0] + K[1]
    det = K[0] * K[1] - K[3] * K[3]
    if det > SINGULAR * trace * trace:
        return (K[3] * K[5] - K[1] * K[4]) / det, (K[3] * K[4] - K[0] * K[5]) / det
    if trace > 0.0:
        return -(K[0] * K[4] + K[3] * K[5]) / (trace * trace), -(K[3] * K[4] + K[1] * K[5]) / (trace * trace)
    return 0.0, 0.0


@leaf
def normal_gain(K, x, y):
    """Gain of normal speed per normal impulse, for a tangential impulse (x, y) per normal impulse [1/kg]."""
    return K[2] + K[4] * x + K[5] * y


@kernel
def diverging_ray(K, mu):
    """Unit direction (2) along which a slip starts again; only where stick is not stable."""
    a, b, c = mu * K[0], mu * K[1], mu * K[3]
    # principal axes of mu K_tt, and k_t in them
    half, middle = 0.5 * (a - b), 0.5 * (a + b)
    spread = math.sqrt(half * half + c * c)
    angle = 0.5 * math.atan2(c, half)
    cosine, sine = math.cos(angle), math.sin(angle)
    large, small = middle + spread, max(middle - spread, 0.0)
    along, across = cosine * K[4] + sine * K[5], -sine * K[4] + cosine * K[5]
    g = max(0.0, max(abs(along) - large, abs(across) - small))
    for _ in range(60):
        x, y = 0.0, 0.0
        if along != 0.0:
            x = along / (large + g)
        if across != 0.0:
            y = across / (small + g) if small + g > 0.0 else math.inf
        length = math.sqrt(x * x + y * y)
        if not length < math.inf:
            g = 1e-16 * (large + abs(across))  # K_tt is singular: leave its pole
            continue
        fall = x * x / (large + g) + (y * y / (small + g) if across != 0.0 else 0.0)
        step = (length - 1.0) * length * length / fall if fall > 0.0 else 0.0
        g += step
        if not step > 1e-15 * g:
            break
    x = along / (large + g) if along != 0.0 else 0.0
    y = across / (small + g) if across != 0.0 else 0.0
    length = math.sqrt(x * x + y * y)
    if not length > 0.0:
        return 1.0, 0.0
    x, y = x / length, y / length
    return cosine * x - sine * y, sine * x + cosine * y

"""Nearest points of segments: to each other, and to a box (Ericson, Real-Time Collision Detection, 2005, section 5.1).

A segment is its middle, a unit direction and half its length: that is the core of a capsule as tables hold it. Its
distance to a box is, squared, a convex function of the place on the segment, quadratic by pieces with a continuous
slope; Newton steps on the slope, kept inside a shrinking bracket, find its zero in one to four steps.
"""

import math

from carpal._core.compile import leaf
from carpal.spatial.kernels.vec3 import cross, dot, scale, sub

_PARALLEL = 1e-15  # squared sine between two segments below which they count as parallel


@leaf
def clamp(x, low, high):
    """X held between two bounds."""
    return min(max(x, low), high)


@leaf
def unit(a):
    """A unit vector along a, and the length of a; (1, 0, 0) for a zero vector."""
    length = math.sqrt(dot(a, a))
    if length > 0.0:
        return scale(1.0 / length, a), length
    return (1.0, 0.0, 0.0), 0.0


@leaf
def perpendicular(a):
    """A unit vector at right angles to a: a x the axis that is farthest from it."""
    x, y, z = abs(a[0]), abs(a[1]), abs(a[2])
    if x <= y and x <= z:
        other = (1.0, 0.0, 0.0)
    elif y <= z:
        other = (0.0, 1.0, 0.0)
    else:
        other = (0.0, 0.0, 1.0)
    return unit(cross(a, other))[0]


@leaf
def between_segments(c_a, d_a, half_a, c_b, d_b, half_b):
    """Places (s, t) [m] from the middles of two segments at which they are nearest.

    Of parallel segments that run side by side, the middle of the stretch that they share.
    """
    r = sub(c_b, c_a)
    along_a, along_b, cosine = dot(r, d_a), dot(r, d_b), dot(d_a, d_b)
    squared_sine = 1.0 - cosine * cosine
    if squared_sine > _PARALLEL:
        s = clamp((along_a - cosine * along_b) / squared_sine, -half_a, half_a)
    else:
        low, high = max(-half_a, along_a - half_b), min(half_a, along_a + half_b)
        s = clamp(0.5 * (low + high), -half_a, half_a)
    t = cosine * s - along_b
    if t < -half_b or t > half_b:
        t = clamp(t, -half_b, half_b)
        s = clamp(along_a + cosine * t, -half_a, half_a)
    return s, t


@leaf
def squared_between_segments(c_a, d_a, half_a, c_b, d_b, half_b):
    """Squared distance of two segments [m^2]."""
    s, t = between_segments(c_a, d_a, half_a, c_b, d_b, half_b)
    x = c_b[0] + t * d_b[0] - c_a[0] - s * d_a[0]
    y = c_b[1] + t * d_b[1] - c_a[1] - s * d_a[1]
    z = c_b[2] + t * d_b[2] - c_a[2] - s * d_a[2]
    return x * x + y * y + z * z


@leaf
def beyond(x, half):
    """How far x lies outside [-half, half], with its sign; 0 inside."""
    return x - clamp(x, -half, half)


@leaf
def squared_to_box(p, size):
    """Squared distance of a point to a box, in the box's frame; 0 inside."""
    x, y, z = beyond(p[0], size[0]), beyond(p[1], size[1]), beyond(p[2], size[2])
    return x * x + y * y + z * z


@leaf
def _slope(c, d, size, t):
    """Half the slope of the squared distance at place t, and half the slope of that."""
    x = beyond(c[0] + t * d[0], size[0])
    y = beyond(c[1] + t * d[1], size[1])
    z = beyond(c[2] + t * d[2], size[2])
    g = d[0] * x + d[1] * y + d[2] * z
    k = 0.0
    if x != 0.0:
        k += d[0] * d[0]
    if y != 0.0:
        k += d[1] * d[1]
    if z != 0.0:
        k += d[2] * d[2]
    return g, k


@leaf
def segment_to_box(c, d, half, size):
    """Place on the segment (middle c, unit direction d, in the box's frame) that is nearest to the box."""
    low, high = -half, half
    g, k = _slope(c, d, size, low)
    if g >= 0.0:
        return low
    g, k = _slope(c, d, size, high)
    if g <= 0.0:
        return high
    t = clamp(-dot(c, d), low, high)
    for _ in range(64):
        g, k = _slope(c, d, size, t)
        if g > 0.0:
            high = t
        elif g < 0.0:
            low = t
        else:
            break
        after = t - g / k if k > 0.0 else 0.5 * (low + high)
        if not (after > low and after < high):  # a Newton step back to a bound would go to and fro for ever
            after = 0.5 * (low + high)
        if abs(after - t) <= 1e-15 * half:
            break
        t = after
    return t

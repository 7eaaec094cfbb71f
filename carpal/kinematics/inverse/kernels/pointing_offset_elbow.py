"""Every configuration of a 5-joint arm of the K10's class that brings its tool to a point, pointing along a direction.

Axes 1 and 2 meet at the shoulder S, axes 4 and 5 at the wrist W, and the tool lies on the line through W along its own
direction, so the wrist's place is known. Its distance from S gives theta 3 (two), its height along axis 1 theta 2 (two),
its azimuth theta 1; the direction's part along axis 4 gives theta 5 (two) and its azimuth about axis 4 theta 4: eight
branches. Leutenegger 2008, appendix A, corrected: E1 (the transforms), E2 (its arcsines lose the over-the-shoulder branch), E3
(arctangents for the wrist, twist kept where it has no meaning); axes may stand at any angles here.
"""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.inverse.kernels.branches import (
    AMOUNT,
    CONE,
    COUNT,
    FREE,
    HELD,
    HOLLOW,
    NO_REASON,
    REASON,
    TOO_FAR,
    TOO_NEAR,
    across,
    add_solution,
    arrange,
    short_of_fold,
    sine_of,
    turned,
    vector,
)
from carpal.kinematics.kernels.state import all_finite
from carpal.spatial.kernels.arctangent import arctan2
from carpal.spatial.kernels.sincos import sincos
from carpal.spatial.kernels.vec3 import add, cross, dot, scale, sub

# columns of the geometry, all in W at q = 0: the shoulder, the axes, the wrist from axis 3, axis 3 from S, the tool's
# direction, the wrist (for `pointing_search`), the tool seen from the wrist, and how far
# the axes are from this shape [m or rad], zero for most arms
S, U1, U2, U3, U4, U5, ARM, UPPER, DIRECTION, TOOL, LOOSE = 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30
GEOMETRY = 31
BRANCHES = 8
_EDGE = 1e-13  # relative: rounding must not close the workspace's own boundary
_POLE = 1e-9  # relative: nearer to an axis than this, turning about it moves nothing


@leaf
def _wrist_from_shoulder(geo, s, c):
    """The wrist seen from S at theta 1 = theta 2 = 0; s and c belong to theta 3."""
    a = vector(geo, ARM)
    return add(vector(geo, UPPER), add(scale(c, a), scale(s, cross(vector(geo, U3), a))))


@leaf
def _wrist_numbers(geo):
    """Of axes 4 and 5, the same for every branch: tilt times along, even, odd, spread, middle angle, and `square`.

    Square: axis 5 is at right angles to axis 4 and to the direction; its two sides are then half a turn of axis 4 apart.
    """
    u4, u5, d0 = vector(geo, U4), vector(geo, U5), vector(geo, DIRECTION)
    along, tilt = dot(u5, d0), dot(u4, u5)
    even, odd = dot(u4, d0) - tilt * along, dot(u4, cross(u5, d0))
    square = abs(tilt) + abs(along) < 1e-14
    return tilt * along, even, odd, math.sqrt(even * even + odd * odd), arctan2(odd, even), square


@kernel
def _wrists(geo, wrist, columns, q_min, q_max, q0, q_out, marks, d, t1, t2, t3, branch, count, world):
    """The two wrist branches of one position, d seen from link 3; returns (rows, how far the wrist's cone is missed [rad])."""
    u4, u5, d0 = vector(geo, U4), vector(geo, U5), vector(geo, DIRECTION)
    offset, even, odd, spread, middle, square = wrist
    u4_d = dot(u4, d)
    cosine = (u4_d - offset) / spread
    if abs(cosine) > 1.0 + 1e-9:
        most = offset + (spread if cosine > 0.0 else -spread)
        return count, abs(math.acos(max(-1.0, min(1.0, most))) - math.acos(max(-1.0, min(1.0, u4_d))))
    side_d = (d[0] - u4_d * u4[0], d[1] - u4_d * u4[1], d[2] - u4_d * u4[2])
    width = math.sqrt(dot(side_d, side_d))
    if (
        spread > 1.0 - 1e-12
    ):  # axes at right angles: the sine is the direction's distance from axis 4, exact near zero (E3)
        sine = width
    else:
        cosine = max(-1.0, min(1.0, cosine))
        sine = sine_of(cosine)
    half = arctan2(sine, cosine)
    part = 1.0 / (math.sqrt(sine * sine + cosine * cosine) * spread)
    t4 = q0[world, columns[3]]
    for side in range(2):
        turn, root = (half, sine) if side == 0 else (-half, -sine)
        if width >= _POLE and side == 1 and square:
            t4 += math.pi
        elif width >= _POLE:
            s, c = (odd * cosine + even * root) * part, (even * cosine - odd * root) * part
            # laid across axis 4 first: next to the axis its own part would drown what is left (2e-3 rad were lost so)
            side_0 = across(u4, turned(u5, s, c, d0))
            t4 = arctan2(dot(u4, cross(side_0, side_d)), dot(side_0, side_d))
        angles = (t1, t2, t3, t4, middle + turn)
        count = add_solution(columns, q_min, q_max, q0, angles, branch + 4 * side, q_out, marks, count, world)
    return count, 0.0


@kernel
def solve_offset_elbow(geo, columns, q_min, q_max, target, q0, q_out, marks, summary, world):
    """All branches of one world, sorted; why there is none goes into the summary."""
    u1, u2, u3, a, b = vector(geo, U1), vector(geo, U2), vector(geo, U3), vector(geo, ARM), vector(geo, UPPER)
    d = (target[world, 0], target[world, 1], target[world, 2])
    p = (target[world, 9], target[world, 10], target[world, 11])
    n = sub(sub(p, scale(dot(vector(geo, TOOL), vector(geo, DIRECTION)), d)), vector(geo, S))
    height, tilt = dot(u1, n), dot(u1, u2)
    n_side = across(u1, n)
    rho2 = dot(n_side, n_side)
    distance = math.sqrt(dot(n, n))
    # squared distance of the wrist from S is a constant + 2 (even cos 3 + odd sin 3)
    even3, odd3 = dot(b, a), dot(b, cross(u3, a))
    spread3 = math.sqrt(even3 * even3 + odd3 * odd3)
    cosine3 = 0.5 * (dot(n, n) - dot(a, a) - dot(b, b)) / spread3
    count, reason, amount = 0, NO_REASON, math.inf
    loose, wrist = geo[LOOSE], _wrist_numbers(geo)
    if abs(cosine3) > 1.0 + _EDGE * max(1.0, distance * distance / spread3) + loose * (1.0 + distance) / spread3:
        sign = 1.0 if cosine3 > 0.0 else -1.0
        edge = math.sqrt(max(distance * distance + 2.0 * spread3 * sign * (1.0 - abs(cosine3)), 0.0))
        reason = TOO_FAR if cosine3 > 0.0 else TOO_NEAR
        amount = abs(distance - edge)
    else:
        cosine3 = short_of_fold(cosine3, loose * (1.0 + distance) / spread3)
        sine3, part3 = sine_of(cosine3), 1.0 / spread3
        for elbow in range(2):
            root = sine3 if elbow == 0 else -sine3
            s3, c3 = (odd3 * cosine3 + even3 * root) * part3, (even3 * cosine3 - odd3 * root) * part3
            t3 = arctan2(s3, c3)
            v = _wrist_from_shoulder(geo, s3, c3)
            # the wrist's height along axis 1 is a constant + even cos 2 + odd sin 2
            even2, odd2 = dot(u1, v) - tilt * dot(u2, v), dot(u1, cross(u2, v))
            spread2, rest = math.sqrt(even2 * even2 + odd2 * odd2), height - tilt * dot(u2, v)
            if abs(rest) > spread2 + _EDGE * (distance + abs(rest)) + loose:
                if reason != CONE and abs(rest) - spread2 < amount:
                    reason, amount = HOLLOW, abs(rest) - spread2
                continue
            pole = spread2 < _POLE * distance
            cosine2 = 1.0 if pole else short_of_fold(rest / spread2, loose / spread2)
            sine2, part2 = sine_of(cosine2), 1.0 if pole else 1.0 / spread2
            for shoulder in range(2):
                root = sine2 if shoulder == 0 else -sine2
                if pole:  # the wrist stands on axis 2, which then moves nothing but the direction
                    t2 = q0[world, columns[1]]
                    s2, c2 = sincos(t2)
                else:
                    s2, c2 = (odd2 * cosine2 + even2 * root) * part2, (even2 * cosine2 - odd2 * root) * part2
                    t2 = arctan2(s2, c2)
                m_side = across(u1, turned(u2, s2, c2, v))
                if rho2 < _POLE * _POLE * distance * distance:
                    t1 = q0[world, columns[0]]
                    s1, c1 = sincos(t1)
                else:
                    s1, c1 = dot(u1, cross(m_side, n_side)), dot(m_side, n_side)
                    t1 = arctan2(s1, c1)
                    part1 = 1.0 / math.sqrt(s1 * s1 + c1 * c1)
                    s1, c1 = s1 * part1, c1 * part1
                seen = turned(u3, -s3, c3, turned(u2, -s2, c2, turned(u1, -s1, c1, d)))
                count, missed = _wrists(
                    geo,
                    wrist,
                    columns,
                    q_min,
                    q_max,
                    q0,
                    q_out,
                    marks,
                    seen,
                    t1,
                    t2,
                    t3,
                    elbow + 2 * shoulder,
                    count,
                    world,
                )
                if missed > 0.0 and (reason != CONE or missed < amount):
                    reason, amount = CONE, missed
    arrange(q_out, marks, count, world)
    summary[world, COUNT] = count
    summary[world, REASON] = reason if count == 0 else NO_REASON
    summary[world, AMOUNT] = amount if count == 0 else 0.0
    summary[world, FREE] = 0.0
    summary[world, HELD] = math.nan


@entry
def offset_elbow_batch(
    geo, columns, q_min, q_max, target, q0, roll, q_out, marks, summary, start, stop, stride, slot
):  # fmt: skip
    """Solve every world; roll is never free in this class."""
    bad = 0
    for world in range(start, stop, stride):
        if not all_finite(target, world) or not all_finite(q0, world):
            bad = world + 1
            break
        solve_offset_elbow(geo, columns, q_min, q_max, target, q0, q_out, marks, summary, world)
    return bad

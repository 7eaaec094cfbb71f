"""Every configuration of a 5-joint planar arm (pan, three parallel pitch axes, roll) for a point and a direction.

The direction is the roll axis'. It never leaves the arm's plane, so it fixes pan (two, half a turn apart) and the sum of the
pitch angles. Where the tool lies off the roll axis by r, the point's distance from that plane fixes roll (two); where it
lies on the axis, that distance must be right and roll is free. What is left is a two-link planar arm (two): eight branches
at most. A direction along the pan axis fixes no pan: pan then follows from the point, and roll is free in any case.
Lateral offsets of the plane, and bent links, are constants of the geometry.
"""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.inverse.kernels.branches import (
    AMOUNT,
    BEYOND,
    COUNT,
    FREE,
    HELD,
    HOLLOW,
    NO_REASON,
    OUT_OF_PLANE,
    REASON,
    TOO_FAR,
    TOO_NEAR,
    TURN,
    add_solution,
    arrange,
    short_of_fold,
    sine_of,
    vector,
)
from carpal.kinematics.kernels.state import all_finite
from carpal.spatial.kernels.arctangent import arcsine, arctan2
from carpal.spatial.kernels.sincos import sincos
from carpal.spatial.kernels.vec3 import dot, sub

# columns of the geometry: a point on the pan axis, the plane's axes at q = 0 (EZ pan, EY pitch, EX = EY x EZ), then plane
# numbers as (z, x) pairs: axis 2, upper arm, forearm; the two axes' signs; the direction's angle; the roll axis' distance
# from the pan axis along EY; from axis 4 to the foot of the tool on the roll axis; the tool off it at roll 0 and at roll
# a quarter turn, (y, z, x) each; r, and the angle at which r sin(roll + angle) is the tool's y; the
# angle from upper arm to forearm at theta 3 = 0; how far the axes are from this shape [m or rad], zero for most arms
O, EX, EY, EZ, AXIS2, UPPER, FORE, SIGN3, SIGN4 = 0, 3, 6, 9, 12, 14, 16, 18, 19
TILT, LATERAL, HAND, OFF0, OFF1, RADIUS, PHASE, BENT, LOOSE = 20, 21, 22, 24, 27, 30, 31, 32, 33
GEOMETRY = 34
BRANCHES = 8
FLAT = 2e-10  # [m]: a point this near to where the plane allows it is on it
UPRIGHT = 1e-9  # [rad]: a direction this near to the pan axis fixes no pan
_STEEP = 1e-3  # below this a direction fixes pan worse than the point does, where roll is free
_STEEPER = 0.3  # the same for arms that are not quite planar, where a direction is worth less
_EDGE = 1e-13
_ROLLS = 64


@kernel
def _links(
    geo, bent, columns, q_min, q_max, q0, q_out, marks, pan, roll, tilt, z, x, branch, count, world
):  # fmt: skip
    """The two-link arm: z, x is the tool in the plane, tilt the direction's angle; (rows, too far or near (-) by [m]).

    `bent` is the sine and the cosine of the angle BENT.
    """
    pitch = tilt - geo[TILT]
    s, c = sincos(roll)
    hand_z = geo[HAND] + c * geo[OFF0 + 1] + s * geo[OFF1 + 1]
    hand_x = geo[HAND + 1] + c * geo[OFF0 + 2] + s * geo[OFF1 + 2]
    s, c = sincos(pitch)
    z -= geo[AXIS2] + c * hand_z - s * hand_x
    x -= geo[AXIS2 + 1] + s * hand_z + c * hand_x
    az, ax, bz, bx = geo[UPPER], geo[UPPER + 1], geo[FORE], geo[FORE + 1]
    aa, bb, zz = az * az + ax * ax, bz * bz + bx * bx, z * z + x * x
    ab = math.sqrt(aa * bb)
    cosine = 0.5 * (zz - aa - bb) / ab
    if abs(cosine) > 1.0 + _EDGE * max(1.0, zz / ab) + geo[LOOSE] * (1.0 + zz) / ab:
        a, b = math.sqrt(aa), math.sqrt(bb)
        return count, math.sqrt(zz) - (a + b if cosine > 0.0 else abs(a - b))
    cosine = short_of_fold(cosine, geo[LOOSE] * (1.0 + zz) / ab)
    sine = sine_of(cosine)
    half = arctan2(sine, cosine)
    for elbow in range(2):
        turn3, root = (half - geo[BENT], sine) if elbow == 0 else (-half - geo[BENT], -sine)
        s, c = root * bent[1] - cosine * bent[0], cosine * bent[1] + root * bent[0]
        reach_z, reach_x = az + c * bz - s * bx, ax + s * bz + c * bx
        t2 = q0[world, columns[1]]
        if zz >= 1e-18 * ab:
            t2 = arctan2(reach_z * x - reach_x * z, reach_z * z + reach_x * x)
        angles = (pan, t2, geo[SIGN3] * turn3, geo[SIGN4] * (pitch - t2 - turn3), roll)
        count = add_solution(columns, q_min, q_max, q0, angles, branch + elbow, q_out, marks, count, world)
    return count, 0.0


@leaf
def out_of_plane(geo, along, d_x, d_y, p_x, p_y):
    """Least angle between the direction and a plane in which the arm can hold the point; - metres inside its hollow."""
    rho, azimuth, heading = math.sqrt(p_x * p_x + p_y * p_y), arctan2(p_y, p_x), arctan2(d_y, d_x)
    b, r = geo[LATERAL], geo[RADIUS]
    if rho < abs(b) - r:
        return rho - (abs(b) - r)
    least = math.inf
    for k in range(4):
        sine = (b - r if k & 1 else b + r) / rho
        x = arcsine(max(-1.0, min(1.0, sine)))
        pan = azimuth - (math.pi - x if k & 2 else x)
        least = min(least, arcsine(min(1.0, abs(along * math.sin(heading - pan)))))
    return least


@leaf
def _beyond(geo, rho, z):
    """By how much at least the point is out of reach whatever the direction [m]; zero where it may be reached."""
    far, near = abs(geo[LATERAL]) + geo[RADIUS], max(abs(geo[LATERAL]) - geo[RADIUS], 0.0)
    low, high = math.sqrt(max(rho * rho - far * far, 0.0)), math.sqrt(max(rho * rho - near * near, 0.0))
    x = min(max(abs(geo[AXIS2 + 1]), low), high)  # the point's place in a plane, as near to axis 2 as it may be
    apart = math.hypot(z - geo[AXIS2], x - abs(geo[AXIS2 + 1]))
    hand = math.hypot(geo[HAND], geo[HAND + 1]) + geo[RADIUS]
    return apart - math.hypot(geo[UPPER], geo[UPPER + 1]) - math.hypot(geo[FORE], geo[FORE + 1]) - hand


@kernel
def _at_roll(geo, columns, q_min, q_max, target, q0, held, q_out, marks, summary, world):
    """All branches of one world; where roll is free it is held; writes the summary."""
    ex, ey, ez = vector(geo, EX), vector(geo, EY), vector(geo, EZ)
    d = (target[world, 0], target[world, 1], target[world, 2])
    p = sub((target[world, 9], target[world, 10], target[world, 11]), vector(geo, O))
    d_x, d_y, d_z = dot(d, ex), dot(d, ey), dot(d, ez)
    p_x, p_y, p_z = dot(p, ex), dot(p, ey), dot(p, ez)
    along = math.sqrt(d_x * d_x + d_y * d_y)
    rho = math.sqrt(p_x * p_x + p_y * p_y)
    r, b, flat = geo[RADIUS], geo[LATERAL], FLAT + geo[LOOSE]
    free = r == 0.0 or along < UPRIGHT
    steep = _STEEP if geo[LOOSE] == 0.0 else _STEEPER
    by_point = along < (steep if r == 0.0 else UPRIGHT)
    s, c = sincos(held)
    want = b + c * geo[OFF0] + s * geo[OFF1]  # the tool's distance from the pan axis along EY, where roll is held
    count, far, near, hollow = 0, math.inf, -math.inf, 0.0
    heading, upward, bent = 0.0, 0.0, sincos(geo[BENT])
    if not by_point:
        heading, upward = arctan2(d_y, d_x), arctan2(along, d_z)
    for facing in range(2):
        if by_point:
            if abs(want) > rho + flat:
                hollow = abs(want) - rho
                break
            turn = 0.0 if rho == 0.0 else arcsine(short_of_fold(want / rho, geo[LOOSE] / rho))
            pan = arctan2(p_y, p_x) - (turn if facing == 0 else math.pi - turn)
            pan = q0[world, columns[0]] if rho < flat else pan
            s, c = sincos(pan)
            tilt = arctan2(c * d_x + s * d_y, d_z)
        elif facing == 0:
            pan, tilt, s, c = heading, upward, d_y / along, d_x / along
        else:
            pan, tilt, s, c = heading + math.pi, -upward, -d_y / along, -d_x / along
        aside = c * p_y - s * p_x - b
        if (not by_point and abs(aside) > r + flat) or (by_point and abs(c * d_y - s * d_x) > UPRIGHT + geo[LOOSE]):
            continue
        z, x = p_z, c * p_x + s * p_y
        turn = 0.0 if free else arcsine(short_of_fold(aside / r, geo[LOOSE] / r))
        for side in range(1 if free else 2):
            spin = held if free else (turn if side == 0 else math.pi - turn) - geo[PHASE]
            count, short = _links(
                geo,
                bent,
                columns,
                q_min,
                q_max,
                q0,
                q_out,
                marks,
                pan,
                spin,
                tilt,
                z,
                x,
                2 * facing + 4 * side,
                count,
                world,
            )
            if short > 0.0:
                far = min(far, short)
            elif short < 0.0:
                near = max(near, short)
    reason, amount = NO_REASON, 0.0
    if count == 0:
        if hollow > 0.0:
            reason, amount = HOLLOW, hollow
        elif far < math.inf and far <= -near:
            reason, amount = TOO_FAR, far
        elif near > -math.inf:
            reason, amount = TOO_NEAR, -near
        else:
            reason, amount = OUT_OF_PLANE, out_of_plane(geo, along, d_x, d_y, p_x, p_y)
            beyond = _beyond(geo, rho, p_z)
            if amount < 0.0:
                reason, amount = HOLLOW, -amount
            elif beyond > 0.0:
                reason, amount = BEYOND, beyond
    summary[world, COUNT] = count
    summary[world, REASON] = reason
    summary[world, AMOUNT] = amount
    summary[world, FREE] = 1.0 if free else 0.0
    summary[world, HELD] = held if free else math.nan
    return count


@kernel
def solve_planar(geo, columns, q_min, q_max, target, q0, roll, q_out, marks, summary, world):
    """All branches of one world, sorted; why there is none goes into the summary."""
    asked = roll[world, 0]
    fixed = asked == asked  # NaN: nobody set it
    held = asked if fixed else q0[world, columns[4]]
    count = _at_roll(geo, columns, q_min, q_max, target, q0, held, q_out, marks, summary, world)
    if count == 0 and not fixed and geo[RADIUS] > 0.0 and summary[world, FREE] == 1.0:
        # along the pan axis roll shifts the tool, so another roll may reach what this one does not
        reason, amount, best = summary[world, REASON], summary[world, AMOUNT], held
        for k in range(1, _ROLLS + 1):
            other = held + (TURN * ((k + 1) // 2) / _ROLLS) * (1.0 if k % 2 else -1.0)
            count = _at_roll(geo, columns, q_min, q_max, target, q0, other, q_out, marks, summary, world)
            if count > 0:
                break
            if summary[world, AMOUNT] < amount:
                reason, amount, best = summary[world, REASON], summary[world, AMOUNT], other
        if count == 0:
            summary[world, REASON], summary[world, AMOUNT], summary[world, HELD] = reason, amount, best
    arrange(q_out, marks, count, world)


@entry
def planar_batch(
    geo, columns, q_min, q_max, target, q0, roll, q_out, marks, summary, start, stop, stride, slot
):  # fmt: skip
    """Solve every world; roll (world, 1) is used where roll is free, NaN holds it at q0's."""
    bad = 0
    for world in range(start, stop, stride):
        if not all_finite(target, world) or not all_finite(q0, world):
            bad = world + 1
            break
        solve_planar(geo, columns, q_min, q_max, target, q0, roll, q_out, marks, summary, world)
    return bad

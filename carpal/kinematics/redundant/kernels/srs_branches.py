"""All eight inverse-kinematics branches of an SRS arm at a given arm angle (Prabhu 2018, 5.3, corrected; E-M1).

Two elbows, two shoulders, two wrists. The first angle of each spherical joint comes from the direction of its last
axis, the last angle from what is left after turning back by the first: their sum stays right to the last digit
however near to a singularity, where the quotients (5.25) to (5.44) lose it. Where the direction is free (sine below
TINY) the first angle is kept from q0, as the fact sheet says, and the two branches, which then are one, are given
once.
"""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.kernels.state import all_finite
from carpal.kinematics.redundant.kernels.srs_arm_angle import arm_angle_of
from carpal.kinematics.redundant.kernels.srs_pose import (
    AXIS_SINGULAR,
    ELBOW_SINGULAR,
    HIGH,
    LOW,
    MIDDLE,
    OFFSET,
    REACHED,
    SHOULDER_SINGULAR,
    TINY,
    WIDE,
    WRIST_SINGULAR,
    elbow_triangle,
    elbow_turns,
    is_pose,
    sight,
    wrist_attitude,
    wrist_from_shoulder,
)
from carpal.model.kernels.tables import matrix_at, vector_at
from carpal.spatial.kernels.arctangent import arctan2
from carpal.spatial.kernels.sincos import sincos

# report columns
COUNT, CODE, DISTANCE, SINGULAR, INSIDE = 0, 1, 2, 3, 4
REPORT = 5
BRANCHES = 8
# columns of a part: three angles, inside, squared distance from q0, whether it exists
_Q, _IN, _FAR, _IS = 0, 3, 4, 5
PART = 6
PARTS = 10  # for each elbow: the elbow, two shoulders, two wrists
LIMIT_SLACK = 1e-12  # [rad] rounding at a limit; such an angle is set onto the limit
_TURN = 2.0 * math.pi
_ROUND = 6755399441055744.0  # adding and subtracting 1.5 * 2**52 rounds to the nearest integer


@leaf
def fitted(numbers, joint, t, near):
    """(q, inside) of a canonical angle: the turn nearest to the limits' middle or, where a turn fits, nearest to q0."""
    wide = numbers[WIDE + joint] > 0.0
    center = near if wide else numbers[MIDDLE + joint]
    q = t + numbers[OFFSET + joint]
    q -= _TURN * (((q - center) / _TURN + _ROUND) - _ROUND)
    low, high = numbers[LOW + joint], numbers[HIGH + joint]
    if wide:
        if q > high + LIMIT_SLACK:
            q -= _TURN * math.ceil((q - high - LIMIT_SLACK) / _TURN)
        elif q < low - LIMIT_SLACK:
            q += _TURN * math.ceil((low - LIMIT_SLACK - q) / _TURN)
    inside = low - LIMIT_SLACK <= q <= high + LIMIT_SLACK
    return (min(max(q, low), high) if inside else q), inside


@leaf
def _put(parts, slot, part, numbers, first, ta, tb, tc, na, nb, nc):
    """Store one solution of a spherical joint."""
    a, ia = fitted(numbers, first, ta, na)
    b, ib = fitted(numbers, first + 1, tb, nb)
    c, ic = fitted(numbers, first + 2, tc, nc)
    parts[slot, part, _Q] = a
    parts[slot, part, _Q + 1] = b
    parts[slot, part, _Q + 2] = c
    parts[slot, part, _IN] = 1.0 if ia and ib and ic else 0.0
    parts[slot, part, _FAR] = (a - na) ** 2 + (b - nb) ** 2 + (c - nc) ** 2
    parts[slot, part, _IS] = 1.0


@leaf
def _spherical(parts, slot, part, numbers, first, A, ca, sa, kept, na, nb, nc):
    """Both solutions of a spherical joint such that Rz(ta) Ry(tb) Rz(tc) = Rz(a) A; returns whether it is singular.

    A is given by columns 1 and 2 (two rows each) and 3; a by its cosine and sine.
    """
    a11, a21, a12, a22, x, y, z = A
    r = math.sqrt(x * x + y * y)
    free = r <= TINY
    if free:
        s, c = sincos(kept)
        c1, s1 = c * ca + s * sa, s * ca - c * sa
    else:
        c1, s1 = x / r, y / r
    ta = kept if free else arctan2(sa * c1 + ca * s1, ca * c1 - sa * s1)
    tb = arctan2(r, z)
    tc = arctan2(c1 * a21 - s1 * a11, c1 * a22 - s1 * a12)
    _put(parts, slot, part, numbers, first, ta, tb, tc, na, nb, nc)
    if free:
        parts[slot, part + 1, _IS] = 0.0
    else:
        _put(parts, slot, part + 1, numbers, first, ta + math.pi, -tb, tc + math.pi, na, nb, nc)
    return free


@kernel
def fill_parts(numbers, R, p, sin_psi, cos_psi, near, parts, slot):
    """Both elbows with two shoulders and wrists each; returns (code, distance of wrist from shoulder, singular bits)."""
    L = wrist_from_shoulder(numbers, R, p)
    n, ca, sa, cp, sp, over = sight(numbers, L, 1.0, 0.0)
    code, c4, s4, one_elbow = elbow_triangle(numbers, n)
    if code != REACHED:
        return code, n, 0
    singular = ELBOW_SINGULAR if one_elbow else 0
    if over:
        _, ca, sa, unknown = arm_angle_of(numbers, near[0], near[1], near[2], near[3])
        if unknown:
            ca, sa = 1.0, 0.0
        singular |= AXIS_SINGULAR
    D = wrist_attitude(numbers, R, ca, sa, cp, sp)
    # Rz(-psi) D
    w11, w12, w13 = cos_psi * D[0] + sin_psi * D[3], cos_psi * D[1] + sin_psi * D[4], cos_psi * D[2] + sin_psi * D[5]
    w21, w22, w23 = cos_psi * D[3] - sin_psi * D[0], cos_psi * D[4] - sin_psi * D[1], cos_psi * D[5] - sin_psi * D[2]
    t4 = arctan2(s4, c4)
    for i in range(2):
        side = 1.0 - 2.0 * i
        row = 5 * i
        if i == 1 and one_elbow:
            parts[slot, row, _IS] = 0.0
            break
        ce, se, cm, sm = elbow_turns(numbers, c4, side * s4, side)
        q4, inside = fitted(numbers, 3, side * t4, near[3])
        parts[slot, row, _Q] = q4
        parts[slot, row, _IN] = 1.0 if inside else 0.0
        parts[slot, row, _FAR] = (q4 - near[3]) ** 2
        parts[slot, row, _IS] = 1.0
        shoulder = (
            cp * ce * cos_psi + sp * se, ce * sin_psi, -cp * sin_psi, cos_psi,
            sp * ce - cp * se * cos_psi, -se * sin_psi, sp * se * cos_psi + cp * ce,
        )  # fmt: skip
        kept = near[0] - numbers[OFFSET]
        if _spherical(parts, slot, row + 1, numbers, 0, shoulder, ca, sa, kept, near[0], near[1], near[2]):
            singular |= SHOULDER_SINGULAR
        wrist = (
            cm * w11 + sm * D[6], w21, cm * w12 + sm * D[7], w22,
            cm * w13 + sm * D[8], w23, cm * D[8] - sm * w13,
        )  # fmt: skip
        kept = near[4] - numbers[OFFSET + 4]
        if _spherical(parts, slot, row + 3, numbers, 4, wrist, 1.0, 0.0, kept, near[4], near[5], near[6]):
            singular |= WRIST_SINGULAR
    return code, n, singular


@leaf
def _part_rows(branch):
    """Elbow, shoulder and wrist rows of a branch's code: bit 0 is the elbow, bit 1 the shoulder, bit 2 the wrist."""
    row = 5 * (branch & 1)
    return row, row + 1 + ((branch >> 1) & 1), row + 3 + (branch >> 2)


@kernel
def write_branches(parts, ordered, q, branches, world, slot):
    """Combine parts to solutions, nearest to q0 first if `ordered`; returns (count, how many are inside the limits)."""
    count, inside = 0, 0
    for branch in range(BRANCHES):
        e, h, g = _part_rows(branch)
        if parts[slot, e, _IS] == 0.0 or parts[slot, h, _IS] == 0.0 or parts[slot, g, _IS] == 0.0:
            continue
        far = parts[slot, e, _FAR] + parts[slot, h, _FAR] + parts[slot, g, _FAR]
        place = count
        if ordered:
            while place > 0 and branches[world, place - 1, 2] > far:
                branches[world, place, 0] = branches[world, place - 1, 0]
                branches[world, place, 2] = branches[world, place - 1, 2]
                place -= 1
        branches[world, place, 0] = float(branch)
        branches[world, place, 2] = far
        count += 1
    for row in range(count):
        e, h, g = _part_rows(int(branches[world, row, 0]))
        for j in range(3):
            q[world, row, j] = parts[slot, h, _Q + j]
            q[world, row, 4 + j] = parts[slot, g, _Q + j]
        q[world, row, 3] = parts[slot, e, _Q]
        good = parts[slot, e, _IN] * parts[slot, h, _IN] * parts[slot, g, _IN]
        branches[world, row, 1] = good
        inside += int(good)
    for row in range(count, BRANCHES):
        for j in range(7):
            q[world, row, j] = math.nan
        branches[world, row, 0] = -1.0
        branches[world, row, 1] = 0.0
        branches[world, row, 2] = math.nan
    return count, inside


@entry
def srs_batch(numbers, ordered, target, psi, q0, q, branches, report, parts, start, stop, stride, slot):
    """Every branch of every world.

    Args: target (12), psi (1), q0 (7); out q (8, 7), branches (8, 3) of code, inside, squared distance; report
    (REPORT).
    """
    bad = 0
    for world in range(start, stop, stride):
        R, p = matrix_at(target, world, 0), vector_at(target, world, 9)
        near = (q0[world, 0], q0[world, 1], q0[world, 2], q0[world, 3], q0[world, 4], q0[world, 5], q0[world, 6])
        if not (is_pose(R, p) and all_finite(q0, world) and 0.0 * psi[world, 0] == 0.0):
            if bad == 0:
                bad = world + 1
            continue
        sin_psi, cos_psi = sincos(psi[world, 0])
        code, n, singular = fill_parts(numbers, R, p, sin_psi, cos_psi, near, parts, slot)
        if code != REACHED:
            for row in range(PARTS):
                parts[slot, row, _IS] = 0.0
        count, inside = write_branches(parts, ordered, q, branches, world, slot)
        report[world, COUNT] = count
        report[world, CODE] = code
        report[world, DISTANCE] = n
        report[world, SINGULAR] = singular
        report[world, INSIDE] = inside
    return bad

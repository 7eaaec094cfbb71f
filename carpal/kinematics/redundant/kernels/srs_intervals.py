"""For which arm angles an SRS arm keeps all joints inside their limits: exact, in closed form, for each branch.

Every joint angle is, as a function of psi, either the direction of a vector (X, Y) or the arc cosine of a number Z,
and X, Y, Z are affine in (cos psi, sin psi) (Prabhu 2018, (5.18) to (5.44); the tangent and cosine types of Shimizu et
al., IEEE T-RO 24(5), 2008). A direction is beyond a limit t on the side where Y cos t - X sin t changes sign; a
cosine passes its limit where Z does. So each limit cuts the circle of arm angles along one arc whose two ends have a
closed form, limits less than half a turn apart ask for both sides, wider ones for either. No sample is taken and no
extremum is searched: an arc that is empty or full shows in the same formula.
"""

import math

from carpal._core.compile import entry, kernel
from carpal.kinematics.redundant.kernels.arcs import (
    FULL,
    below_zero,
    cut_arc,
    cut_common,
    diamond_angle,
    keep_all,
    negated,
)
from carpal.kinematics.redundant.kernels.srs_branches import fitted
from carpal.kinematics.redundant.kernels.srs_pose import (
    OFFSET,
    REACHED,
    TINY,
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

# rows of the limits' table: joints 1, 3, 5, 7 as directions; joints 2, 6 as cosines, for t >= 0 and for t < 0
ROWS = 12
KIND, C_LOW, S_LOW, C_HIGH, S_HIGH = 0, 1, 2, 3, 4  # of a direction: cosine and sine of both limits
C_MAX, C_MIN = 1, 2  # of a cosine: what it may be at most and at least
COLUMNS = 5
FREE, BOTH, EITHER, NEVER = 0, 1, 2, 3  # what the kinds ask for: nothing, both sides, either side, the impossible
PIECES = 26  # ends of at most 13 pieces: six joints with two arcs each, and the cut at pi
CONFLICT = 8.0  # reason: shoulder and wrist each have arm angles, but none in common
TOO_FAR_REASON, TOO_NEAR_REASON, SAME_REASON = 9.0, 10.0, 11.0


@kernel
def _cut_direction(limits, row, X, Y, ca, sa, pieces, slot, plus, minus, n_plus, n_minus):
    """Apply one joint that is the direction of (X, Y) turned by (ca, sa); the other branch is the direction of (-X, -Y).

    X and Y are (cos, sin, constant) coefficients. Returns the new numbers of pieces.
    """
    kind = limits[row, KIND]
    if kind == FREE:
        return n_plus, n_minus
    # the turn goes into the limits: cos and sin of t - a
    c, s = limits[row, C_LOW] * ca + limits[row, S_LOW] * sa, limits[row, S_LOW] * ca - limits[row, C_LOW] * sa
    s1, a1, b1 = below_zero(Y[0] * c - X[0] * s, Y[1] * c - X[1] * s, Y[2] * c - X[2] * s)
    c, s = limits[row, C_HIGH] * ca + limits[row, S_HIGH] * sa, limits[row, S_HIGH] * ca - limits[row, C_HIGH] * sa
    s2, a2, b2 = below_zero(X[0] * s - Y[0] * c, X[1] * s - Y[1] * c, X[2] * s - Y[2] * c)
    m1, p1, r1 = negated(s1, a1, b1)
    m2, p2, r2 = negated(s2, a2, b2)
    if kind == BOTH:
        if n_plus > 0:
            n_plus = cut_arc(pieces, slot, plus, n_plus, s1, a1, b1)
            n_plus = cut_arc(pieces, slot, plus, n_plus, s2, a2, b2)
        if n_minus > 0:
            n_minus = cut_arc(pieces, slot, minus, n_minus, m1, p1, r1)
            n_minus = cut_arc(pieces, slot, minus, n_minus, m2, p2, r2)
    else:
        if n_plus > 0:
            n_plus = cut_common(pieces, slot, plus, n_plus, s1, a1, b1, s2, a2, b2)
        if n_minus > 0:
            n_minus = cut_common(pieces, slot, minus, n_minus, m1, p1, r1, m2, p2, r2)
    return n_plus, n_minus


@kernel
def _cut_cosine(limits, row, Z, pieces, slot, list_row, count):
    """Apply one joint whose cosine is Z (cos, sin, constant coefficients) on one of its two branches."""
    kind = limits[row, KIND]
    if kind == FREE or count == 0:
        return count
    if kind == NEVER:
        return 0
    s1, a1, b1 = below_zero(-Z[0], -Z[1], limits[row, C_MAX] - Z[2])
    s2, a2, b2 = below_zero(Z[0], Z[1], Z[2] - limits[row, C_MIN])
    if kind == BOTH:
        count = cut_arc(pieces, slot, list_row, count, s1, a1, b1)
        return cut_arc(pieces, slot, list_row, count, s2, a2, b2)
    return cut_common(pieces, slot, list_row, count, s1, a1, b1, s2, a2, b2)


@kernel
def _spherical_pieces(limits, row, first, X1, Y1, Z2, X3, Y3, ca, sa, pieces, slot, plus):
    """Arm angles of both solutions of a spherical joint, in rows `plus` and `plus` + 1.

    `row` is where the joint's limits begin: two directions, then two cosines; `first` is its first joint's number.
    Returns both numbers of pieces and, where one is zero, the number of the joint that took the last piece.
    """
    minus = plus + 1
    n_plus, n_minus = keep_all(pieces, slot, plus), keep_all(pieces, slot, minus)
    n_plus = _cut_cosine(limits, row + 2, Z2, pieces, slot, plus, n_plus)
    n_minus = _cut_cosine(limits, row + 3, Z2, pieces, slot, minus, n_minus)
    who_plus = first + 1.0 if n_plus == 0 else 0.0
    who_minus = first + 1.0 if n_minus == 0 else 0.0
    n_plus, n_minus = _cut_direction(limits, row, X1, Y1, ca, sa, pieces, slot, plus, minus, n_plus, n_minus)
    if n_plus == 0 and who_plus == 0.0:
        who_plus = first
    if n_minus == 0 and who_minus == 0.0:
        who_minus = first
    n_plus, n_minus = _cut_direction(limits, row + 1, X3, Y3, 1.0, 0.0, pieces, slot, plus, minus, n_plus, n_minus)
    if n_plus == 0 and who_plus == 0.0:
        who_plus = first + 2.0
    if n_minus == 0 and who_minus == 0.0:
        who_minus = first + 2.0
    return n_plus, n_minus, who_plus, who_minus


@kernel
def _write_common(pieces, slot, a, na, b, nb, ends, world, branch):
    """Arm angles that two lists have in common, as [low, high] in radians; high is beyond pi for a set through pi.

    Returns how many there are; more than fit are counted and not written.
    """
    room = ends.shape[2] // 2
    count, i, k = 0, 0, 0
    through = False  # both lists hold the directions on both sides of pi: the first piece goes on where the last ends
    if na > 0 and nb > 0:
        begins = pieces[slot, a, 0] == -FULL and pieces[slot, b, 0] == -FULL
        through = begins and pieces[slot, a, 2 * na - 1] == FULL and pieces[slot, b, 2 * nb - 1] == FULL
    held, first_high = through, 0.0
    while i < na and k < nb:
        low = max(pieces[slot, a, 2 * i], pieces[slot, b, 2 * k])
        high = min(pieces[slot, a, 2 * i + 1], pieces[slot, b, 2 * k + 1])
        if low < high:
            if held:
                first_high, held = high, False
            else:
                if count < room:
                    ends[world, branch, 2 * count] = diamond_angle(low)
                    ends[world, branch, 2 * count + 1] = diamond_angle(high)
                count += 1
        if pieces[slot, a, 2 * i + 1] < pieces[slot, b, 2 * k + 1]:
            i += 1
        else:
            k += 1
    if through and count == 0:  # one piece, the whole circle
        ends[world, branch, 0], ends[world, branch, 1] = -math.pi, math.pi
        count = 1
    elif through and count <= room:
        ends[world, branch, 2 * count - 1] = diamond_angle(first_high) + 2.0 * math.pi
    for j in range(2 * min(count, room), 2 * room):
        ends[world, branch, j] = math.nan
    return count


@kernel
def _one_world(numbers, limits, R, p, home, ends, report, pieces, world, slot):
    L = wrist_from_shoulder(numbers, R, p)
    n, ca, sa, cp, sp, _ = sight(numbers, L, 1.0, 0.0)
    code, c4, s4, one_elbow = elbow_triangle(numbers, n)
    room = ends.shape[2]
    if code != REACHED:
        for branch in range(8):
            report[world, branch, 0] = 0.0
            report[world, branch, 1] = TOO_FAR_REASON if code == 1 else TOO_NEAR_REASON
            for j in range(room):
                ends[world, branch, j] = math.nan
        return
    D = wrist_attitude(numbers, R, ca, sa, cp, sp)
    t4 = arctan2(s4, c4)
    for i in range(2):
        side = 1.0 - 2.0 * i
        _, inside = fitted(numbers, 3, side * t4, 0.0)
        if not inside or (i == 1 and one_elbow):
            for k in range(4):
                branch = i + 2 * k
                report[world, branch, 0] = 0.0
                report[world, branch, 1] = 4.0 if not inside else SAME_REASON
                for j in range(room):
                    ends[world, branch, j] = math.nan
            continue
        ce, se, cm, sm = elbow_turns(numbers, c4, side * s4, side)
        X1, Y1 = (-cp * se, 0.0, sp * ce), (0.0, -se, 0.0)
        X3, Y3 = (sp * ce, 0.0, -cp * se), (0.0, sp, 0.0)
        straight = abs(se) + sp < TINY
        if straight:  # upper arm, line to the wrist and first axis are one line: the first angle is the home's
            s, c = sincos(home[0] - numbers[OFFSET])
            c, s = c * ca + s * sa, s * ca - c * sa
            X1, Y1 = (0.0, 0.0, c), (0.0, 0.0, s)
            X3, Y3 = (c, cp * s, 0.0), (-cp * ce * s, ce * c, 0.0)
        h_plus, h_minus, who_hp, who_hm = _spherical_pieces(
            limits, 0, 1.0, X1, Y1, (sp * se, 0.0, cp * ce), X3, Y3, ca, sa, pieces, slot, 0
        )
        X1, Y1 = (cm * D[2], cm * D[5], sm * D[8]), (D[5], -D[2], 0.0)
        X3, Y3 = (sm * D[0], sm * D[3], -cm * D[6]), (-sm * D[1], -sm * D[4], cm * D[7])
        if straight:
            h_minus, who_hm = 0, SAME_REASON
        straight = abs(sm) + abs(D[2]) + abs(D[5]) < TINY
        if straight:  # forearm, line and last axis are one line: joint 5 is the home's
            s, c = sincos(home[4] - numbers[OFFSET + 4])
            X1, Y1 = (0.0, 0.0, c), (0.0, 0.0, s)
            # second row of Rz(-t5) Ry(mu) Rz(-psi) D: (sin t7, cos t7)
            Y3 = (c * D[3] - s * cm * D[0], -c * D[0] - s * cm * D[3], 0.0)
            X3 = (c * D[4] - s * cm * D[1], -c * D[1] - s * cm * D[4], 0.0)
        g_plus, g_minus, who_gp, who_gm = _spherical_pieces(
            limits, 6, 5.0, X1, Y1, (-sm * D[2], -sm * D[5], cm * D[8]), X3, Y3, 1.0, 0.0, pieces, slot, 2
        )
        if straight:
            g_minus, who_gm = 0, SAME_REASON
        for k in range(4):
            branch = i + 2 * k
            nh, who_h = (h_minus, who_hm) if k & 1 else (h_plus, who_hp)
            ng, who_g = (g_minus, who_gm) if k & 2 else (g_plus, who_gp)
            count = _write_common(pieces, slot, k & 1, nh, 2 + (k >> 1), ng, ends, world, branch)
            report[world, branch, 0] = count
            reason = 0.0
            if count == 0:
                reason = who_h if nh == 0 else (who_g if ng == 0 else CONFLICT)
            report[world, branch, 1] = reason


@entry
def interval_batch(numbers, limits, home, target, ends, report, pieces, start, stop, stride, slot):
    """Feasible arm angles of every world and branch.

    Args: target (12); out ends (8, 2 n) of low, high; report (8, 2) of how many and, where none, why not.
    """
    bad = 0
    for world in range(start, stop, stride):
        R, p = matrix_at(target, world, 0), vector_at(target, world, 9)
        if is_pose(R, p):
            _one_world(numbers, limits, R, p, home, ends, report, pieces, world, slot)
        elif bad == 0:
            bad = world + 1
    return bad

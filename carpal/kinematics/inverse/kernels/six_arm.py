"""What the closed forms of six joints share: the arm's table, the target, writing a solution, Newton's method on the arm.

An arm is six lines in the world at q = 0, in the order in which it is solved (an arm whose first three axes meet is solved
from its tool: E6^-1 ... E1^-1 = T^-1), and T = X M^-1 is what the product of its six screw motions must be.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.kinematics.inverse.kernels.branches import BRANCH, DISTANCE, INSIDE, SAME, settle, vector, wrapped
from carpal.kinematics.inverse.kernels.subproblems import moved, turned_by
from carpal.spatial.kernels.arctangent import arctan2
from carpal.spatial.kernels.gauss import solve_general
from carpal.spatial.kernels.vec3 import cross, dot, rotate, rotate_back, scale, sub

# layout of the arm's table
LINES = 0  # six times: direction, point
INVERSE = 36  # M^-1: rotation, position
REVERSED, KIND, LOOSE, LENGTH = 48, 49, 50, 51
HOLD = 52  # (3) a vector across axis 6, from which its angle counts
POINT = 55  # the class's own points
WIDTH = 67
EXACT = 3e-10  # [m, rad]: what counts as there
_STEPS = 25
_SLACK, _FARTHEST = 1e-6, 1e150


@leaf
def is_pose(target, world):
    """Whether a row of the target is a rotation within 1e-6 and a place within 1e150 m; what is not, Python explains."""
    a = (target[world, 0], target[world, 1], target[world, 2])
    b = (target[world, 3], target[world, 4], target[world, 5])
    c = (target[world, 6], target[world, 7], target[world, 8])
    x, y, z = target[world, 9], target[world, 10], target[world, 11]
    off = max(abs(dot(a, a) - 1.0), abs(dot(b, b) - 1.0), abs(dot(c, c) - 1.0))
    off = max(off, abs(dot(a, b)), abs(dot(a, c)), abs(dot(b, c)))
    return off <= _SLACK and dot(a, cross(b, c)) > 0.0 and abs(x) + abs(y) + abs(z) < _FARTHEST


@leaf
def axis(geo, k):
    """Direction of line k."""
    return vector(geo, LINES + 6 * k)


@leaf
def foot(geo, k):
    """Point of line k."""
    return vector(geo, LINES + 6 * k + 3)


@leaf
def wanted_motion(geo, target, world):
    """T = X M^-1 as (rotation, position), inverted for an arm that is solved from its tool."""
    X = (
        target[world, 0], target[world, 1], target[world, 2], target[world, 3], target[world, 4], target[world, 5],
        target[world, 6], target[world, 7], target[world, 8],
    )  # fmt: skip
    a = rotate(X, (geo[INVERSE], geo[INVERSE + 3], geo[INVERSE + 6]))
    b = rotate(X, (geo[INVERSE + 1], geo[INVERSE + 4], geo[INVERSE + 7]))
    c = rotate(X, (geo[INVERSE + 2], geo[INVERSE + 5], geo[INVERSE + 8]))
    p = rotate(X, vector(geo, INVERSE + 9))
    p = (p[0] + target[world, 9], p[1] + target[world, 10], p[2] + target[world, 11])
    if geo[REVERSED] == 0.0:
        return (a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]), p
    p = (-dot(a, p), -dot(b, p), -dot(c, p))
    return (a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]), p


@leaf
def held(geo, columns, q0, k, world):
    """The angle that q0 has at line k, in the sense in which the arm is solved."""
    x = q0[world, columns[k]]
    return x if geo[REVERSED] == 0.0 else -x


@kernel
def add_six(geo, columns, q_min, q_max, q0, angles, branch, q_out, marks, count, world):
    """Write a solution of six joints as the next row, unless it is there already; returns how many rows there are."""
    if count >= q_out.shape[1]:
        return count
    sign = 1.0 if geo[REVERSED] == 0.0 else -1.0
    distance, inside = 0.0, 1.0
    if q0.shape[1] > 6:
        for i in range(q0.shape[1]):
            q_out[world, count, i] = q0[world, i]
    for k in range(6):
        i = columns[k]
        x = settle(sign * angles[k], q0[world, i], q_min[i], q_max[i])
        q_out[world, count, i] = x
        distance += (x - q0[world, i]) * (x - q0[world, i])
        if not q_min[i] <= x <= q_max[i]:
            inside = 0.0
    for row in range(count):
        if abs(distance - marks[world, row, DISTANCE]) <= 1e-4 * (1.0 + distance):
            same = True
            for k in range(6):
                i = columns[k]
                if abs(wrapped(q_out[world, row, i] - q_out[world, count, i])) > SAME:
                    same = False
            if same:
                return count
    marks[world, count, INSIDE] = inside
    marks[world, count, BRANCH] = branch
    marks[world, count, DISTANCE] = distance
    return count + 1


@kernel
def finish(geo, R, p, angles, J, e, slot):
    """Newton's method on the arm as it is: (angles, the error that is left, the larger of metres and radians)."""
    a, b, c, d, f, g = angles
    M0 = (0.0, 0.0, 0.0)  # the tool's origin at q = 0: minus R_M p of M^-1
    m = rotate_back(
        (geo[INVERSE], geo[INVERSE + 1], geo[INVERSE + 2], geo[INVERSE + 3], geo[INVERSE + 4], geo[INVERSE + 5],
         geo[INVERSE + 6], geo[INVERSE + 7], geo[INVERSE + 8]),
        vector(geo, INVERSE + 9),
    )  # fmt: skip
    if geo[REVERSED] == 0.0:
        M0 = (-m[0], -m[1], -m[2])
    size, error, best = geo[LENGTH], math.inf, math.inf
    for step in range(_STEPS):
        J[slot, 0, 0] = a
        J[slot, 0, 1], J[slot, 0, 2], J[slot, 0, 3], J[slot, 0, 4], J[slot, 0, 5] = b, c, d, f, g
        x, X1, X2, X3 = M0, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
        for j in range(6):
            k = 5 - j
            u, o, angle = axis(geo, k), foot(geo, k), J[slot, 0, k]
            x = moved(u, o, angle, x)
            X1, X2, X3 = turned_by(u, angle, X1), turned_by(u, angle, X2), turned_by(u, angle, X3)
        w1, w2, w3 = (R[0], R[3], R[6]), (R[1], R[4], R[7]), (R[2], R[5], R[8])
        goal = rotate(R, M0)
        goal = (goal[0] + p[0], goal[1] + p[1], goal[2] + p[2])
        miss = sub(goal, x)
        twist = cross(X1, w1)
        s2, s3 = cross(X2, w2), cross(X3, w3)
        twist = scale(0.5, (twist[0] + s2[0] + s3[0], twist[1] + s2[1] + s3[1], twist[2] + s2[2] + s3[2]))
        cosine = 0.5 * (dot(X1, w1) + dot(X2, w2) + dot(X3, w3) - 1.0)
        sine = math.sqrt(dot(twist, twist))
        angle = arctan2(sine, cosine)
        if cosine < 0.9 and sine > 1e-12:
            twist = scale(angle / sine, twist)
        error = max(abs(miss[0]), abs(miss[1]), abs(miss[2]), angle)
        if error < 2e-15 * max(1.0, size) or step == _STEPS - 1 or (error < 1e-13 and error >= best):
            break
        best = min(best, error)
        e[slot, 0], e[slot, 1], e[slot, 2] = miss[0] / size, miss[1] / size, miss[2] / size
        e[slot, 3], e[slot, 4], e[slot, 5] = twist
        _columns(geo, (a, b, c, d, f, g), x, J, slot)
        if not solve_general(J, e, slot, 6):
            break
        longest = 0.0
        for k in range(6):
            longest = max(longest, abs(e[slot, k]))
        hold = min(1.0, 0.5 / longest) if longest > 0.0 else 1.0
        a, b, c = a + hold * e[slot, 0], b + hold * e[slot, 1], c + hold * e[slot, 2]
        d, f, g = d + hold * e[slot, 3], f + hold * e[slot, 4], g + hold * e[slot, 5]
    return (a, b, c, d, f, g), error


@kernel
def _columns(geo, angles, x, J, slot):
    """The Jacobian at the point x, lengths by the arm's own."""
    size = geo[LENGTH]
    for k in range(6):
        z, o = axis(geo, k), foot(geo, k)
        for j in range(k):
            i = k - 1 - j
            z = turned_by(axis(geo, i), angles[i], z)
            o = moved(axis(geo, i), foot(geo, i), angles[i], o)
        v = cross(z, sub(x, o))
        J[slot, 0, k], J[slot, 1, k], J[slot, 2, k] = v[0] / size, v[1] / size, v[2] / size
        J[slot, 3, k], J[slot, 4, k], J[slot, 5, k] = z

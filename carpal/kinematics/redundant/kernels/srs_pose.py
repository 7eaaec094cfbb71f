"""A tool pose seen by an arm of spherical shoulder, elbow, spherical wrist: what does not depend on the arm angle.

Every such arm, whatever its zero configuration, mount, tool and elbow offset, is brought to one form
(`srs_class.py`): the shoulder is Rz(t1) Ry(t2) Rz(t3), the wrist Rz(t5) Ry(t6) Rz(t7), with t = q - offset, and the
elbow is a plain triangle of two effective links r1, r2 (from the shoulder to the elbow's axis and on to the wrist),
n^2 = r1^2 + r2^2 + 2 r1 r2 cos t4. An elbow offset only turns that triangle against the upper arm by ALPHA and
against the forearm by LAMBDA. (Prabhu 2018, 5.1 to 5.3 with the errata 5.4, 5.9, 5.12 to 5.14 corrected, and E-M1 for
the offset.)

With u the direction from shoulder to wrist, Q = Rz(azimuth) Ry(polar) takes z to u. The reference arm (t3 = 0) has
its upper arm at Q Ry(-eta), eta the angle of v(t4) in the upper arm's frame; an arm angle psi turns it about u:

    R_03 = Q Rz(psi) Ry(-eta),   R_47 = Ry(mu) Rz(-psi) Q^T P,

so R_03 = sin(psi) X + cos(psi) Y + Z as in (5.18) to (5.22), with all coefficients at hand. Shoulder and wrist are
two spherical triangles that share the angle psi.
"""

import math

from carpal._core.compile import leaf
from carpal.spatial.kernels.vec3 import add, product, rotate, rotate_back, sub

# columns of the packed constants, one number each unless said
SHOULDER, R_FRAME, R_LAST, WRIST = 0, 3, 12, 21  # S (3), F0 (9), N (9), wrist in the tool frame (3)
LINK1, LINK2, COS_ALPHA, SIN_ALPHA, COS_LAMBDA, SIN_LAMBDA, HAND, REACH_SLACK = 24, 25, 26, 27, 28, 29, 30, 31
OFFSET, LOW, HIGH, MIDDLE, WIDE = (
    32,
    39,
    46,
    53,
    60,
)  # 7 each: q = t + offset; limits; their middle; 1.0 for a full turn or more
NUMBERS = 67

REACHED, TOO_FAR, TOO_NEAR = 0, 1, 2  # codes
SHOULDER_SINGULAR, WRIST_SINGULAR, ELBOW_SINGULAR, AXIS_SINGULAR = 1, 2, 4, 8  # bits
TINY = 1e-10  # sine or share of the arm's length below which a direction is free; the pose is then met to twice that
# sine of the elbow below which its two branches are one: rounding makes it 1e-7, the wrist moves by 1e-14 of the arm's length
_STRAIGHT = 3e-7


@leaf
def vector_in(numbers, first):
    """Three of the packed numbers."""
    return numbers[first], numbers[first + 1], numbers[first + 2]


@leaf
def matrix_in(numbers, first):
    """Nine of the packed numbers."""
    return (
        numbers[first], numbers[first + 1], numbers[first + 2], numbers[first + 3], numbers[first + 4], numbers[first + 5],
        numbers[first + 6], numbers[first + 7], numbers[first + 8],
    )  # fmt: skip


@leaf
def is_pose(R, p):
    """Whether R is orthonormal within 1e-6 and right-handed, p finite and not too far for squares (`check_target`)."""
    xx = R[0] * R[0] + R[1] * R[1] + R[2] * R[2]
    yy = R[3] * R[3] + R[4] * R[4] + R[5] * R[5]
    zz = R[6] * R[6] + R[7] * R[7] + R[8] * R[8]
    xy = R[0] * R[3] + R[1] * R[4] + R[2] * R[5]
    xz = R[0] * R[6] + R[1] * R[7] + R[2] * R[8]
    yz = R[3] * R[6] + R[4] * R[7] + R[5] * R[8]
    off = max(max(abs(xx - 1.0), abs(yy - 1.0)), max(abs(zz - 1.0), max(abs(xy), max(abs(xz), abs(yz)))))
    handed = (
        R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6])
    )
    far = max(abs(p[0]), max(abs(p[1]), abs(p[2])))
    finite = 0.0 * (xx + yy + zz + xy + xz + yz + p[0] + p[1] + p[2]) == 0.0
    return finite and off <= 1e-6 and handed > 0.0 and far <= 1e150


@leaf
def wrist_from_shoulder(numbers, R, p):
    """Shoulder to wrist in the shoulder's frame [m]."""
    w = add(p, rotate(R, vector_in(numbers, WRIST)))
    return rotate_back(matrix_in(numbers, R_FRAME), sub(w, vector_in(numbers, SHOULDER)))


@leaf
def sight(numbers, L, cos_kept, sin_kept):
    """Length, direction and azimuth of L: (n, cos az, sin az, cos polar, sin polar, whether the azimuth is free).

    Over the first axis the azimuth is the one that is kept.
    """
    tiny = TINY * (numbers[LINK1] + numbers[LINK2])
    flat = L[0] * L[0] + L[1] * L[1]
    n = math.sqrt(flat + L[2] * L[2])
    rho = math.sqrt(flat)
    if rho <= tiny:
        return n, cos_kept, sin_kept, (-1.0 if L[2] < -tiny else 1.0), 0.0, True
    return n, L[0] / rho, L[1] / rho, L[2] / n, rho / n, False


@leaf
def wrist_attitude(numbers, R, ca, sa, cp, sp):
    """Q^T P: the tool's attitude, with all constants taken off, seen along the line from shoulder to wrist."""
    P = product(R, matrix_in(numbers, R_LAST))
    F = matrix_in(numbers, R_FRAME)
    a = rotate_back(F, (P[0], P[3], P[6]))
    b = rotate_back(F, (P[1], P[4], P[7]))
    c = rotate_back(F, (P[2], P[5], P[8]))
    a0, b0, c0 = ca * a[0] + sa * a[1], ca * b[0] + sa * b[1], ca * c[0] + sa * c[1]
    return (
        cp * a0 - sp * a[2], cp * b0 - sp * b[2], cp * c0 - sp * c[2],
        ca * a[1] - sa * a[0], ca * b[1] - sa * b[0], ca * c[1] - sa * c[0],
        sp * a0 + cp * a[2], sp * b0 + cp * b[2], sp * c0 + cp * c[2],
    )  # fmt: skip


@leaf
def elbow_triangle(numbers, n):
    """(code, cos t4, |sin t4|, whether both elbow branches are one) for a distance n from shoulder to wrist."""
    r1, r2 = numbers[LINK1], numbers[LINK2]
    longest, shortest, slack = r1 + r2, abs(r1 - r2), numbers[REACH_SLACK]
    if n > longest + slack:
        return TOO_FAR, 1.0, 0.0, True
    if n < shortest - slack:
        return TOO_NEAR, -1.0, 0.0, True
    c = (n * n - r1 * r1 - r2 * r2) / (2.0 * r1 * r2)
    area = (n - shortest) * (n + shortest) * (longest - n) * (longest + n)
    s = math.sqrt(max(area, 0.0)) / (2.0 * r1 * r2)
    if s < _STRAIGHT and (c > 0.0 or shortest > 1e-6 * longest):
        return REACHED, (1.0 if c > 0.0 else -1.0), 0.0, True
    inverse = 1.0 / math.sqrt(c * c + s * s)
    return REACHED, c * inverse, s * inverse, False


@leaf
def elbow_turns(numbers, c4, s4, side):
    """(cos eta, sin eta, cos mu, sin mu) for a signed sine s4: how both links lie against the line to the wrist.

    With equal links folded flat the line has no direction: the limit from the side's own bent elbow is taken.
    """
    hand, r1, r2 = numbers[HAND], numbers[LINK1], numbers[LINK2]
    x, y = r1 + r2 * c4, hand * r2 * s4
    length = math.sqrt(x * x + y * y)
    cg, sg = 0.0, hand * side
    if length > TINY * (r1 + r2):
        cg, sg = x / length, y / length
    ca, sa, cl, sl = numbers[COS_ALPHA], numbers[SIN_ALPHA], numbers[COS_LAMBDA], numbers[SIN_LAMBDA]
    ce, se = ca * cg - sa * sg, sa * cg + ca * sg
    cb, sb = cg * c4 + sg * hand * s4, sg * c4 - cg * hand * s4  # gamma - hand t4
    return ce, se, cl * cb - sl * sb, sl * cb + cl * sb

"""Six lines, E1 ... E6 = T, as six equations in angles 4 and 5, linear in (1, cos 3, sin 3) (Raghavan and Roth 1993).

E3 E4 E5 = E2^-1 E1^-1 T E6^-1 applied to axis 6, which E6 leaves in place: its direction l and its point p. The 14 numbers
l, p, p.p, p.l, p x l and (p.p) l - 2 (p.l) p hold products of sines and cosines of different angles only, on both sides.
Eight orthogonal reflections eliminate the eight monomials of angles 1 and 2; six equations in the nine monomials of angles
4 and 5 are left. With x = tan(angle / 2) and each equation multiplied by x4 as well, they are twelve in twelve monomials;
their determinant is a trigonometric polynomial of degree 8 in angle 3, whose 16 roots are those of all solutions.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.kinematics.inverse.kernels.branches import turned
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate, scale, sub

_SHARPEN, _NUDGE = 40, 1e-6
ROWS, RIGHT, LEFT = (
    14,
    9,
    27,
)  # equations; monomials of angles (1, 2) and of angles (3, 4, 5), the later running fastest


@leaf
def _line(lines, slot, k):
    return (
        (lines[slot, k, 0], lines[slot, k, 1], lines[slot, k, 2]),
        (lines[slot, k, 3], lines[slot, k, 4], lines[slot, k, 5]),
    )


@leaf
def _quarter(u, i, v):
    """The vector v turned by i quarter turns, i = 0, 1, 2."""
    if i == 0:
        return v
    return turned(u, 1.0, 0.0, v) if i == 1 else turned(u, 0.0, -1.0, v)


@leaf
def _about(u, c, i, p):
    return add(c, _quarter(u, i, sub(p, c)))


@leaf
def _back(u, i, v):
    """The vector v turned back by i quarter turns."""
    if i == 0:
        return v
    return turned(u, -1.0, 0.0, v) if i == 1 else turned(u, 0.0, -1.0, v)


@kernel
def _fourteen(table, slot, column, l, p):
    """The 14 numbers of a line into a column."""
    pp, pl = dot(p, p), dot(p, l)
    n = cross(p, l)
    m = sub(scale(pp, l), scale(2.0 * pl, p))
    for k in range(3):
        table[slot, k, column], table[slot, 3 + k, column] = l[k], p[k]
        table[slot, 8 + k, column], table[slot, 11 + k, column] = n[k], m[k]
    table[slot, 6, column], table[slot, 7, column] = pp, pl


@kernel
def _coefficients(table, slot, first, count, stride):
    """Values at 0, 1 and 2 quarter turns become coefficients of 1, cos and sin, along one index of the monomials."""
    for row in range(ROWS):
        for j in range(count // 3):
            at = first + (j // stride) * 3 * stride + j % stride
            a, b, c = table[slot, row, at], table[slot, row, at + stride], table[slot, row, at + 2 * stride]
            even = 0.5 * (a + c)
            table[slot, row, at], table[slot, row, at + stride], table[slot, row, at + 2 * stride] = (
                even,
                a - even,
                b - even,
            )


@kernel
def eliminate(lines, R, p, length, table, slot):
    """Fill table[slot] (14, 9 + 27) and eliminate angles 1 and 2: rows 8 to 13, columns 9 on, are the six equations.

    Rows 0 to 7, columns 1 to 8 are the triangle that gives the monomials of angles 1 and 2 from the others. Column 0 is spent.
    """
    (u1, c1), (u2, c2), (u3, c3) = _line(lines, slot, 0), _line(lines, slot, 1), _line(lines, slot, 2)
    (u4, c4), (u5, c5), (u6, c6) = _line(lines, slot, 3), _line(lines, slot, 4), _line(lines, slot, 5)
    l, end = rotate(R, u6), add(rotate(R, c6), p)
    for i in range(3):
        l1, p1 = _back(u1, i, l), add(c1, _back(u1, i, sub(end, c1)))
        for j in range(3):
            _fourteen(table, slot, 3 * i + j, _back(u2, j, l1), scale(1.0 / length, _back(u2, j, sub(p1, c2))))
    for k in range(3):
        l5, p5 = _quarter(u5, k, u6), _about(u5, c5, k, c6)
        for j in range(3):
            l4, p4 = _quarter(u4, j, l5), _about(u4, c4, j, p5)
            for i in range(3):
                l3, p3 = _quarter(u3, i, l4), _about(u3, c3, i, p4)
                _fourteen(table, slot, RIGHT + 9 * i + 3 * j + k, l3, scale(1.0 / length, sub(p3, c2)))
    for stride in (1, 3):
        _coefficients(table, slot, 0, RIGHT, stride)
    for stride in (1, 3, 9):
        _coefficients(table, slot, RIGHT, LEFT, stride)
    for row in range(ROWS):
        table[slot, row, RIGHT] -= table[slot, row, 0]
    _reflect(table, slot)


@kernel
def _reflect(table, slot):
    """Householder's reflections: columns 1 to 8 become a triangle."""
    width = RIGHT + LEFT
    for k in range(8):
        column, square = k + 1, 0.0
        for i in range(k, ROWS):
            square += table[slot, i, column] * table[slot, i, column]
        norm = math.sqrt(square)
        if norm == 0.0:
            continue
        head = table[slot, k, column]
        alpha = -norm if head >= 0.0 else norm
        table[slot, k, column] = head - alpha
        weight = 1.0 / (square - alpha * head)  # 2 / v.v
        for j in range(column + 1, width):
            s = 0.0
            for i in range(k, ROWS):
                s += table[slot, i, column] * table[slot, i, j]
            s *= weight
            for i in range(k, ROWS):
                table[slot, i, j] -= s * table[slot, i, column]
        table[slot, k, column] = alpha


@kernel
def equations_at(table, S, slot, c, s):
    """The six equations (6, 9) in the monomials of angles 4 and 5 at an angle 3 with cosine c and sine s."""
    for e in range(6):
        for m in range(9):
            at = RIGHT + m
            S[slot, e, m] = table[slot, 8 + e, at] + c * table[slot, 8 + e, at + 9] + s * table[slot, 8 + e, at + 18]


@kernel
def in_powers(table, powers, slot):
    """The six equations in powers of the half-angle tangents: powers[slot, (1, cos 3, sin 3), equation, 3 i + j] of x4^i x5^j.

    (1, cos, sin)(1 + x^2) = (1 + x^2, 1 - x^2, 2 x).
    """
    for part in range(3):
        for e in range(6):
            row, at = 8 + e, RIGHT + 9 * part
            for j in range(3):
                a = _power(table[slot, row, at], table[slot, row, at + 1], table[slot, row, at + 2], j)
                b = _power(table[slot, row, at + 3], table[slot, row, at + 4], table[slot, row, at + 5], j)
                c = _power(table[slot, row, at + 6], table[slot, row, at + 7], table[slot, row, at + 8], j)
                for i in range(3):
                    powers[slot, part, e, 3 * i + j] = _power(a, b, c, i)


@leaf
def _power(one, cosine, sine, i):
    if i == 1:
        return 2.0 * sine
    return one + cosine if i == 0 else one - cosine


@kernel
def determinant(powers, A, slot, c, s):
    """Of the twelve equations at an angle 3 (cosine c, sine s, complex), and least by largest pivot; A (12, 24) is spent."""
    for e in range(6):
        for j in range(12):
            A[slot, e, 2 * j], A[slot, e, 2 * j + 1] = 0.0, 0.0
            A[slot, 6 + e, 2 * j], A[slot, 6 + e, 2 * j + 1] = 0.0, 0.0
        for m in range(9):
            v = powers[slot, 0, e, m] + c * powers[slot, 1, e, m] + s * powers[slot, 2, e, m]
            A[slot, e, 2 * m], A[slot, e, 2 * m + 1] = v.real, v.imag
            A[slot, 6 + e, 2 * m + 6], A[slot, 6 + e, 2 * m + 7] = v.real, v.imag
    value, most, least = complex(1.0, 0.0), 0.0, math.inf
    for j in range(12):
        pivot, largest = j, -1.0
        for i in range(j, 12):
            size = A[slot, i, 2 * j] * A[slot, i, 2 * j] + A[slot, i, 2 * j + 1] * A[slot, i, 2 * j + 1]
            if size > largest:
                pivot, largest = i, size
        if largest == 0.0:
            return complex(0.0, 0.0), 0.0
        if pivot != j:
            value = -value
            for k in range(2 * j, 24):
                A[slot, j, k], A[slot, pivot, k] = A[slot, pivot, k], A[slot, j, k]
        head = complex(A[slot, j, 2 * j], A[slot, j, 2 * j + 1])
        value *= head
        most, least = max(most, largest), min(least, largest)
        inverse = 1.0 / head
        for i in range(j + 1, 12):
            f = complex(A[slot, i, 2 * j], A[slot, i, 2 * j + 1]) * inverse
            if f != 0.0:
                re, im = f.real, f.imag
                for k in range(j + 1, 12):
                    x, y = A[slot, j, 2 * k], A[slot, j, 2 * k + 1]
                    A[slot, i, 2 * k] -= re * x - im * y
                    A[slot, i, 2 * k + 1] -= re * y + im * x
    return value, math.sqrt(least / most)


@kernel
def sharpen(powers, spectrum, roots, doubtful, A, slot, count, degree):
    """Move roots that the polynomial's coefficients give badly onto the determinant itself (Aberth's iteration).

    A root is doubtful where rounding of the coefficients moves it by more than 1e-9.
    """
    total = 0.0
    for k in range(-degree, degree + 1):
        total += math.hypot(spectrum[slot, abs(k), 0], spectrum[slot, abs(k), 1])
    left = 0
    for j in range(count):
        z = complex(roots[slot, j, 0], roots[slot, j, 1])
        slope, away = complex(0.0, 0.0), max(abs(z), 1.0 / abs(z))
        for k in range(degree, -degree - 1, -1):  # z p'(z) z^degree
            sign = 1.0 if k >= 0 else -1.0
            slope = slope * z + k * complex(spectrum[slot, abs(k), 0], sign * spectrum[slot, abs(k), 1])
        doubtful[slot, j] = 1.0 if away < 2.0 and 1e-15 * total > 1e-9 * abs(slope) else 0.0
        left += int(doubtful[slot, j])
    for _ in range(_SHARPEN):
        if left == 0:
            break
        left = 0
        for j in range(count):
            if doubtful[slot, j] == 0.0:
                continue
            z = complex(roots[slot, j, 0], roots[slot, j, 1])
            c, s = 0.5 * (z + 1.0 / z), complex(0.0, -0.5) * (z - 1.0 / z)
            value, _ = determinant(powers, A, slot, c, s)
            if value == 0.0:
                continue
            y = z * (1.0 + _NUDGE)
            c, s = 0.5 * (y + 1.0 / y), complex(0.0, -0.5) * (y - 1.0 / y)
            beside, _ = determinant(powers, A, slot, c, s)
            pull = (beside / value - 1.0) / (_NUDGE * z) + degree / z
            for i in range(count):
                if i != j:
                    gap = z - complex(roots[slot, i, 0], roots[slot, i, 1])
                    pull -= 1.0 / gap if gap != 0.0 else complex(0.0, 0.0)
            if pull == 0.0:
                continue
            step = 1.0 / pull
            if abs(step) > 0.3 * abs(z):
                step *= 0.3 * abs(z) / abs(step)
            z -= step
            roots[slot, j, 0], roots[slot, j, 1] = z.real, z.imag
            if abs(step) > 1e-10 * abs(z):
                left += 1
            else:
                doubtful[slot, j] = 0.0


@kernel
def first_angles(table, slot, c3, s3, c4, s4, c5, s5, x):
    """(angle 1, angle 2) as (cos 1, sin 1, cos 2, sin 2), not normalised, from the triangle; x is scratch of 8."""
    for k in range(7, -1, -1):
        value = 0.0
        for m in range(9):
            i, j = m // 3, m % 3
            f = (1.0 if i == 0 else (c4 if i == 1 else s4)) * (1.0 if j == 0 else (c5 if j == 1 else s5))
            at = RIGHT + m
            value += f * (table[slot, k, at] + c3 * table[slot, k, at + 9] + s3 * table[slot, k, at + 18])
        for j in range(k + 1, 8):
            value -= table[slot, k, j + 1] * x[slot, j]
        x[slot, k] = value / table[slot, k, k + 1]
    return x[slot, 2], x[slot, 5], x[slot, 0], x[slot, 1]


@kernel
def triangle_ratio(table, slot):
    """Least by largest diagonal element of the triangle: how well angles 1 and 2 were eliminated."""
    most, least = 0.0, math.inf
    for k in range(8):
        d = abs(table[slot, k, k + 1])
        most, least = max(most, d), min(least, d)
    return least / most

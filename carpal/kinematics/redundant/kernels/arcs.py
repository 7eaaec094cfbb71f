"""Sets of directions on a circle, as sorted pieces of a line, without trigonometry.

A direction is kept as its place d on the diamond |x| + |y| = 1, from -2 (left, from below) over 0 (right) to 2 (left,
from above): monotone in the angle, well conditioned everywhere, one division instead of an arc tangent. Pieces [d0,
d1] of a slot's row are sorted and do not touch; a piece that goes through the left end is cut there. What loops over
pieces is no leaf: inlined at its 48 places it took two minutes to compile.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.spatial.kernels.arctangent import arctan2

FULL = 2.0  # half the length of the line
NONE, SOME, ALL = 0, 1, 2


@leaf
def diamond(x, y):
    """Place of the direction (x, y), which need not have length one."""
    share = y / (abs(x) + abs(y))
    if x >= 0.0:
        return share
    return 2.0 - share if y >= 0.0 else -2.0 - share


@leaf
def diamond_angle(d):
    """The angle [rad] of a place on the line, -pi to pi."""
    if d >= FULL:
        return math.pi
    if d <= -FULL:
        return -math.pi
    x, y = 1.0 - abs(d), d
    if abs(d) > 1.0:
        y = 2.0 - d if d > 0.0 else -2.0 - d
    return arctan2(y, x)


@leaf
def below_zero(fc, fs, f0):
    """Where fc cos(psi) + fs sin(psi) + f0 < 0: (NONE, SOME or ALL, from, to), counter-clockwise.

    Where it is zero all along, nothing is below.
    """
    hh = fc * fc + fs * fs
    if f0 * f0 >= hh:
        return (ALL if f0 < 0.0 else NONE), 0.0, 0.0
    root = math.sqrt(hh - f0 * f0)
    a = diamond(-fc * f0 - fs * root, -fs * f0 + fc * root)
    b = diamond(-fc * f0 + fs * root, -fs * f0 - fc * root)
    return SOME, a, b


@leaf
def keep_all(pieces, slot, row):
    """The whole circle; returns the number of pieces."""
    pieces[slot, row, 0] = -FULL
    pieces[slot, row, 1] = FULL
    return 1


@kernel
def cut(pieces, slot, row, count, a, b):
    """Take the open piece (a, b) of the line away; returns the new number of pieces, none of length zero."""
    if not a < b:
        return count
    i = 0
    while i < count:
        low, high = pieces[slot, row, 2 * i], pieces[slot, row, 2 * i + 1]
        if b <= low:
            break
        if a >= high:
            i += 1
            continue
        left, right = a > low, b < high
        if left and right:
            for k in range(2 * count - 1, 2 * i, -1):
                pieces[slot, row, k + 2] = pieces[slot, row, k]
            pieces[slot, row, 2 * i + 1] = a
            pieces[slot, row, 2 * i + 2] = b
            return count + 1
        if left:
            pieces[slot, row, 2 * i + 1] = a
            i += 1
        elif right:
            pieces[slot, row, 2 * i] = b
            break
        else:
            for k in range(2 * i + 2, 2 * count):
                pieces[slot, row, k - 2] = pieces[slot, row, k]
            count -= 1
    return count


@kernel
def cut_arc(pieces, slot, row, count, state, a, b):
    """Take an arc from a counter-clockwise to b away; returns the new number of pieces."""
    if state == NONE:
        return count
    if state == ALL:
        return 0
    if a < b:
        return cut(pieces, slot, row, count, a, b)
    count = cut(pieces, slot, row, count, a, FULL)
    return cut(pieces, slot, row, count, -FULL, b)


@kernel
def cut_common(pieces, slot, row, count, state1, a1, b1, state2, a2, b2):
    """Take away what two arcs have in common; returns the new number of pieces."""
    if state1 == NONE or state2 == NONE:
        return count
    if state1 == ALL:
        return cut_arc(pieces, slot, row, count, state2, a2, b2)
    if state2 == ALL:
        return cut_arc(pieces, slot, row, count, state1, a1, b1)
    # each arc is one piece of the line, or two when it goes through the left end
    for i in range(2):
        if i == 1 and a1 < b1:
            break
        low1 = a1 if i == 0 else -FULL
        high1 = b1 if a1 < b1 or i == 1 else FULL
        for k in range(2):
            if k == 1 and a2 < b2:
                break
            low2 = a2 if k == 0 else -FULL
            high2 = b2 if a2 < b2 or k == 1 else FULL
            count = cut(pieces, slot, row, count, max(low1, low2), min(high1, high2))
    return count


@leaf
def negated(state, a, b):
    """The other side of an arc."""
    if state == SOME:
        return SOME, b, a
    return (ALL if state == NONE else NONE), a, b

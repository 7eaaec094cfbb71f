"""Contacts in the middle of the step: arms and normals half a step ahead, so that impulses work along the way that is gone.

With the rows J of the start an impulse r works J v too early: where contact points turn with their bodies, energy goes wrong
by dt r . (dJ/dt) v / 2 in each step, which is first order. Moreau (1988) takes the contacts of the midpoint; here arms and
normals go on as they changed over the last part, which includes the curvature of both surfaces. Only between single free bodies
and the world: bodies that touch a robot move with their new velocity.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.contact_table import (
    AXIS,
    LEAD,
    NORMAL,
    POINT,
    PRESSED,
    RATE,
    ROW_A,
    ROW_B,
    START,
    STARTED,
    TREE_A,
    TREE_B,
    TREE_SINGLE,
)
from carpal.kinematics.kernels.placement import P_WB
from carpal.spatial.kernels.scratch import get_vector, put_vector
from carpal.spatial.kernels.vec3 import add, dot, scale, sub


@leaf
def leads(trees, con, slot, c):
    """Whether both sides of a contact are single free bodies or the world."""
    for side in range(2):
        tree = int(con[slot, c, TREE_B if side else TREE_A])
        if tree >= 0 and trees[tree, TREE_SINGLE] == 0:
            return False
    return int(con[slot, c, ROW_A]) >= 0


@kernel
def lead_contacts(trees, con, dt, slot, count):
    """Set normal and arms of every contact for the middle of a step of length `dt`.

    Contacts that did not press in the last part stay at its start: their points moved with the gap that closed.
    """
    half = 0.5 * dt
    for c in range(count):
        if con[slot, c, STARTED] == 0.0:
            continue
        n = get_vector(con, slot, c, NORMAL)
        ahead = con[slot, c, STARTED] > 1.0 and con[slot, c, PRESSED] > 0.0
        for k in range(6):
            con[slot, c, LEAD + k] = half * con[slot, c, RATE + k] if ahead else 0.0
        if ahead:
            n = add(n, scale(half, get_vector(con, slot, c, RATE + 6)))
            n = scale(1.0 / math.sqrt(dot(n, n)), n)
        put_vector(con, slot, c, AXIS, n)


@kernel
def start_contacts(trees, placed, con, dt, slot, count):
    """After a part of length `dt`: how arms and normals have changed, and where the next part starts."""
    for c in range(count):
        row_a, row_b = int(con[slot, c, ROW_A]), int(con[slot, c, ROW_B])
        if not leads(trees, con, slot, c):
            continue
        p = get_vector(con, slot, c, POINT)
        a, b = sub(p, get_vector(placed, slot, row_a, P_WB)), sub(p, get_vector(placed, slot, row_b, P_WB))
        now, known = (*a, *b, *get_vector(con, slot, c, NORMAL)), con[slot, c, STARTED] > 0.0
        for k in range(9):
            con[slot, c, RATE + k] = (now[k] - con[slot, c, START + k]) / dt if known else 0.0
            con[slot, c, START + k] = now[k]
        con[slot, c, STARTED] = 2.0 if known else 1.0


@leaf
def forget_rates(con, slot, c):
    """A collision has changed the velocities: rates of the time before do not go on."""
    con[slot, c, STARTED] = min(con[slot, c, STARTED], 1.0)

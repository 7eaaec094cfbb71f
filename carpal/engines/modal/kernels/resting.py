"""A world at rest keeps its geometry: contacts, their rows, the factors of the mass matrix and W serve the next step as well.

They depend on q alone (and on the length of the step). Where no freedom moves by more than STILL in a step, nor by ten times
that since the last search for contacts, they would come out the same up to rounding. The contact law is solved and certified in
every step all the same: forces, targets and velocities may have changed.
"""

from carpal._core.compile import leaf
from carpal.engines.modal.kernels.contact_table import DOF_FRICTION, IMPULSE, MATCH, PRESSED

STILL = 1e-14
"""[m, rad] a freedom that moves less in a step is at rest."""
# length of the step that rows, factors and W hold for (0: none) [s]; how far any freedom went since the last search [m, rad]
REST_STEP, REST_WAY = 0, 1
REST_ROOM = 2
UNKNOWN = 1.0


@leaf
def forget_rest(rest, slot, way):
    """Nothing is kept; way: 0.0 after a search that left all gaps closed, else UNKNOWN."""
    rest[slot, REST_STEP], rest[slot, REST_WAY] = 0.0, way


@leaf
def still_at_rest(dofs, v, move, rest, dt, slot):
    """Whether the step that ends with v has moved nothing to speak of; if so, what it was made of is kept for the next.

    move (slots, nv): the velocity with which q went, which for free bodies is the mean of the old and the new one.
    """
    way = 0.0
    for dof in range(v.shape[1]):
        ends, went = dt * abs(v[slot, dof]), dt * abs(move[slot, dof])
        if not (ends <= STILL and went <= STILL):  # each by itself: a maximum may lose what is no number
            return False
        if dofs[dof, DOF_FRICTION] > 0.0:  # the factors change with the speed
            return False
        way = max(way, max(ends, went))
    if not rest[slot, REST_WAY] + way <= 10.0 * STILL:
        return False
    rest[slot, REST_STEP], rest[slot, REST_WAY] = dt, rest[slot, REST_WAY] + way
    return True


@leaf
def go_on(con, slot, count):
    """Every contact goes on from itself, as `matching.hand_over` has it where contacts were searched for."""
    for c in range(count):
        con[slot, c, MATCH] = c
        con[slot, c, PRESSED] = 1.0 if con[slot, c, IMPULSE + 2] > 0.0 else 0.0

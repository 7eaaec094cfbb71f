"""A world at rest reuses its geometry: contacts, their rows, the factors of the mass matrix and W.

They depend on `q` alone (and on the length of the step). If no freedom moves by more than STILL in a step, nor by ten times
that since the last search for contacts, computing them again would change only rounding. The contact law is solved and certified
in every step: forces, targets and velocities may have changed.
"""

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.constraint_table import T_FRICTION
from carpal.engines.modal.kernels.contact_table import DOF_FRICTION, IMPULSE, MATCH, PRESSED
from carpal.engines.modal.kernels.projection import CLOSABLE, FINE, gaps_to_close

STILL = 1e-14
"""[m, rad] a freedom that moves less in a step is at rest."""
# length of the step that rows, factors and W hold for (0: none) [s]; travel of the freedoms since the last search [m, rad]
REST_STEP, REST_TRAVEL = 0, 1
REST_ROOM = 2
UNKNOWN = 1.0


@leaf
def reset_rest(rest, slot, travel):
    """Nothing can be reused; travel: 0.0 after a search that left all gaps closed, else UNKNOWN."""
    rest[slot, REST_STEP], rest[slot, REST_TRAVEL] = 0.0, travel


@leaf
def still_at_rest(dofs, v, move, rest, dt, slot):
    """Whether the step that ends with `v` moved no freedom by more than STILL; if so, it is recorded in `rest`.

    move (slots, nv): the velocity that `q` was integrated with; for free bodies the mean of old and new.
    """
    travel = 0.0
    for dof in range(v.shape[1]):
        ends, went = dt * abs(v[slot, dof]), dt * abs(move[slot, dof])
        if not (ends <= STILL and went <= STILL):  # one by one: a maximum may lose NaN
            return False
        if dofs[dof, DOF_FRICTION] > 0.0:  # the factors change with the speed
            return False
        travel = max(travel, max(ends, went))
    if not rest[slot, REST_TRAVEL] + travel <= 10.0 * STILL:
        return False
    rest[slot, REST_STEP], rest[slot, REST_TRAVEL] = dt, rest[slot, REST_TRAVEL] + travel
    return True


@leaf
def keep_contacts(con, slot, count):
    """Each contact continues itself, as `matching.transfer_contacts` does after a search."""
    for c in range(count):
        con[slot, c, MATCH] = c
        con[slot, c, PRESSED] = 1.0 if con[slot, c, IMPULSE + 2] > 0.0 else 0.0


@kernel
def stays_at_rest(plant, work, dt, slot, count):
    """Stage: whether the world is at rest with all gaps closed, so that contacts and W serve the next step."""
    con, vectors = work.tables.con, work.vectors
    for k in range(plant.ties.tendons.shape[0]):
        if plant.ties.tendons[k, T_FRICTION] > 0.0:  # the factors change with the speed
            return False
    if not still_at_rest(plant.dofs, vectors.v, vectors.step, vectors.rest, dt, slot):
        return False
    keep_contacts(con, slot, count)
    return gaps_to_close(con, con, CLOSABLE, slot, count) <= FINE

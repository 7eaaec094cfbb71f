"""The set of a payload's angles in a few numbers, as the nodes of a tree keep it: what moves, and intervals of rest."""

from carpal._core.compile import kernel
from carpal.planning.payload.kernels.angle_set import (
    CELLS,
    FROM,
    HALF,
    MOTION,
    MOTIONS,
    REST,
    STATE,
    TO,
    cell_angle,
    clear_set,
    rest_between,
)

RUNS = 8  # intervals that are kept; where there are more, the gaps behind the eighth are closed
WIDTH = MOTIONS + 1 + 2 * RUNS  # share of the circle that the set covers
STORED = WIDTH + 1


@kernel
def store_set(angles, sets, node, slot):
    """sets[slot, node]: the present set."""
    for k in range(MOTIONS):
        sets[slot, node, k] = angles[slot, MOTION, k]
    covered = 0.0
    for r in range(CELLS):
        covered += 1.0 if angles[slot, STATE, r] > 0.0 else 0.0
    sets[slot, node, WIDTH] = covered / CELLS
    first = 0  # begin behind a gap, so that no interval is cut at +-pi
    while first < CELLS and angles[slot, REST, (first + CELLS - 1) % CELLS] > 0.0:
        first += 1
    count, inside, turn = 0, False, 0.0
    for k in range(CELLS):
        r = first + k
        if r >= CELLS:
            r, turn = r - CELLS, 6.283185307179586
        if angles[slot, REST, r] > 0.0:
            if not inside and count < RUNS:
                sets[slot, node, MOTIONS + 1 + 2 * count] = cell_angle(r) + turn + angles[slot, FROM, r]
                count += 1
            sets[slot, node, MOTIONS + 2 * count] = cell_angle(r) + turn + angles[slot, TO, r]
            inside = True
        else:
            inside = False
    if first == CELLS:  # no gap at all
        sets[slot, node, MOTIONS + 1], sets[slot, node, MOTIONS + 2] = (
            cell_angle(0) - HALF,
            cell_angle(CELLS - 1) + HALF,
        )
    sets[slot, node, MOTIONS] = count


@kernel
def load_set(angles, sets, node, slot):
    """The set of a node becomes the present one."""
    clear_set(angles, slot)
    for k in range(int(sets[slot, node, MOTIONS])):
        rest_between(angles, sets[slot, node, MOTIONS + 1 + 2 * k], sets[slot, node, MOTIONS + 2 + 2 * k], slot)
    for k in range(MOTIONS):
        angles[slot, MOTION, k] = sets[slot, node, k]

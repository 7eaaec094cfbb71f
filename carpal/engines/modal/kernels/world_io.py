"""Load a world into a slot, check it after each step, store it; shared by both schemes."""

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.constraint_rows import RESIDUAL, constraint_rows, largest_residual
from carpal.engines.modal.kernels.contact_table import DOF_FASTEST, KEPT_PAIR, SET_STEP
from carpal.engines.modal.kernels.detection import find_contacts
from carpal.engines.modal.kernels.leading import start_contacts
from carpal.engines.modal.kernels.ledger import (
    DONE,
    ENDED,
    LEDGER_COLUMNS,
    NOT_FINITE,
    OPEN_AT_START,
    OVERLAPPING,
    START_OVERLAP,
    START_PAIR,
    T_PAIR,
    record_start_overlap,
)
from carpal.engines.modal.kernels.matching import load_memory, store_memory
from carpal.engines.modal.kernels.resting import UNKNOWN, reset_rest
from carpal.kinematics.kernels.state import all_finite

NEW_STATE = -2.0
"""In place of a pair in the memory's first row: a new state, in which nothing may overlap."""
MOST_OVERLAP = 1e-6
"""[m] largest overlap of a new state; the first step removes it."""
MOST_OPEN = 1e-6
"""[m, rad] largest residual of couplings and loops in a new state; the first step removes it."""


@leaf
def refused(inputs, world):
    """Whether a world's inputs are not all finite."""
    return not (
        all_finite(inputs.q, world)
        and all_finite(inputs.v, world)
        and all_finite(inputs.u, world)
        and all_finite(inputs.target, world)
    )


@kernel
def _open_at_start(plant, work, ledger, world, slot):
    """Whether a coupling or loop of a new state is open; if so, its row and residual stand in place of pair and overlap."""
    numbers = work.held.numbers
    constraint_rows(
        plant.joints, plant.bodies, plant.order, plant.ties.constraints, work.vectors.q, work.tables.search.placed,
        work.held.G, numbers, slot,
    )  # fmt: skip
    if largest_residual(numbers, slot) <= MOST_OPEN:
        return False
    ledger[world, START_OVERLAP] = 0.0
    for row in range(numbers.shape[2]):
        if not abs(numbers[slot, RESIDUAL, row]) <= ledger[world, START_OVERLAP]:
            ledger[world, START_OVERLAP], ledger[world, START_PAIR] = abs(numbers[slot, RESIDUAL, row]), row
    return True


@kernel
def load_world(plant, work, inputs, outputs, world, slot):
    """Copy a world into its slot, find its contacts and load their memory; returns their number, or minus a status."""
    tables, vectors, dt = work.tables, work.vectors, plant.settings[SET_STEP]
    q, v, target, memory, ledger = inputs.q, inputs.v, inputs.target, inputs.memory, outputs.ledger
    for i in range(q.shape[1]):
        vectors.q[slot, i] = q[world, i]
    for i in range(v.shape[1]):
        vectors.v[slot, i], vectors.bias[slot, i], vectors.weight[slot, i] = v[world, i], 0.0, 0.0
    for i in range(target.shape[1]):
        work.target[slot, i] = target[world, i]
    for i in range(LEDGER_COLUMNS):
        ledger[world, i] = 0.0
    outputs.touch[world, 0, T_PAIR] = -1.0
    count = find_contacts(
        plant, tables.search, vectors.q, vectors.v, vectors.by_tree.speeds, dt, tables.con, slot
    )  # fmt: skip
    reset_rest(vectors.rest, slot, UNKNOWN)
    if count >= 0:
        start_contacts(plant.trees, tables.search.placed, tables.con, dt, slot, count)
        load_memory(memory, world, tables.kept, tables.con, slot, count, dt)
        record_start_overlap(tables.con, slot, count, ledger, world)
        new = memory[world, KEPT_PAIR] <= NEW_STATE
        if new and ledger[world, START_OVERLAP] > MOST_OVERLAP:
            count = -OVERLAPPING
        if new and plant.ties.constraints.shape[0] > 0:
            count = -OPEN_AT_START if _open_at_start(plant, work, ledger, world, slot) else count
    return count


@leaf
def too_fast(dofs, v, slot):
    """Whether a speed is above what a step resolves, or NaN."""
    fast = False
    for i in range(v.shape[1]):
        fast = fast or not abs(v[slot, i]) <= dofs[i, DOF_FASTEST]
    return fast


@leaf
def move_target(target, nv, dt, slot):
    """Advance the servo target by `dt` at its rate."""
    for i in range(nv):
        target[slot, i] += dt * target[slot, nv + i]


@kernel
def finish_step(plant, work, ledger, world, slot, count):
    """Check speeds after a step, count it and advance the servo target; returns contacts or minus a status."""
    if count >= 0 and too_fast(plant.dofs, work.vectors.v, slot):
        count = -NOT_FINITE
    if count >= 0:
        ledger[world, DONE] += 1.0
        move_target(work.target, work.vectors.v.shape[1], plant.settings[SET_STEP], slot)
    return count


@kernel
def store_world(work, outputs, count, dt_last, world, slot):
    """Write the state, the memory of contacts and the status of a world."""
    vectors = work.vectors
    outputs.ledger[world, ENDED] = -min(count, 0)
    for i in range(outputs.q.shape[1]):
        outputs.q[world, i] = vectors.q[slot, i]
    for i in range(outputs.v.shape[1]):
        outputs.v[world, i] = vectors.v[slot, i]
    store_memory(work.tables.con, slot, max(count, 0), dt_last, outputs.memory, world)

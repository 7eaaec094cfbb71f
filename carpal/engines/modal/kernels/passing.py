"""How a world comes into a run and goes out of it again, whatever scheme takes the steps between."""

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.books import BOOK_COLUMNS, ENDED, OVERLAPPING, START_OVERLAP, T_PAIR, book_overlap
from carpal.engines.modal.kernels.contact_table import DOF_FASTEST, KEPT_PAIR
from carpal.engines.modal.kernels.detection import find_contacts
from carpal.engines.modal.kernels.matching import recall, remember
from carpal.engines.modal.kernels.resting import UNKNOWN, forget_rest
from carpal.kinematics.kernels.state import all_finite

NEW_STATE = -2.0
"""Instead of a pair in the memory's first row: nothing happened before, and nothing may overlap."""
MOST_OVERLAP = 1e-6
"""[m] by which a new state may overlap; it is taken away in the first step."""


@leaf
def refused(q, v, u, aim, world):
    """Whether a world's inputs are not all finite."""
    return not (all_finite(q, world) and all_finite(v, world) and all_finite(u, world) and all_finite(aim, world))


@kernel
def take_world(plant, tables, vectors, dt, q, v, aim, memory, target, books, touch, world, slot):
    """Copy a world into its slot, find its contacts and recall what they did; returns how many, or minus how it ended."""
    solids, search = plant.solids, tables.search
    for i in range(q.shape[1]):
        vectors.q[slot, i] = q[world, i]
    for i in range(v.shape[1]):
        vectors.v[slot, i], vectors.bias[slot, i], vectors.weight[slot, i] = v[world, i], 0.0, 0.0
    for i in range(aim.shape[1]):
        target[slot, i] = aim[world, i]
    for i in range(BOOK_COLUMNS):
        books[world, i] = 0.0
    touch[world, 0, T_PAIR] = -1.0
    count = find_contacts(
        plant.joints, plant.bodies, solids.shapes, solids.groups, solids.blocks, solids.pairs, solids.points, solids.surfaces,
        plant.owner, plant.trees, plant.order, plant.dofs, vectors.q, vectors.v, dt, vectors.by_tree.speeds, search.placed,
        search.pair_work, search.spots, tables.con, slot,
    )  # fmt: skip
    forget_rest(vectors.rest, slot, UNKNOWN)
    if count >= 0:
        recall(memory, world, tables.kept, tables.con, slot, count, dt)
        book_overlap(tables.con, slot, count, books, world)
        if memory[world, KEPT_PAIR] <= NEW_STATE and books[world, START_OVERLAP] > MOST_OVERLAP:
            count = -OVERLAPPING
    return count


@leaf
def too_fast(dofs, v, slot):
    """Whether a speed is above what a step resolves, or no number."""
    fast = False
    for i in range(v.shape[1]):
        fast = fast or not abs(v[slot, i]) <= dofs[i, DOF_FASTEST]
    return fast


@leaf
def move_target(target, nv, dt, slot):
    """The servo's target runs on at its rate."""
    for i in range(nv):
        target[slot, i] += dt * target[slot, nv + i]


@kernel
def give_world(tables, vectors, count, last, q_next, v_next, memory_next, books, world, slot):
    """Write down where a world has come to."""
    books[world, ENDED] = -min(count, 0)
    for i in range(q_next.shape[1]):
        q_next[world, i] = vectors.q[slot, i]
    for i in range(v_next.shape[1]):
        v_next[world, i] = vectors.v[slot, i]
    remember(tables.con, slot, max(count, 0), last, memory_next, world)

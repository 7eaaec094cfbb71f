"""The arrays that a step works on, by name; `engines/modal/tables.py` fills the plant, the edge makes room for the rest."""

from typing import Any, NamedTuple

from carpal._core.compile import leaf
from carpal.contact.kernels.kinds import PLACED_COLUMNS
from carpal.contact.kernels.pair import PAIR_SCRATCH
from carpal.engines.modal.kernels.resting import REST_ROOM
from carpal.engines.modal.kernels.tree_dynamics import COLUMNS

# columns of `placed` and of `tree_work`, shape of `pair_work`
PLACED_WIDTH, TREE_WORK_WIDTH, PAIR_ROOM = PLACED_COLUMNS, COLUMNS, PAIR_SCRATCH


class Solids(NamedTuple):
    """Shapes, what may touch what, and how."""

    shapes: Any
    groups: Any
    blocks: Any
    pairs: Any
    points: Any
    surfaces: Any


class Plant(NamedTuple):
    """What never changes: the model, its trees, freedoms and shapes."""

    joints: Any
    bodies: Any
    trees: Any
    order: Any
    owner: Any
    dofs: Any
    settings: Any
    robot_joints: Any
    robot_bodies: Any
    solids: Any


class Search(NamedTuple):
    """Room for poses and for the search for contacts."""

    placed: Any
    pair_work: Any
    spots: Any
    tree_work: Any


class Tables(NamedTuple):
    """Room for matrices and tables of one slot."""

    search: Any
    M: Any
    L: Any
    con: Any
    fresh: Any
    kept: Any
    J: Any
    Y: Any
    W: Any
    A: Any
    hit_work: Any


class Solving(NamedTuple):
    """Vectors of the contact law, of closing gaps and of collisions: one or four numbers for each contact."""

    x: Any
    places: Any
    best: Any
    pivots: Any
    mu: Any
    e: Any


class Before(NamedTuple):
    """Where a part of a step began, and where a move of q did."""

    kept_q: Any
    start_q: Any
    start_v: Any


class ByTree(NamedTuple):
    """Of each tree: how its bodies move, a bound of its speed."""

    smooth: Any
    speeds: Any


class Vectors(NamedTuple):
    """Room for vectors of one slot: nq, nv, contacts or trees long."""

    q: Any
    v: Any
    free: Any
    move: Any
    step: Any
    spare: Any
    bias: Any
    weight: Any
    rest: Any
    solving: Any
    before: Any
    by_tree: Any


@leaf
def vector_room(nq, nv, contacts, trees):
    """Lengths of the arrays of `Vectors`, in order, those of its parts where they stand."""
    wide = 4 * contacts
    return (
        nq, nv, nv, nv, nv, nv, nv, nv, REST_ROOM, wide, wide, wide, wide, contacts, contacts, nq, nq, nv, trees, trees,
    )  # fmt: skip

"""The arrays that a step works on, by name; `engines/modal/tables.py` fills the plant, the edge makes room for the rest."""

from typing import Any, NamedTuple

from carpal._jit import leaf
from carpal.contact.kernels.kinds import PLACED_COLUMNS
from carpal.contact.kernels.pair import PAIR_SCRATCH
from carpal.engines.modal.kernels.resting import REST_ROOM
from carpal.engines.modal.kernels.tree_dynamics import COLUMNS

# columns of `placed` and of `tree_work`, shape of `pair_work`
PLACED_WIDTH, TREE_WORK_WIDTH, PAIR_ROOM = PLACED_COLUMNS, COLUMNS, PAIR_SCRATCH


class Plant(NamedTuple):
    """What never changes: the model, its shapes, its trees, freedoms and surfaces."""

    joints: Any
    bodies: Any
    shapes: Any
    groups: Any
    blocks: Any
    pairs: Any
    points: Any
    trees: Any
    order: Any
    owner: Any
    dofs: Any
    surfaces: Any
    settings: Any
    robot_joints: Any
    robot_bodies: Any


class Tables(NamedTuple):
    """Room for matrices and tables of one slot."""

    placed: Any
    pair_work: Any
    spots: Any
    tree_work: Any
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
    zero: Any
    x: Any
    places: Any
    best: Any
    smooth: Any
    mu: Any
    e: Any
    kept_q: Any
    start_q: Any
    start_v: Any
    speeds: Any
    pivots: Any
    rest: Any


@leaf
def vector_room(nq, nv, contacts, trees):
    """Lengths of the arrays of `Vectors`, in order."""
    wide = 4 * contacts
    return (
        nq,
        nv,
        nv,
        nv,
        nv,
        nv,
        nv,
        nv,
        nv,
        wide,
        wide,
        wide,
        trees,
        contacts,
        contacts,
        nq,
        nq,
        nv,
        trees,
        wide,
        REST_ROOM,
    )

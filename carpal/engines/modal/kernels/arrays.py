"""Named tables of the modal kernels: the plant (constant), inputs and outputs of each world, scratch of each slot."""

from typing import Any, NamedTuple

from carpal._core.compile import leaf
from carpal.contact.kernels.kinds import PLACED_COLUMNS
from carpal.contact.kernels.pair import PAIR_SCRATCH
from carpal.engines.modal.kernels.resting import REST_ROOM
from carpal.engines.modal.kernels.tree_dynamics import COLUMNS

# columns of `placed` and of `tree_work`, shape of `pair_work`
PLACED_WIDTH, TREE_WORK_WIDTH, PAIR_ROOM = PLACED_COLUMNS, COLUMNS, PAIR_SCRATCH


class Solids(NamedTuple):
    """Shapes, pairs that may touch, and their surfaces."""

    shapes: Any
    groups: Any
    blocks: Any
    pairs: Any
    points: Any
    surfaces: Any


class Ties(NamedTuple):
    """Couplings and loops, fixed tendons, compensated weight (`constraint_table.py`)."""

    constraints: Any
    tendons: Any
    lifted: Any


class Plant(NamedTuple):
    """Constants of all worlds: the model, its trees, freedoms and shapes.

    `robots` is 0 if there are only single free bodies, 1 if there are joints, 2 if the gravity of some is compensated.
    """

    joints: Any
    bodies: Any
    trees: Any
    order: Any
    owner: Any
    dofs: Any
    settings: Any
    robot_joints: Any
    robot_bodies: Any
    robots: Any
    solids: Any
    ties: Any


class Search(NamedTuple):
    """Scratch of the search for contacts and of the tree dynamics."""

    placed: Any
    pair_work: Any
    spots: Any
    tree_work: Any


class Tables(NamedTuple):
    """Scratch: matrices and contact tables."""

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
    """Scratch of the contact law, the gap projection and collisions: one or four numbers for each contact."""

    x: Any
    places: Any
    best: Any
    pivots: Any
    mu: Any
    e: Any


class Before(NamedTuple):
    """State at the start of a part of a step, and `q` before a correction."""

    kept_q: Any
    start_q: Any
    start_v: Any


class ByTree(NamedTuple):
    """Per tree: the rule of its position update, a bound of its speed."""

    smooth: Any
    speeds: Any


class Vectors(NamedTuple):
    """Scratch: vectors of nq, nv, contacts or trees numbers."""

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


class Held(NamedTuple):
    """Rows of couplings and loops (`constraint_basis.py`): G, Z behind the factor, and numbers of each row."""

    G: Any
    Z: Any
    numbers: Any


class Bodies(NamedTuple):
    """The linear system of the bodies (`body_solve.py`): its factors, its solution, order and envelope of the trees."""

    low: Any
    up: Any
    y: Any
    place: Any
    queue: Any
    at: Any
    reach: Any


class Work(NamedTuple):
    """Scratch of a slot; `target` holds the servo target and its rate (2 nv)."""

    tables: Any
    vectors: Any
    target: Any
    held: Any
    bodies: Bodies


class AccurateWork(NamedTuple):
    """Scratch of the accurate scheme: that of a step, the contacts at its start, and the extrapolation table."""

    step: Any
    saved: Any
    levels: Any


class Inputs(NamedTuple):
    """Per world: state, drive forces, servo target with its rate (2 nv), memory of contacts."""

    q: Any
    v: Any
    u: Any
    target: Any
    memory: Any


class Outputs(NamedTuple):
    """Per world: state, memory, ledger, contacts of the last step."""

    q: Any
    v: Any
    memory: Any
    ledger: Any
    touch: Any


@leaf
def vector_room(nq, nv, contacts, trees):
    """Lengths of the arrays of `Vectors`, in order, nested ones in place."""
    wide = 4 * contacts
    return (
        nq, nv, nv, nv, nv, nv, nv, nv, REST_ROOM, wide, wide, wide, wide, contacts, contacts, nq, nq, nv, trees, trees,
    )  # fmt: skip

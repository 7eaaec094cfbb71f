"""Tables and scratch of the general step: springs, tendons, actuators, gravity compensation, couplings and loops."""

from typing import Any, NamedTuple


class GeneralTables(NamedTuple):
    """What all worlds share.

    rigid: `RigidTables`; lines: see `kernels/lines.py`; lifted: the bodies' table of the masses that something outside carries,
    without rows where there are none; constraints: see `dynamics/kernels/constraint_rows.py`; rows: how many rows these have.
    """

    rigid: Any
    lines: Any
    lifted: Any
    constraints: Any
    rows: Any


class GeneralInput(NamedTuple):
    """State, joint forces and commands of the actuators of every world, indexed by world."""

    q: Any
    v: Any
    u: Any
    ctrl: Any


class GeneralOutput(NamedTuple):
    """Indexed by world.

    State after the steps; energies of the ledger; (good steps, why it ended); each row's largest gap after a step;
    accelerations and joint forces where they were asked for.
    """

    q: Any
    v: Any
    work: Any
    done: Any
    gap: Any
    vdot: Any
    force: Any


class Loads(NamedTuple):
    """Scratch of forces, indexed by slot: matrix, bias force, zeros, damping, elastic, drive, metric, solution, lines."""

    M: Any
    bias: Any
    still: Any
    damp: Any
    elastic: Any
    drive: Any
    weight: Any
    x: Any
    found: Any


class Rows(NamedTuple):
    """Scratch of constraint rows, indexed by slot."""

    J: Any
    Q: Any
    R: Any
    gap: Any
    bias: Any
    size: Any
    target: Any
    order: Any
    y: Any
    factors: Any


class GeneralScratch(NamedTuple):
    """All scratch of a general step."""

    stage: Any
    loads: Any
    rows: Any

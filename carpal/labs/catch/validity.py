"""Whether a simulated catch is inside the range of its model: depth of contacts, gaps of joints, energy.

Beyond a bound the run tells nothing about a ball and a hand, and it is `invalid` whatever became of the ball. A contact may be as
deep as half the thickness of the thinner side, joints may open by 1 % of the robot's size (both are the engines' own
rules), and energy may be unaccounted for as the engine's scheme allows. The script's kick is a rate of one step (erratum E24),
whose work the ledger misses by about 100 J: runs with it are judged by depth and gaps alone.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from carpal.engines import LEDGER, allowed_gap, energy_kept
from carpal.labs.catch.catcher_numbers import CatcherNumbers
from carpal.labs.catch.hand_geometry import FINGERS
from carpal.labs.catch.kernels import watch as w
from carpal.labs.catch.kernels.ball import BOX, KIND, PAIR_B, SIZE
from carpal.spatial import Array

Verdicts = NDArray[np.bool_]
if TYPE_CHECKING:
    from carpal.engines import PenaltyEngine, Recording
    from carpal.labs.catch.compiled import CatchState
    from carpal.model import Mechanism

PART_NAMES = ("palm", *(f"{finger} finger" for finger in FINGERS), "thumb", "bin")
"""What the ball touches, in the order of `watch.PALM_PART` and its like."""


def part_of(body: str) -> int:
    """Number of the part that a body of the catcher belongs to; the world's shapes are the bin."""
    name = body.partition("/")[0]
    if name in FINGERS:
        return w.FINGER_PART + FINGERS.index(name)
    return {"palm": w.PALM_PART, "thumb": w.THUMB_PART}.get(name, w.BIN_PART)


def ball_touches(mechanism: Mechanism, engine: PenaltyEngine) -> Array:
    """Table `touches` of the kernels: part and half thickness [m] of what the ball touches in each pair."""
    shapes, rows = engine.tables.contacts.shapes, []
    for pair, (_, other) in zip(engine.tables.contacts.pairs, engine.touching.bodies, strict=True):
        shape = shapes[int(pair[PAIR_B])]
        size = shape[SIZE : SIZE + 3]
        half = size.min() if int(shape[KIND]) == BOX else size[0]
        rows.append([part_of("" if other < 0 else mechanism.bodies[other].name), half])
    return np.array(rows, float)


@functools.cache
def largest_gap() -> float:
    """Largest joint gap [m] of a valid run: the engine's share of the size of arm and hand."""
    from carpal.labs.catch.mechanism import robot_mechanism
    from carpal.labs.catch.robot import arm_model
    from carpal.labs.catch.scene import GRAVITY, hand_command

    robot = robot_mechanism(np.asarray(arm_model().q_home), hand_command(False), CatcherNumbers(), GRAVITY)
    return allowed_gap(robot)


def energy_is_kept(
    engine: PenaltyEngine, first: CatchState, last: CatchState, work_in: Array, dissipated: Array
) -> Verdicts:  # fmt: skip
    """Whether the ledger of every world (*batch) closes as the engine's scheme allows.

    Args:
        engine: whose scheme.
        first, last: states at the start and the end.
        work_in, dissipated: between them (*batch) [J].
    """
    kinetic = np.stack(np.broadcast_arrays(first.kinetic, last.kinetic), -1)
    potential = np.stack(np.broadcast_arrays(first.potential, last.potential), -1)
    work = np.zeros((*kinetic.shape, 2))
    work[..., 1, 0], work[..., 1, 1] = work_in, dissipated
    return np.asarray(energy_kept(engine, kinetic, potential, work), bool)


def recorded_is_kept(engine: PenaltyEngine, recording: Recording) -> bool:
    """The same of a recorded run, from its first and last row."""
    rows = {name: np.asarray(recording.energy[name], float)[[0, -1]] for name in LEDGER[:4]}
    kinetic, potential, work_in, dissipated = rows.values()
    return bool(energy_kept(engine, kinetic, potential, np.stack([work_in, dissipated], -1)))


def broken_bound(watch: Array, kept: bool) -> str:
    """Which bound a run breaks, as a sentence without its full stop; empty where it is valid or did not keep the number.

    Args:
        watch: (WATCH_COLUMNS) of the run.
        kept: whether its energy ledger closes.
    """
    if watch[w.DEPTH_SHARE] > 1.0:
        depth = 1e3 * watch[w.DEEPEST]
        return (
            f"the ball was {depth:.1f} mm deep in the {PART_NAMES[int(watch[w.DEEP_PART])]}, more than "
            f"{depth / watch[w.DEPTH_SHARE]:.1f} mm, half the thickness of the thinner of the two"
        )
    if watch[w.WIDEST] > largest_gap():
        gap, bound = 1e3 * watch[w.WIDEST], 1e3 * largest_gap()
        return f"a joint was open by {gap:.1f} mm, more than {bound:.1f} mm, 1 % of the robot's size"
    return "" if kept else "more energy is unaccounted for than the engine's scheme may miss"

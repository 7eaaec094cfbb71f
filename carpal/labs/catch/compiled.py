"""The edge of the compiled catch: tables once, then any number of worlds, on CPU threads or a GPU."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal._core.batch import Groups, KernelInput, run_batch
from carpal.engines import PenaltyEngine, PenaltyState
from carpal.errors import InputError
from carpal.labs.catch.arm_tables import arm_chain, arm_links, packed_plans
from carpal.labs.catch.catcher_numbers import LARGEST_BALL, CatcherNumbers
from carpal.labs.catch.hand_geometry import FINGER_CLOSED, FINGER_OPEN, THUMB_CLOSED, THUMB_OPEN
from carpal.labs.catch.kernels.arm_chain import FRAME_COLUMNS, JOINTS
from carpal.labs.catch.kernels.ball import BALL_COLUMNS, BODY, SPAN
from carpal.labs.catch.kernels.control import CARRY_COLUMNS, NOT_COMPUTED, ControllerTables
from carpal.labs.catch.kernels.path import TARGET_COLUMNS
from carpal.labs.catch.kernels.run import (
    DISSIPATED,
    EXTRA_COLUMNS,
    KINETIC,
    LEDGER_COLUMNS,
    POTENTIAL,
    TOUCH_COLUMNS,
    WORK_IN,
    CatchInputs,
    CatchOutputs,
    CatchScratch,
    Clock,
    ControllerScratch,
    Work,
    run_catch,
)  # fmt: skip
from carpal.labs.catch.kernels.watch import (
    DET,
    DIVERGED,
    FIRST_BY,
    LAST_BY,
    PARTS,
    TIME_COLUMNS,
    TOUCHED,
    WATCH_COLUMNS,
)
from carpal.labs.catch.plan import Plan
from carpal.labs.catch.robot import arm_model
from carpal.labs.catch.scene import COMMANDS, catcher, catcher_engine
from carpal.labs.catch.validity import ball_touches
from carpal.spatial import Array

ROW = 1e-3
"""[s] between two rows of a run."""
PERIOD = 2e-4
"""[s] of the controller, where it does not solve in every step."""


def catch_scratch(*arrays: Any) -> CatchScratch:
    """Scratch arrays in their order, by name."""
    engine = len(Work._fields)
    return CatchScratch(Work(*arrays[:engine]), ControllerScratch(*arrays[engine:]))


GROUPS = Groups(CatchInputs, CatchOutputs, catch_scratch)


@dataclass(frozen=True, eq=False)
class CatchState(PenaltyState):
    """A penalty state with what the controller and the score carry along.

    Args:
        carry: (*batch, CARRY_COLUMNS) wanted angles and rates.
        watch: (*batch, WATCH_COLUMNS) what was seen so far.
        kinetic, potential: (*batch) [J].
        touch: (*batch, pairs, TOUCH_COLUMNS).
    """

    carry: Array = dataclasses.field(default_factory=lambda: np.zeros(CARRY_COLUMNS))
    watch: Array = dataclasses.field(default_factory=lambda: fresh_watch())
    kinetic: Any = 0.0
    potential: Any = 0.0
    touch: Array = dataclasses.field(default_factory=lambda: np.zeros((1, TOUCH_COLUMNS)))


def fresh_watch() -> Array:
    """Nothing seen yet."""
    watch = np.zeros(WATCH_COLUMNS)
    watch[TOUCHED] = watch[DIVERGED] = -1.0
    watch[FIRST_BY : FIRST_BY + PARTS] = watch[LAST_BY : LAST_BY + PARTS] = -1.0
    watch[DET] = NOT_COMPUTED
    return watch


@functools.lru_cache(maxsize=8)
def compiled_catch(
    numbers: CatcherNumbers, dt: float, script: bool, weight: bool, angles: bool, device: str
) -> CompiledCatch:
    """A `CompiledCatch` that tasks with the same settings share: its tables take half a second to make."""
    return CompiledCatch(numbers, dt=dt, script=script, weight=weight, angles=angles, device=device)


class CompiledCatch:
    """All tables of one catcher; every world has its own ball and plan, and may have a ball of other numbers.

    Args:
        numbers: what the catcher is made of.
        dt: step [s]; 0.2 ms must be a whole number of them.
        script: control as the thesis's script: solve in every step from measured angles, difference for rates.
        weight: hold the arm's weight by the controller.
        angles: inverse kinematics by the thesis's angles, path following.
        device, threads: where it runs.
    """

    def __init__(
        self, numbers: CatcherNumbers, *, dt: float = 2e-5, script: bool = False, weight: bool = False,
        angles: bool = False, device: str = "cpu", threads: int | None = None,
    ) -> None:  # fmt: skip
        self.numbers, self.device, self.threads, self.script = numbers, device, threads, script
        self.mechanism = catcher(numbers=numbers)
        self.engine: PenaltyEngine = catcher_engine(self.mechanism, numbers, dt=dt)
        self.dt = self.engine.dt
        self.every, self.period = round(ROW / self.dt), round(PERIOD / self.dt)
        if abs(self.period * self.dt - PERIOD) > 1e-12 or self.period < 1:
            raise InputError(
                f"dt of a catch must divide its control period of {PERIOD:g} s; got {dt:g} s; 2e-5 s does."
            )
        self.tables = self._shared_tables(dt)
        com = self.mechanism.bodies[JOINTS - 1].inertia.com
        self.controller = ControllerTables(
            chain=arm_chain(), links=arm_links(self.mechanism),
            places=np.r_[JOINTS - 1, len(self.mechanism.bodies) - 1, -com],
            hand=np.array([FINGER_OPEN, FINGER_CLOSED, THUMB_OPEN, THUMB_CLOSED]),
            how=np.array([self.period, float(script), float(weight), float(angles)]),
            touches=ball_touches(self.mechanism, self.engine),
        )  # fmt: skip

    def _shared_tables(self, dt: float) -> Any:
        """The engine's tables with the standard ball, whose reach is the largest's: each world brings its own numbers of it."""
        standard = self.numbers.with_standard_ball
        engine = self.engine
        if standard != self.numbers:
            engine = catcher_engine(catcher(numbers=standard), standard, dt=dt)
        shapes = np.array(engine.tables.contacts.shapes)
        shapes[shapes[:, BODY] == len(self.mechanism.bodies) - 1, SPAN] += LARGEST_BALL - standard.ball_radius
        return engine.tables._replace(contacts=engine.tables.contacts._replace(shapes=shapes))

    @functools.cached_property
    def scratch(self) -> list[tuple[int, ...]]:
        """Shapes of the kernels' scratch for one slot: the engine's without its search, then the controller's."""
        engine = self.engine.scratch[:-1]
        # the sums, with the torques to watch and the force on the ball
        engine[4] = (engine[4][0] + 2 * len(self.tables.elements.rotary) + 1,)
        controller = [(TARGET_COLUMNS,), (6,), (6,), (6,), (6,), (3,), (JOINTS, FRAME_COLUMNS), (6, 6), (6, 6), (6,)]
        return [*engine, (1, 1), *controller]

    def start(self, position: Array, velocity: Array) -> CatchState:
        """Balls (*batch, 3) at their launch, the catcher in its start pose."""
        position, velocity = np.asarray(position, float), np.asarray(velocity, float)
        batch = position.shape[:-1]
        home = self.engine.start(batch)
        q, v = np.array(home.q), np.array(home.v)
        q[..., -7:-4], v[..., -6:-3] = position, velocity
        anchors = np.zeros((*batch, self.engine.anchor_count))
        carry = np.zeros((*batch, CARRY_COLUMNS))
        carry[..., :JOINTS] = arm_model().q_home
        watch = np.broadcast_to(fresh_watch(), (*batch, WATCH_COLUMNS))
        return CatchState(0.0, q, v, anchors, carry, watch)

    def run(
        self, state: CatchState, plans: list[Plan], rows: int, *, balls: Array | None = None, keep: bool = False
    ) -> tuple[CatchState, Array, Array, Array]:  # fmt: skip
        """Some rows of every world.

        Args:
            state: of all worlds.
            plans: one for each, or one for all.
            rows: how many of `ROW` seconds.
            balls: (*batch, BALL_COLUMNS), `CatcherNumbers.ball` of each world; the catcher's own by default.
            keep: whether to give back the rows.

        Returns:
            The state after, the rows (*batch, rows, nq + EXTRA_COLUMNS) or none, work put in and energy lost (*batch) [J].
        """
        model, engine = self.engine.model, self.engine
        batch = state.q.shape[:-1]
        knots, grip, times = packed_plans(plans, batch)
        first = round(float(np.max(state.time)) / self.dt)
        inputs = [
            KernelInput("q", state.q, (model.nq,)), KernelInput("v", state.v, (model.nv,)), KernelInput("u", np.zeros(0), (0,)),
            KernelInput("anchors", np.asarray(state.anchors), (engine.anchor_count,)),
            KernelInput("times", times, (TIME_COLUMNS,)),
            KernelInput("balls", self.numbers.ball if balls is None else balls, (BALL_COLUMNS,)),
            KernelInput("knots", knots, (knots.shape[-1],)), KernelInput("grip", grip, (grip.shape[-1],)),
            KernelInput("carry", state.carry, (CARRY_COLUMNS,)), KernelInput("watch", state.watch, (WATCH_COLUMNS,)),
        ]  # fmt: skip
        outputs = [
            (model.nq,), (model.nv,), (engine.anchor_count,), (CARRY_COLUMNS,), (WATCH_COLUMNS,), (2 * COMMANDS,),
            (LEDGER_COLUMNS,), (len(self.tables.contacts.pairs), TOUCH_COLUMNS),
            (rows if keep else 0, model.nq + EXTRA_COLUMNS),
        ]  # fmt: skip
        clock = Clock(self.dt, self.every, rows, first)
        q, v, anchors, carry, watch, _, ledger, met, kept = run_batch(
            model, run_catch, (self.tables, engine.limits, self.controller, clock), inputs, outputs,
            scratch=self.scratch, groups=GROUPS, device=self.device, threads=self.threads,
            world_seconds=1e-5 * (rows * self.every + 1),
        )  # fmt: skip
        time = state.time + rows * self.every * self.dt
        after = CatchState(time, q, v, anchors, carry, watch, ledger[..., KINETIC], ledger[..., POTENTIAL], met)
        return after, kept, ledger[..., WORK_IN], ledger[..., DISSIPATED]

"""catch: a humanoid arm with a five-digit linkage hand catches a thrown ball and drops it in a bin (thesis 1)."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.errors import InputError
from carpal.labs.catch.options import CatchOptions
from carpal.tasks import Score, Task, plain_numbers

if TYPE_CHECKING:
    from carpal.engines import Engine, Recording
    from carpal.labs.catch.best_plan import Pitch
    from carpal.labs.catch.catcher_numbers import CatcherNumbers
    from carpal.labs.catch.compiled import CompiledCatch
    from carpal.labs.catch.flight import Meeting
    from carpal.labs.catch.plan import Plan
    from carpal.model import Model, Scene, State
    from carpal.spatial import Array
    from carpal.tasks import Appendix, Curves

COLUMNS, ROWS, STEP_X, STEP_Y = 5, 6, 0.1, 0.07
"""The thesis's grid, numbered column by column (fig. 6.22)."""


@dataclasses.dataclass(frozen=True, eq=False)
class Throw:
    """What a seed draws: the ball's start (3) [m], its velocity (3) [m/s], factors on mass and friction, and the seed."""

    position: Array
    velocity: Array
    mass: float
    friction: float
    seed: int


@dataclasses.dataclass(frozen=True, eq=False)
class Case:
    """A seed's throw, the catcher with the throw's ball, and the plan for it."""

    throw: Throw
    numbers: CatcherNumbers
    plan: Plan


class Catch(Task):
    """Is the ball caught, held, and dropped where it belongs?"""

    name = "catch"
    about = "A humanoid arm with a five-digit linkage hand catches a thrown ball and drops it in a bin (thesis 1)."
    example = "carpal catch --x 0.2 --y 0.14 --out out/catch"
    devices = ("cpu", "cuda")
    world_bytes = 30_000  # of scratch, state, plan and the watch on it
    view = ((-0.85, 0.22, -1.3), (0.12, -0.33, -0.28))
    Options = CatchOptions  # type: ignore[assignment]  # a class of its own file: there are many

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._case: Case | None = None
        self._learnt: Array | None = None

    @property
    def seeds_wanted(self) -> int | None:
        """The grid's points are its seeds."""
        return COLUMNS * ROWS if self.options.grid else None

    def check(self) -> None:
        """Refuse what cannot work, in one sentence."""
        self.options.check_together()
        if not self.options.grid and not self.options.vary:
            self.case(0)
        _ = self.compiled(1.0, 1.0) if self.options.engine == "penalty" else None

    @property
    def dt(self) -> float:
        """Step of the penalty engine [s]."""
        thesis = self.options.as_thesis or self.options.gains == "thesis"
        return float(self.options.dt or (2e-5 if thesis else 1e-5))

    def numbers(self, mass: float = 1.0, friction: float = 1.0) -> CatcherNumbers:
        """What the catcher is made of, with factors on the ball's mass and the friction."""
        from carpal.labs.catch.catcher_numbers import THESIS_D, CatcherNumbers
        from carpal.labs.catch.gains import tuned_damping

        o = self.options
        thesis = o.as_thesis or o.gains == "thesis"
        limit = np.inf if o.as_thesis or not o.torque_limit else o.torque_limit
        return CatcherNumbers(
            arm_D=THESIS_D if thesis else tuned_damping(), torque_limit=limit, ball_mass=o.ball_mass * mass,
            ball_radius=o.ball_radius, friction=o.friction * friction, drag=o.drag,
        )  # fmt: skip

    @property
    def settings(self) -> tuple[float, bool, bool, bool]:
        """What makes a compiled catcher what it is beside its numbers: step, script, whether it holds its weight, by angles."""
        o = self.options
        return self.dt, o.as_thesis, not o.as_thesis and o.gains == "tuned", o.ik == "angles"

    def compiled(self, mass: float, friction: float, device: str = "cpu") -> CompiledCatch:
        """Its tables."""
        from carpal.labs.catch.compiled import compiled_catch

        return compiled_catch(self.numbers(mass, friction), *self.settings, device)

    def aim(self, seed: int) -> tuple[tuple[float, ...], float, float]:
        """What `launch` takes, and factors on mass and friction; on the grid a seed is a point, otherwise `vary` draws."""
        o = self.options
        x, y, speed, angle = o.x, o.y, o.speed, o.angle
        mass = friction = 1.0
        if o.grid:
            x, y = STEP_X * (seed // ROWS), STEP_Y * (seed % ROWS)
        if o.vary:
            rng = np.random.default_rng([seed, 9])
            if not o.grid:
                x, y = rng.uniform(*o.window[:2]), rng.uniform(*o.window[2:])
            speed += o.vary * 0.1 * rng.uniform(-1, 1)
            angle += o.vary * 2.0 * rng.uniform(-1, 1)
            mass += o.vary * 0.1 * rng.uniform(-1, 1)
            friction += o.vary * 0.2 * rng.uniform(-1, 1)
        k = self.numbers(mass, friction).air_rate if o.drag else 0.0
        return (x, y, speed, math.radians(angle), math.radians(o.side), k), mass, friction

    def draw(self, seed: int) -> Throw:
        """The throw of a seed."""
        from carpal.labs.catch.many import draws_of

        return draws_of([(self, seed)])[0]

    def case(self, seed: int) -> Case:
        """Throw, catcher and plan of a seed, planned once; a throw out of reach is refused with one sentence."""
        if self._case is None or self._case.throw.seed != seed:
            throw = self.draw(seed)
            self._case = Case(throw, self.numbers(throw.mass, throw.friction), self.checked_plan(throw))
        return self._case

    @property
    def current(self) -> Case:
        """The case that runs; that of seed 0 before any has begun."""
        return self._case or self.case(0)

    def plan_of(self, throw: Throw) -> Plan:
        """What the hand shall do for a throw, known or seen."""
        from carpal.labs.catch.best_plan import best_plans
        from carpal.labs.catch.flight import meeting
        from carpal.labs.catch.plan import start_coordinates
        from carpal.labs.catch.sightings import estimated_plan

        if self.options.controller == "best":
            plan = best_plans([self.pitch(throw)])[0]
            if isinstance(plan, str):
                raise InputError(plan)
            return plan
        if self.options.ball == "estimated":
            k = self.numbers(throw.mass, throw.friction).air_rate
            return estimated_plan(throw.position, throw.velocity, self.options.noise, throw.seed, self._planned, k)
        return self._planned(meeting(throw.position, throw.velocity, start_coordinates()[:3]))

    def pitch(self, throw: Throw) -> Pitch:
        """A throw as the best controller meets it."""
        from carpal.labs.catch.best_plan import Pitch

        o, numbers = self.options, self.numbers(throw.mass, throw.friction)
        return Pitch(
            throw.position, throw.velocity, numbers.air_rate, o.noise, throw.seed, o.ball_radius, o.close_early, o.close,
            self.dt, o.speed_limit, numbers.torque_limit,
        )  # fmt: skip

    def _planned(self, meet: Meeting) -> Plan:
        from carpal.labs.catch.plan import catch_plan
        from carpal.labs.catch.throw_back import throw_plan

        o = self.options
        how = "kick" if o.as_thesis else o.close
        if not o.throw:
            return catch_plan(meet, close_early=o.close_early, approach=o.approach_fraction, how=how, dt=self.dt)
        return throw_plan(
            meet, self.target, correction=self.correction, close_early=o.close_early, approach=o.approach_fraction,
            how=how, dt=self.dt, radius=o.ball_radius,
        )  # fmt: skip

    @property
    def target(self) -> Array:
        """Centre (3) [m] of the disc that the ball is thrown back at."""
        return np.array([self.options.target_x, self.options.target_y, -self.options.target_ahead])

    @property
    def correction(self) -> Array:
        """Of the release velocity (3) [m/s]: what rehearsals with the nominal throw and ball have taught."""
        from carpal.labs.catch.many import run_throws
        from carpal.labs.catch.score import landing
        from carpal.labs.catch.throw_back import REHEARSALS, mended

        if self._learnt is None:
            self._learnt = np.zeros(3)
            fixed = {
                "vary": 0.0,
                "grid": False,
                "ball": "known",
                "x": 0.2,
                "y": 0.14,
                "speed": 5.2,
                "angle": 45.0,
                "side": 0.0,
            }
            nominal = Catch(**(dataclasses.asdict(self.options) | fixed))
            throw = nominal.draw(0)
            for _ in range(REHEARSALS):
                nominal._learnt = self._learnt
                plan = nominal.checked_plan(throw)
                end = run_throws(nominal, [throw], [plan])
                there = landing(end.q[0, -7:-4], end.v[0, -6:-3], float(self.target[1]))
                if there is None:
                    raise InputError(f"the disc at height {self.target[1]:g} m is above what the arm can throw to.")
                self._learnt = mended(self._learnt, plan, there)
        return self._learnt

    def checked_plan(self, throw: Throw) -> Plan:
        """The plan, if the arm can follow it; otherwise one sentence."""
        from carpal.labs.catch.many import out_of_reach

        plan = self.plan_of(throw)
        refused = out_of_reach([plan])[0]
        if refused:
            raise InputError(refused)
        return plan

    @property
    def duration(self) -> float:
        """[s]."""
        return 1e-3 * math.ceil(self.current.plan.duration / 1e-3)

    @property
    def model(self) -> Model | None:
        """What `reset` gives the state of, where that is not the scene's model: the penalty engine's free bodies."""
        return self.compiled(1.0, 1.0).engine.model if self.options.engine == "penalty" else None

    def scene(self) -> Scene:
        """Arm, hand, ball and bin, as the robot `catcher` in joint coordinates."""
        from carpal.labs.catch.plant import GRAVITY
        from carpal.labs.catch.tree_model import catcher_tree
        from carpal.model import Scene

        return Scene(self.name, gravity=GRAVITY).add_robot(catcher_tree(numbers=self.numbers()), name="catcher")

    def engine(self) -> Engine:
        """The penalty engine with the controller inside, or MuJoCo with the same commands."""
        throw, plan = self.current.throw, self.current.plan
        if self.options.engine == "mujoco":
            from carpal.labs.catch.mujoco_engine import MuJoCoCatchEngine

            return MuJoCoCatchEngine(self, throw, plan)
        from carpal.labs.catch.engine import CatchEngine

        return CatchEngine(self.compiled(throw.mass, throw.friction), lambda _time: plan)

    def reset(self, rng: np.random.Generator) -> State:
        """The ball in the thrower's hand, the arm in its start pose."""
        return self._start(self.engine())

    def _start(self, engine: Engine) -> State:
        if self.options.engine == "mujoco":
            from carpal.labs.catch.mujoco_engine import MuJoCoCatchEngine

            assert isinstance(engine, MuJoCoCatchEngine)  # made so above
            return engine.start()
        throw = self.current.throw
        return self.compiled(throw.mass, throw.friction).start(throw.position, throw.velocity)

    def policy(self) -> Callable[[float, State], Array] | None:
        """None: the controller runs inside the engine, many times in a step."""
        return None

    def begin(self, seed: int) -> tuple[Engine, State, None]:
        """Engine and state of a seed's throw; the controller runs inside the engine."""
        self.case(seed)
        engine = self.engine()
        return engine, self._start(engine), None

    def end(self, recording: Recording, engine: Engine) -> None:
        """What the run kept of itself goes into the recording's metadata."""
        from carpal.labs.catch.series import keep_series

        keep_series(recording, engine, self.current.plan)

    def score(self, recording: Recording) -> Score:
        """What became of the ball."""
        from carpal.labs.catch.plan import Plan
        from carpal.labs.catch.score import Outcome, score_outcome

        throw, kept = self.draw(int(recording.metadata["seed"])), recording.metadata["catch"]
        plan = Plan.from_dict(kept) if "duration" in kept else self.plan_of(throw)  # older recordings keep a part of it
        outcome = Outcome(np.array(kept["watch"], float), recording.q[-1, -7:-4], recording.v[-1, -6:-3])
        return score_outcome(self.numbers(throw.mass, throw.friction), plan, outcome)

    @property
    def only_step_by_step(self) -> str:
        """Any other engine than the penalty's."""
        return "" if self.options.engine == "penalty" else f"engine {self.options.engine}"

    @classmethod
    def score_worlds(cls, worlds: Sequence[tuple[Catch, int]], device: str = "cpu") -> list[Score]:
        """Throws that share a catcher are worlds of one launch."""
        from carpal.labs.catch.many import score_together

        if any(task.only_step_by_step for task, _ in worlds):
            return super().score_worlds(worlds, device)
        return score_together(worlds, device)

    def appendix(self, recording: Recording) -> Sequence[Appendix]:
        """The thesis's figures."""
        from carpal.labs.catch.figures import figures_of

        return figures_of(self, recording)

    def curves(self, recording: Recording) -> Sequence[Curves]:
        """Torques, errors and profiles."""
        from carpal.labs.catch.figures import motion_curves

        return motion_curves(recording)

    def campaign_appendix(self, rows: Sequence[dict[str, Any]]) -> Sequence[Appendix]:
        """All points of the grid, or all throws, beside the thesis's figures."""
        from carpal.labs.catch.grid_figures import grid_figures

        return grid_figures(self, rows)

    def summary(self, score: Score) -> dict[str, Any]:
        """What a reader of the JSON looks for first."""
        from carpal.labs.catch.score import CAUSES

        cause = CAUSES[int(score.numbers["cause_code"])] if "cause_code" in score.numbers else "unknown"
        return {"engine": self.options.engine, "cause": cause} | plain_numbers(score.numbers)

    def campaign_summary(self, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """The same for the grid or many seeds."""
        from carpal.labs.catch.score import CAUSES

        def cause(row: dict[str, Any]) -> str:
            return CAUSES[int(row["numbers"]["cause_code"])] if "cause_code" in row["numbers"] else row["status"]

        cases = [{"case": row["seed"], "ok": row["ok"], "cause": cause(row), **row["numbers"]} for row in rows]
        return {
            "engine": self.options.engine,
            "cases": cases,
            "caught_count": sum(bool(row["numbers"].get("caught")) for row in rows),
            "in_bin_count": sum(bool(row["numbers"].get("in_bin")) for row in rows),
            "failures": [{"case": row["seed"], "cause": cause(row), "status": row["status"]} for row in rows if not row["ok"]],
        }  # fmt: skip

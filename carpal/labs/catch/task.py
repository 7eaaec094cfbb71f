"""catch: a humanoid arm with a five-digit linkage hand catches a thrown ball and drops it in a bin (Yesmunt 2014)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from carpal.errors import InputError
from carpal.labs.catch.options import CatchOptions
from carpal.tasks import Mark, Score, Task, options_as_dict, plain_numbers

if TYPE_CHECKING:
    from carpal.engines import Engine, Recording
    from carpal.labs.catch.cases import Case, Throw
    from carpal.labs.catch.catcher_numbers import CatcherNumbers
    from carpal.labs.catch.compiled import CompiledCatch
    from carpal.labs.catch.pair.pair_task import PairCatch
    from carpal.labs.catch.plan import Plan
    from carpal.model import Model, Scene, State
    from carpal.spatial import Array
    from carpal.tasks import Appendix, Curves

COLUMNS, ROWS, STEP_X, STEP_Y = 5, 6, 0.1, 0.07
"""The thesis's grid, numbered column by column (fig. 6.22)."""


class Catch(Task):
    """Is the ball caught, held, and dropped where it belongs?"""

    name = "catch"
    about = "A humanoid arm with a five-digit linkage hand catches a thrown ball and drops it in a bin (Yesmunt 2014)."
    example = "carpal catch --x 0.2 --y 0.14 --out out/catch"
    devices = ("cpu", "cuda")
    world_bytes = 30_000  # of scratch, state, plan and the watch on it
    number_groups: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "The ball": {
            "caught": "", "in_bin": "in the bin", "on_disc": "on the disc", "landing_error_m": "distance from the disc's centre",
            "catch_time_s": "planned catch", "first_touch_s": "first touch", "peak_contact_force_N": "largest force on it",
            "matched_share": "share of its speed that the hand matches",
        },
        "Error of the hand, from joint angles": {
            "max_position_error_mm": "largest, position", "max_position_error_before_mm": "largest before the touch",
            "mean_position_error_mm": "mean", "max_angle_error_deg": "largest, of the three angles",
            "max_angle_error_before_deg": "largest before the touch", "mean_angle_error_deg": "mean",
            "max_rotation_error_deg": "largest, rotation", "mean_rotation_error_deg": "mean",
            "max_true_hand_error_mm": "largest of the palm itself",
        },
        "Torques of the arm's joints": {"peak_torque_Nm": "largest", "peak_torque_before_Nm": "largest before the touch"},
        "Mechanism and inverse kinematics": {
            "widest_joint_gap_mm": "widest gap of any joint, the fingers' soft stops included",
            "depth_share": "deepest contact of the ball over half the thickness of the thinner side", "least_determinant": "",
            "ik_iterations": "most iterations", "ik_residual": "largest residual",
        },
    }  # fmt: skip
    """All are of every step; plots have a point for each recorded row."""
    view = ((-0.99, 0.36, -1.46), (0.09, -0.245, -0.26))
    option_groups = {  # noqa: RUF012
        "Ball": ("ball", "noise", "ball_mass", "ball_radius", "friction", "drag"),
        "Controller": (
            "controller", "gains", "speed_limit", "as_thesis", "close", "close_early", "approach_fraction", "ik", "torque_limit",
        ),
        "Throw back": ("throw", "target_x", "target_y", "target_ahead"),
        "Many throws": ("window", "vary", "grid"),
        "Another arm and hand": ("arm", "hand", "mount_frame", "mount", "setup"),
        "Numerics": ("engine", "dt", "appendix"),
    }  # fmt: skip
    Options = CatchOptions  # type: ignore[assignment]  # a class of its own file: there are many

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._case: Case | None = None
        self._correction: Array | None = None
        self._pair: PairCatch | None = None
        if self.options.open:
            object.__setattr__(self, "view", None)  # the camera is for Yesmunt's world, whose y is up

    @property
    def pair(self) -> PairCatch | None:
        """The catch by another arm and hand; None with Yesmunt's."""
        if self._pair is None and self.options.open:
            from carpal.labs.catch.pair.pair_task import PairCatch

            self._pair = PairCatch(self.options)
        return self._pair

    @property
    def seeds_wanted(self) -> int | None:
        """The grid's points are its seeds."""
        return COLUMNS * ROWS if self.options.grid else None

    def check(self) -> None:
        """Refuse what cannot work, in one sentence."""
        self.options.check_together()
        if self.pair:
            self.pair.check()
            return
        if not self.options.grid and not self.options.vary:
            self.case(0)
        _ = self.compiled(1.0, 1.0) if self.options.engine == "penalty" else None

    @property
    def dt(self) -> float:
        """Step of the penalty engine [s]."""
        thesis = self.options.as_thesis or self.options.gains == "thesis"
        return float(self.options.dt or (2e-5 if thesis else 1e-5))

    @property
    def largest_speed(self) -> float:
        """Of the arm's joints [rad/s]; infinite where there is no limit."""
        return math.inf if self.options.as_thesis or not self.options.speed_limit else self.options.speed_limit

    @property
    def ledger_counts(self) -> bool:
        """Whether an energy ledger that does not close makes a run invalid: not with the script's kick, and MuJoCo has none."""
        o = self.options
        return o.engine == "penalty" and not o.as_thesis and o.close != "kick"

    def numbers(self, mass: float = 1.0, friction: float = 1.0) -> CatcherNumbers:
        """What the catcher is made of, with factors on the ball's mass and the friction."""
        from carpal.labs.catch.catcher_numbers import THESIS_D, CatcherNumbers
        from carpal.labs.catch.controller import tuned_damping

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
        from carpal.labs.catch.cases import draw_throws

        return draw_throws([(self, seed)])[0]

    def case(self, seed: int) -> Case:
        """Throw, catcher and plan of a seed, planned once; a throw out of reach is refused with one sentence."""
        from carpal.labs.catch.cases import plan_cases

        if self._case is None or self._case.throw.seed != seed:
            case = plan_cases([(self, seed)])[0]
            if isinstance(case, str):
                raise InputError(case)
            self._case = case
        return self._case

    @property
    def current(self) -> Case:
        """The case that runs; that of seed 0 before any has begun."""
        return self._case or self.case(0)

    def plan_of(self, throw: Throw) -> Plan:
        """What the hand shall do for a throw, known or seen."""
        from carpal.labs.catch.controller import plan_throw

        return plan_throw(self, throw)

    @property
    def target(self) -> Array:
        """Centre (3) [m] of the disc that the ball is thrown back at."""
        return np.array([self.options.target_x, self.options.target_y, -self.options.target_ahead])

    @property
    def correction(self) -> Array:
        """Of the release velocity (3) [m/s], learned in rehearsals."""
        from carpal.labs.catch.controller import learned_correction

        if self._correction is None:
            self._correction = learned_correction(self)
        return self._correction

    def with_correction(self, correction: Array) -> Catch:
        """This task, replanned with another correction of the release velocity (3) [m/s]."""
        self._correction, self._case = correction, None
        return self

    @property
    def duration(self) -> float:
        """[s]."""
        if self.pair:
            return self.pair.duration
        return 1e-3 * math.ceil(self.current.plan.duration / 1e-3)

    @property
    def model(self) -> Model | None:
        """What `reset` gives the state of, where that is not the scene's model: the penalty engine's free bodies."""
        if self.pair:
            return self.pair.scene().build()
        return self.compiled(1.0, 1.0).engine.model if self.options.engine == "penalty" else None

    def scene(self) -> Scene:
        """Arm, hand, ball and bin, as the robot `catcher` in joint coordinates."""
        if self.pair:
            return self.pair.scene()
        from carpal.labs.catch.scene import GRAVITY, catcher_tree
        from carpal.model import Scene

        return Scene(self.name, gravity=GRAVITY).add_robot(catcher_tree(numbers=self.numbers()), name="catcher")

    def engine(self) -> Engine:
        """The penalty engine with the controller inside, or MuJoCo with the same commands."""
        if self.pair:
            return self.pair.begin(0)[0]
        throw, plan = self.current.throw, self.current.plan
        if self.options.engine == "mujoco":
            from carpal.labs.catch.mujoco_engine import MuJoCoCatchEngine

            return MuJoCoCatchEngine(self, throw, plan)
        from carpal.labs.catch.engine import CatchEngine

        return CatchEngine(self.compiled(throw.mass, throw.friction), lambda _time: plan)

    def reset(self, rng: np.random.Generator) -> State:
        """The ball in the thrower's hand, the arm in its start pose."""
        if self.pair:
            return self.pair.begin(0)[1]
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

    def begin(self, seed: int) -> tuple[Engine, State, Callable[[float, State], Array] | None]:
        """Engine and state of a seed's throw; the catcher's controller runs inside the engine."""
        if self.pair:
            return self.pair.begin(seed)
        self.case(seed)
        engine = self.engine()
        return engine, self._start(engine), None

    def record(self, seed: int, parts: Path | None, progress: bool) -> Recording:
        """One run; with another arm and hand a row of every fifth step."""
        if self.pair is None:
            return super().record(seed, parts, progress)
        return self.pair.record(seed, parts, progress, {"task": self.name, **options_as_dict(self.options)})

    def end(self, recording: Recording, engine: Engine) -> None:
        """What the run kept of itself goes into the recording's metadata."""
        if self.pair:
            self.pair.end(recording)
            return
        from carpal.labs.catch.series import keep_series

        keep_series(recording, engine, self.current.plan)

    def score(self, recording: Recording) -> Score:
        """What became of the ball."""
        if self.pair:
            return self.pair.score(recording)
        from carpal.labs.catch.compiled import fresh_watch
        from carpal.labs.catch.plan import Plan
        from carpal.labs.catch.score import Outcome, score_outcome
        from carpal.labs.catch.validity import recorded_is_kept

        throw, kept = self.draw(int(recording.metadata["seed"])), recording.metadata["catch"]
        plan = Plan.from_dict(kept) if "duration" in kept else self.plan_of(throw)  # older recordings keep a part of it
        watch = np.r_[kept["watch"], fresh_watch()[len(kept["watch"]) :]]  # older recordings watch less
        closes = not self.ledger_counts or recorded_is_kept(self.compiled(1.0, 1.0).engine, recording)
        outcome = Outcome(watch.astype(float), recording.q[-1, -7:-4], recording.v[-1, -6:-3], closes)
        return score_outcome(self.numbers(throw.mass, throw.friction), plan, outcome)

    @property
    def only_step_by_step(self) -> str:
        """Any other engine than the penalty's."""
        if self.pair:
            return "another arm and hand"
        return "" if self.options.engine == "penalty" else f"engine {self.options.engine}"

    @classmethod
    def score_worlds(cls, worlds: Sequence[tuple[Catch, int]], device: str = "cpu") -> list[Score]:
        """Throws that share a catcher are worlds of one launch."""
        from carpal.labs.catch.cases import score_cases

        if any(task.only_step_by_step for task, _ in worlds):
            return super().score_worlds(worlds, device)
        return score_cases(worlds, device)

    def appendix(self, recording: Recording) -> Sequence[Appendix]:
        """The thesis's figures."""
        if self.pair:
            return ()
        from carpal.labs.catch.figures import figures_of

        return figures_of(self, recording)

    def first_curves(self, recording: Recording) -> Sequence[Curves]:
        """Error of the hand, torques of the arm, forces on the ball."""
        if self.pair:
            return self.pair.curves(recording)
        from carpal.labs.catch.figures import first_curves

        return first_curves(recording)

    def resolved(self) -> dict[str, Any]:
        """The step that it takes."""
        if self.pair:
            return {"dt": self.pair.setup.dt}
        return {"dt": self.dt if self.options.engine == "penalty" else 1e-4}

    def marks(self, recording: Recording | None = None) -> Sequence[Mark]:
        """The throw, up to the first touch."""
        from carpal.labs.catch.figures import thrown_path

        path = None if recording is None else thrown_path(recording)
        return () if path is None else (Mark("throw", path, "path"),)

    def curves(self, recording: Recording) -> Sequence[Curves]:
        """Torques, errors and profiles."""
        if self.pair:
            return self.pair.curves(recording)
        from carpal.labs.catch.figures import motion_curves

        return motion_curves(recording)

    def campaign_appendix(self, rows: Sequence[dict[str, Any]]) -> Sequence[Appendix]:
        """All points of the grid, or all throws, beside the thesis's figures."""
        from carpal.labs.catch.grid_figures import grid_figures

        return grid_figures(self, rows)

    def summary(self, score: Score) -> dict[str, Any]:
        """The main numbers, for the top level of the JSON."""
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

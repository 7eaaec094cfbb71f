"""reach: an arm moves to a point and holds there by PD with gravity compensation.

The smallest whole task: a scene, an engine, a seeded start, a policy, a score, and a compiled run loop beside the policy.
The joint target comes from inverse kinematics once; the joints follow a quintic from the start to it (at rest at both ends)
during the first two thirds of the time and hold it for the last third.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from carpal.errors import InputError, MissingInertiaError, UnreachableError
from carpal.tasks.marks import Mark
from carpal.tasks.options import option
from carpal.tasks.task import Score, Task

if TYPE_CHECKING:
    from carpal.engines import Engine, Recording
    from carpal.model import Model, Scene, State
    from carpal.spatial import Array
    from carpal.tasks.appendix import Curves
    from carpal.tasks.reach.lesson import ReachLesson
    from carpal.tasks.reach.servo import Servo

MOVING = 2.0 / 3.0
"""The share of the time in which the reference moves."""
SETTLING = 6.0
"""Settling time of a critically damped joint times its frequency: what is left then is below 2 %."""


class Reach(Task):
    """Does the tool come to a point, and stay there?"""

    name = "reach"
    option_groups = {"Control": ("stiffness", "damping", "spread"), "Numerics": ("engine", "dt", "inertia", "tool")}  # noqa: RUF012
    about = "An arm moves to a point and holds there by PD with gravity compensation."
    example = "carpal reach --robot sawyer --target 0.5 0.2 0.4 --out out/reach"
    devices = ("cpu", "cuda")
    number_groups: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "At the target": {
            "position_error_m": "distance to the target at the end", "settling_time_s": "inside the tolerance from",
            "end_position_m": "the tool ends at",
        },
        "Use of the limits": {"speed_share": "largest joint speed", "effort_share": "largest joint effort"},
        "Run": {"end_time_s": "duration", "energy_residual_J": "largest energy residual"},
    }  # fmt: skip

    @dataclass(frozen=True)
    class Options:
        """What can be chosen."""

        robot: str = option("sawyer", "A catalogue name (see `carpal robots`) or a .urdf, .xml or .mjcf file.")
        inertia: str = option("published", "Mass properties of a catalogue robot.", choices=("published", "assumed"))
        tool: str = option("", "The frame that is the tool; by default the robot's own.")
        target: tuple[float, ...] = option(
            (), "Where the tool goes; by default a point that the robot reaches.", unit="m"
        )
        tolerance: float = option(1e-3, "How near counts as there.", unit="m", above=0.0)
        duration: float = option(3.0, "How long the run is; two thirds of it to move.", unit="s", above=0.0)
        stiffness: float = option(100.0, "kp over the inertia that a joint feels.", unit="1/s^2", above=0.0)
        damping: float = option(1.0, "Damping ratio; 1 is critical.", at_least=0.0)
        spread: float = option(0.05, "Each joint starts this far from home at most, drawn with the seed.",
                               unit="rad, m", at_least=0.0)  # fmt: skip
        engine: str = option("rigid", "What moves the arm.", choices=("rigid", "mujoco"))
        dt: float = option(1e-3, "Length of a step.", unit="s", above=0.0)

    def check(self) -> None:
        """Refuse what cannot work, in one sentence: an unknown robot, a target out of reach, a step longer than the run."""
        if self.options.dt > self.options.duration:
            raise InputError(
                f"dt must not be longer than the duration {self.options.duration:g} s; got {self.options.dt:g}."
            )
        if not self.model.has_inertia:
            raise MissingInertiaError(
                f"no masses are published for robot '{self.options.robot}', so forces cannot move it; a catalogue robot "
                "takes inertia 'assumed' (--inertia assumed), another one needs inertias in its description."
            )
        _ = self.goal

    @functools.cached_property
    def target(self) -> tuple[float, ...]:
        """Where the tool goes (3) [m]: the option's point, else `default_target`'s."""
        from carpal.tasks.reach.default_target import default_target

        given = self.options.target
        if len(given) not in (0, 3):
            raise InputError(f"target needs 3 numbers; got {len(given)}: {', '.join(f'{x:g}' for x in given)}.")
        return tuple(given) if given else tuple(float(x) for x in default_target(self.model))

    def scene(self) -> Scene:
        """The robot, alone."""
        from carpal.model import Scene, load, robots

        robot = self.options.robot
        options: dict[str, Any] = {"inertia": "assumed"} if self.options.inertia == "assumed" else {}
        options |= {"tool": self.options.tool} if self.options.tool else {}
        # a file is read in a capped child process: its name may come from a page or a stranger's settings
        known = robot in robots()
        return Scene(self.name).add_robot(
            robot if known else load(robot, untrusted=True, **options), name="arm", **(options if known else {})
        )

    @functools.cached_property
    def model(self) -> Model:
        """The built scene."""
        model = self.scene().build()
        for body in model.bodies:
            if body.joint.kind in ("ball", "free"):
                raise InputError(
                    f"reach moves revolute and prismatic joints; '{body.joint.name}' of '{self.options.robot}' "
                    f"is a {body.joint.kind} joint."
                )
        return model

    @functools.cached_property
    def goal(self) -> Array:
        """The configuration (nq) that brings the tool to the target, nearest to home."""
        from carpal.kinematics import ik

        found = ik(self.model, np.array(self.target), self.model.q_home)
        if not found:
            raise UnreachableError(f"the target {_point(self.target)} is not reachable: {found.status}")
        return found.q

    @functools.cached_property
    def servo(self) -> Servo:
        """Gains of every joint, like a mass on a spring of one frequency where dampers and friction leave it that."""
        from carpal.tasks.reach.servo import servo

        options = self.options
        how = {
            "stiffness": options.stiffness,
            "damping": options.damping,
            "tolerance": options.tolerance,
            "dt": options.dt,
        }
        return servo(self.model, self.goal, **how)

    def engine(self) -> Engine:
        """Joint space without contact, or MuJoCo."""
        from carpal.engines import MuJoCoEngine, RigidEngine

        kind = RigidEngine if self.options.engine == "rigid" else MuJoCoEngine
        return kind(self.model, dt=self.options.dt)

    def reset(self, rng: np.random.Generator) -> State:
        """At rest, near home."""
        from carpal.model import State

        home = State.home(self.model)
        q = home.q + self.options.spread * rng.uniform(-1.0, 1.0, self.model.nq)
        q = np.clip(q, self.model.q_min, self.model.q_max)
        if self.model.couplings or self.model.loops:
            from carpal.kinematics import satisfy_constraints

            q = satisfy_constraints(self.model, q).q
        return home.replace(q=q)

    @property
    def duration(self) -> float:
        """[s]."""
        return float(self.options.duration)

    @property
    def moving(self) -> float:
        """How long the reference moves [s]."""
        return MOVING * self.duration

    def policy(self) -> Approach:
        """Follow the quintic, hold the goal."""
        return Approach(self)

    def lesson(self) -> ReachLesson:
        """Joint speeds bring the tool to a point."""
        from carpal.tasks.reach.lesson import ReachLesson

        return ReachLesson(self)

    def resolved(self) -> dict[str, Any]:
        """The target that it goes to."""
        return {"target": tuple(round(x, 4) for x in self.target)}

    def marks(self, recording: Recording | None = None) -> Sequence[Mark]:
        """Where the tool goes."""
        return (Mark("target", np.array(self.target)),)

    def score(self, recording: Recording) -> Score:
        """Whether the tool is at the target and stays, and what it took."""
        touching = [f"'{c.a or 'world'}' and '{c.b or 'world'}'" for c in recording.contacts[-1]]
        rows = recording.time, recording.q, recording.v, recording.u, recording.energy["residual"]
        return self._score(*rows, touching=touching[0] if touching else "")

    def first_curves(self, recording: Recording) -> Sequence[Curves]:
        """How far the tool is from its target, and the use of the joints' limits, or else their speeds and efforts."""
        from carpal.kinematics import fk
        from carpal.tasks.appendix import Curves

        model, time = self.model, recording.time
        away = np.linalg.norm(fk(model, recording.q)[:, :3, 3] - np.array(self.target), axis=-1)
        values = 1e3 * np.stack([away, np.full_like(away, self.options.tolerance)], axis=1)
        joints = tuple(name.removeprefix("arm/") for name in model.joint_names)
        shares = [
            Curves(f"reach.{key}", f"Joint {what} over their limits", "%", joints, time, 100 * np.abs(rows) / limit)
            for key, what, rows, limit in (("speed", "speeds", recording.v, model.v_max), ("effort", "efforts", recording.u,
                                                                                         model.tau_max))
            if np.isfinite(limit).all()
        ]  # fmt: skip
        return [Curves("reach.away", "Distance to the target", "mm", ("tool", "tolerance"), time, values), *shares]

    @property
    def only_step_by_step(self) -> str:
        """Any other engine than the rigid one, and robots that need its general step."""
        if self.options.engine != "rigid":
            return f"engine {self.options.engine}"
        general = getattr(self.engine(), "general", None) is not None
        return "the general step of the rigid engine (springs, couplings, loops, stiff joints, ...)" if general else ""

    def score_compiled(self, seeds: Sequence[int], device: str) -> list[Score]:
        """Scores of some seeds by the compiled run loop, for the rigid engine."""
        from carpal.tasks.compiled_batches import score_in_batches
        from carpal.tasks.reach.compiled import run_compiled, world_bytes

        return score_in_batches(
            self, seeds, world_bytes(self), lambda some: run_compiled(self, some, device=device),
            lambda run, i: self._score(run.time, run.q[i], run.v[i], run.u[i], run.residual[i]),
        )  # fmt: skip

    def _score(self, time: Array, q: Array, v: Array, u: Array, residual: Array, *, touching: str = "") -> Score:
        from carpal.kinematics import fk

        model, options = self.model, self.options
        error = np.linalg.norm(fk(model, q)[:, :3, 3] - np.array(self.target), axis=-1)
        far = np.flatnonzero(error > options.tolerance)
        settled = np.nan if len(far) and far[-1] == len(error) - 1 else time[far[-1] + 1] if len(far) else time[0]
        fast, strong = share_of_limit(v, model.v_max), share_of_limit(u, model.tau_max)
        numbers = {
            "position_error_m": float(error[-1]), "settling_time_s": float(settled), "end_time_s": float(time[-1]),
            "speed_share": largest_known(fast), "effort_share": largest_known(strong),
            "energy_residual_J": float(np.abs(residual).max()), "end_position_m": fk(model, q[-1])[:3, 3].tolist(),
        }  # fmt: skip
        where = _point(self.target)
        if not np.isfinite(settled):
            cause = self._cause(time, error, v, u, touching)
            return Score(False, f"missed {where} by {1e3 * error[-1]:.3g} mm after {time[-1]:.3g} s; {cause}.", numbers)
        if numbers["speed_share"] > 1.0:
            joint = model.joint_names[int(np.nanargmax(fast))]
            longer = 1.1 * numbers["speed_share"] * self.duration
            status = (
                f"reached {where}, but '{joint}' moved at {numbers['speed_share']:.3g} times its largest speed; "
                f"give it a longer duration: {longer:.2g} s is long enough."
            )
            return Score(False, status, numbers)
        near = f"{1e3 * options.tolerance:g} mm from {settled:.3g} s on"
        status = f"reached {where} within {1e3 * error[-1]:.2g} mm; within {near}."
        return Score(True, status, numbers)

    def _cause(self, time: Array, error: Array, v: Array, u: Array, touching: str) -> str:
        """Why the tool is not at its target at the end, and what to change."""
        from carpal.tasks.reach.servo import holding_forces

        model = self.model
        load = np.abs(holding_forces(model, self.goal))
        weak = load - model.tau_max
        if (weak > 0).any():
            k = int(np.argmax(weak))
            return (
                f"joint '{model.joint_names[k]}' needs {load[k]:.3g} N m (N) to hold the arm there and has "
                f"{model.tau_max[k]:.3g}: no duration helps"
            )
        hold = int(np.searchsorted(time, self.moving))
        settling = SETTLING / np.sqrt(self.options.stiffness)
        left = time[-1] - self.moving
        if left < settling:
            return f"it had {left:.2g} s to settle, which takes about {settling:.2g} s: give it a longer duration"
        third = max(1, (len(time) - hold) // 3)
        before, after = error[-2 * third : -third], error[-third:]
        if after.max() < 0.7 * before.max():
            return "it is still coming nearer: give it a longer duration"
        if touching:
            return f"it comes no nearer, because {touching} touch"
        speed = np.abs(v[-third:]).max(axis=0)
        full = np.abs(u[-third:]).max(axis=0) >= (1 - 1e-9) * model.tau_max
        moving = int(np.argmax(speed))
        if speed[moving] * time[-1] > 1e-2:
            what = f"joint '{model.joint_names[moving]}' still moves at {speed[moving]:.3g} rad/s (m/s)"
            effort = ", at its largest effort" if full[moving] else ""
            return f"{what}{effort} and comes no nearer: the loop does not settle with these gains, this step and this engine"
        drive = f"joint '{model.joint_names[int(np.argmax(full))]}' is at its largest effort" if full.any() else (
            f"something holds the arm against its drives in the engine '{self.options.engine}'"
        )  # fmt: skip
        return f"the arm has come to rest, so a longer duration will not help: {drive}"


class Approach:
    """The policy: PD with gravity compensation along a quintic from the first state that it sees to the goal."""

    def __init__(self, task: Reach) -> None:
        self._task = task
        self._law: Any = None

    def __call__(self, time: float, state: State) -> Array:
        """Forces u (nv) [N m, N]."""
        if self._law is None:
            from carpal.control import GravityPD
            from carpal.tasks.reach.compiled import reference

            task, q_start = self._task, state.q.copy()
            self._law = GravityPD(
                task.model,
                task.servo.kp,
                task.servo.kd,
                lambda t: reference(q_start, task.goal, task.moving, t),
                limited=True,
            )
        largest = self._task.model.tau_max
        u: Array = self._law(time, state)
        return np.clip(u + self._task.servo.hold, -largest, largest)


def share_of_limit(values: Array, largest: Array) -> Array:
    """How much of its largest value each joint used: (nv); NaN, unknown, where there is no limit; nothing of nothing is 0."""
    most = np.abs(values).max(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.isinf(largest), np.nan, np.where(most == 0, 0.0, most / largest))


def largest_known(shares: Array) -> float:
    """The largest share that is known; NaN, null in JSON, where none is."""
    return float(np.nanmax(shares)) if np.isfinite(shares).any() or np.isinf(shares).any() else np.nan


def _point(target: Sequence[float]) -> str:
    return "(" + ", ".join(f"{x:g}" for x in target) + ") m"

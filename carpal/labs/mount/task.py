"""mount: an arm moves on a table that is free to slide, and the table's cables hold it still (Alkire 2020).

The plant is forward dynamics of arm and table in one tree; the prediction is the rate of the arm's own momentum. Control
"none" leaves the table free, "open" gives the pulleys the predicted reaction, "closed" adds a PID on the sensed position.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from carpal.errors import DivergedError, InputError
from carpal.labs.mount.options import MountOptions, parse_pulse
from carpal.tasks import Score, Task, default_target, plain_numbers

if TYPE_CHECKING:
    from carpal.engines import Engine, Recording
    from carpal.kinematics import JointMotion
    from carpal.labs.mount.cases import Case
    from carpal.labs.mount.controller import HoldStill
    from carpal.labs.mount.lesson import MountLesson
    from carpal.labs.mount.robot import Table
    from carpal.labs.mount.table import PIDGains
    from carpal.model import Model, Scene, State
    from carpal.spatial import Array
    from carpal.tasks import Appendix, Curves, Mark, MovingMark


@dataclass(frozen=True, eq=False)
class Drawn:
    """Random draws of a seed: factors on the masses that the prediction uses, and the seed of the noise."""

    weights: Array
    seed: float


class Mount(Task):
    """Does the mount stay in place while the arm moves?"""

    option_groups = {  # noqa: RUF012
        "Motion": (
            "target", "joints", "attitude", "motion", "minimise", "weights", "acceleration", "move_time", "circle",
            "circle_time", "duration", "endurance", "tolerance",
        ),
        "Controller": ("law", "disturbance", "feedback", "gain", "damping", "bandwidth", "drive"),
        "Table and cables": (
            "base", "stand_stiffness", "table_mass", "sled_mass", "pulley_radius", "pulley_inertia", "cable_stiffness",
            "cable_damping", "pretension", "table_damping", "table_friction", "tilt",
        ),
        "Motors and sensors": (
            "torque_max", "slip_torque", "torque_step", "command_noise", "sensor_noise", "sensor_step", "sensor_bias", "delay",
            "encoder_noise", "encoder_step",
        ),
        "Faults and errors": (
            "pulse", "push", "mass_error", "mass_spread", "joint_damping", "joint_friction", "friction_known", "dead_joint",
            "dead_time", "worn_joint", "worn_rate",
        ),
        "Numerics": ("engine", "integrator", "dt"),
    }  # fmt: skip
    name = "mount"
    about = "An arm moves on a sliding table whose cables cancel the arm's reaction (Alkire 2020)."
    example = "carpal mount --case 3 --control closed --pulse default --out out/mount"
    devices = ("cpu", "cuda")
    number_groups: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "The table": {
            "final_displacement_m": "displacement at the end", "peak_displacement_m": "largest displacement",
            "shift_m": "displacement at the end, x and y", "final_speed_m_s": "speed at the end",
            "settling_s": "within 1 µm from", "cm_drift_m": "largest way of the centre of mass",
        },
        "The tool": {
            "reached_m": "distance to the target at the end", "arrival_s": "inside the tolerance from",
            "printed_miss_m": "distance to the printed target", "tracking_error_m": "largest error on the circle",
        },
        "Forces": {
            "peak_force_N": "largest reaction of the arm", "peak_torque_Nm": "largest torque of a pulley",
            "least_tension_N": "least tension of a cable", "largest_tension_N": "largest tension of a cable",
            "slack": "a cable is slack",
        },
        "Run": {
            "duration_s": "duration", "delay_limit_s": "largest delay of the sensor",
            "joint_speed_share": "largest joint speed over its limit",
            "energy_residual_J": "largest energy residual", "pid_gains": "gains kp, ki, kd", "damping_factor": "damping factor",
        },
    }  # fmt: skip
    Options = MountOptions  # type: ignore[assignment]  # a class of its own file: there are many

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._drawn: Drawn | None = None

    def check(self) -> None:
        """Refuse options that cannot work, in one sentence."""
        from carpal.labs.mount.motions import check_reachable

        options = self.options
        asked = [name for name in ("case", "target", "joints") if getattr(options, name)]
        if len(asked) > 1:
            raise InputError(f"give one of case, target and joints; got {' and '.join(asked)}.")
        if options.case not in (0, 1, 2, 3, 4):
            raise InputError(f"case must be 1, 2, 3 or 4; got {options.case}.")
        if options.target and len(options.target) != 3:
            raise InputError(f"target needs 3 numbers (x, y, z) [m]; got {len(options.target)}.")
        options.check_together()
        for name in ("dead_joint", "worn_joint"):
            if getattr(options, name) > self.arm.nv:
                raise InputError(f"{name} must be 1 to {self.arm.nv}, or 0 for none; got {getattr(options, name)}.")
        _ = self.pulses
        if options.target and not options.circle:
            check_reachable(self.arm, self.target)
        _ = self.motion

    @functools.cached_property
    def case(self) -> Case | None:
        """Alkire's case; 1 by default, for a Sawyer."""
        from carpal.labs.mount.cases import ARMS, CASES

        options = self.options
        if options.robot not in ARMS:
            if options.case:
                raise InputError(
                    f"cases are movements of {' or '.join(ARMS)}; for '{options.robot}' give target or joints."
                )
            return None
        number = options.case or (0 if options.target or options.joints else 1)
        return CASES.get(number)

    @functools.cached_property
    def table(self) -> Table:
        """The table's parameters."""
        from carpal.labs.mount.robot import Table

        o = self.options
        return Table(
            o.table_mass, o.sled_mass, o.pulley_radius, o.pulley_inertia, o.cable_stiffness, o.cable_damping,
            o.pretension, o.table_damping, o.table_friction, o.tilt, o.base == "rail",
            o.stand_stiffness if o.base == "stand" else 0.0,
        )  # fmt: skip

    @functools.cached_property
    def arm(self) -> Model:
        """The arm alone, as the controller knows it."""
        from carpal.labs.mount.robot import arm_model

        gravity = np.zeros(3) if self.floating else self.table.gravity
        options = self.options
        return arm_model(options.robot, gravity, tool=options.tool, inertia=options.inertia)

    @property
    def floating(self) -> bool:
        """Whether the base floats instead of sliding."""
        return bool(self.options.base == "floating")

    @functools.cached_property
    def model(self) -> Model:
        """The plant."""
        from carpal.labs.mount.scene import plant_model

        o = self.options
        return plant_model(
            self.arm, self.table, floating=self.floating, joint_damping=o.joint_damping, joint_friction=o.joint_friction
        )

    @functools.cached_property
    def target(self) -> Array:
        """Goal of the tool (3) [m] in the arm's frame; for a joint move its end."""
        from carpal.kinematics import fk

        if self.options.joints:
            p: Array = fk(self.arm, np.array(self.options.joints))[:3, 3]
            return p
        if self.case:
            return self.case.target(self.arm)
        return np.array(self.options.target) if self.options.target else default_target(self.arm)

    @functools.cached_property
    def motion(self) -> JointMotion:
        """The arm's motion."""
        from carpal.labs.mount.endurance import there_and_back
        from carpal.labs.mount.motions import motion_of

        motion = motion_of(self)
        return there_and_back(motion, self) if self.options.endurance else motion

    @functools.cached_property
    def pulses(self) -> Array:
        """External forces: rows (fx, fy, from, until)."""
        return parse_pulse(self.options.pulse, self.options.push)

    @functools.cached_property
    def gains(self) -> PIDGains:
        """The table's PID, from the mass that slides."""
        from carpal.labs.mount.table import pid_gains

        return pid_gains(self.sliding_mass, self.options.bandwidth)

    @functools.cached_property
    def sliding_mass(self) -> float:
        """Mass [kg] that slides along x: arm, table, both sleds, and what the pulleys add."""
        table = self.table
        mass = sum(body.inertia.mass for body in self.arm.bodies if body.inertia) + table.mass + table.sled_mass
        return float(mass + table.added_mass)

    @functools.cached_property
    def unstable(self) -> str:
        """Why the table's loop cannot settle; empty where it can."""
        from carpal.labs.mount.loop_stability import unstable_loop

        return unstable_loop(self)

    @property
    def dt(self) -> float:
        """Length of a period and of a step [s]; Alkire's unlimited gain needs a tenth of the usual one."""
        return float(self.options.dt * (0.1 if self.options.gain == "unlimited" else 1.0))

    @property
    def duration(self) -> float:
        """[s]."""
        return float(self.options.circle_time if self.options.circle else self.options.duration)

    def record(self, seed: int, parts: Path | None, progress: bool) -> Recording:
        """Step by step, or for hours."""
        from carpal.labs.mount.endurance import record_endurance

        try:
            if self.options.endurance:
                return record_endurance(self, seed, parts, progress)
            return super().record(seed, parts, progress)
        except DivergedError as error:
            if not self.unstable:
                raise
            cause = DivergedError(f"the run diverged at t = {_end_of(error):.4g} s: {self.unstable}.")
            cause.recording = error.recording
            raise cause from None

    def scene(self) -> Scene:
        """The arm on its sliding mount; masses of the table and its drives are added to the built model."""
        from carpal.labs.mount.scene import mount_scene

        return mount_scene(self.arm, self.table, floating=self.floating)

    def engine(self) -> Engine:
        """Joint space without contact, or MuJoCo."""
        from carpal.engines import MuJoCoEngine
        from carpal.labs.mount.scene import plant_engine

        if self.options.engine == "mujoco":
            return MuJoCoEngine(self.model, dt=self.dt, integrator=self.options.integrator, limits=False)
        return plant_engine(self.model, self.table, self.arm, dt=self.dt, prescribed=self.options.drive == "exact")

    def draw(self, rng: np.random.Generator) -> Drawn:
        """Random draws: masses of the prediction, noise."""
        rows = len(self.arm.tables.joints)
        spread = self.options.mass_spread * rng.uniform(-1.0, 1.0, rows)
        return Drawn((1.0 + self.options.mass_error) * (1.0 + spread), float(rng.integers(1 << 52)))

    def reset(self, rng: np.random.Generator) -> State:
        """At rest, the table at its origin, the arm where its motion starts."""
        from carpal.model import State

        self._drawn = self.draw(rng)
        return State.home(self.model).replace(q=self.start)

    @property
    def start(self) -> Array:
        """The plant's q at the start."""
        from carpal.labs.mount.scene import arm_offsets

        q = np.array(self.model.q_home)
        first = arm_offsets(self.floating)[0]
        q[first : first + self.arm.nq] = self.motion.q[0]
        return q

    def policy(self) -> HoldStill:
        """The controller: the arm follows its motion, the table cancels the reaction."""
        from carpal.labs.mount.controller import HoldStill

        if self._drawn is None:
            self._drawn = self.draw(np.random.default_rng(0))
        return HoldStill(self, self._drawn)

    def lesson(self) -> MountLesson:
        """Forces on the table hold it still."""
        from carpal.labs.mount.lesson import MountLesson

        return MountLesson(self)

    def score(self, recording: Recording) -> Score:
        """The mount's displacement, and whether it is within the tolerance."""
        from carpal.labs.mount.score import score_run

        return score_run(self, recording.time, recording.q, recording.v, recording.u, recording.energy["residual"])

    @property
    def only_step_by_step(self) -> str:
        """Any other engine than the rigid one, arms that need its general step, and runs of hours."""
        if self.options.engine != "rigid":
            return f"engine {self.options.engine}"
        if getattr(self.engine(), "general", None) is not None:
            return "the general step of the rigid engine (springs, couplings, loops, ...)"
        return "endurance" if self.options.endurance else ""

    def score_compiled(self, seeds: Sequence[int], device: str) -> list[Score]:
        """Scores of some seeds by the compiled run loop, for the rigid engine."""
        from carpal.labs.mount.compiled import run_compiled, world_bytes
        from carpal.labs.mount.score import score_run
        from carpal.tasks import score_in_batches

        return score_in_batches(
            self, seeds, world_bytes(self), lambda some: run_compiled(self, some, device=device),
            lambda run, i: score_run(self, run.time, run.q[i], run.v[i], run.u[i], run.residual[i]),
        )  # fmt: skip

    def first_curves(self, recording: Recording) -> Sequence[Curves]:
        """The table's displacement, what the cables do, how far the tool is from its target."""
        from carpal.labs.mount.figures import first_curves

        return first_curves(self, recording)

    def marks(self, recording: Recording | None = None) -> Sequence[Mark]:
        """The tool's target, or its circle, where the table stands still."""
        from carpal.labs.mount.drawn_marks import target_marks

        return target_marks(self)

    def moving_marks(self, recording: Recording) -> Sequence[MovingMark]:
        """Forces on the table: the arm's reaction, the cables', pushes."""
        from carpal.labs.mount.drawn_marks import force_marks

        return force_marks(self, recording)

    def appendix(self, recording: Recording) -> Sequence[Appendix]:
        """The published figures for the published cases."""
        from carpal.labs.mount.figures import figures_of

        plain = self.options.motion == "tracking" and not self.options.circle and self.options.gain == "limited"
        return [figures_of(self)] if self.case is not None and plain and not self.options.cable_stiffness else []

    def summary(self, score: Score) -> dict[str, Any]:
        """First entries of the JSON."""
        from carpal.labs.mount.cases import CASES

        number = next((k for k, case in CASES.items() if case is self.case), None)
        chosen = {"robot": self.options.robot, "case": number, "control": self.options.control, "law": self.options.law}
        return chosen | plain_numbers(score.numbers)


def _end_of(error: DivergedError) -> float:
    """When a run that diverged ended [s]."""
    time: Any = getattr(error.recording, "time", ())
    return float(time[-1]) if len(time) else float("nan")

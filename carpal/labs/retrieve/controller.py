"""RetrieveCycle: the state machine of a pick-up, run stage by stage in simulation (Leutenegger 2008, 7.8).

The controller sees only images, joint readings and the gripper's drive; the true state is in `RetrieveWorld`. A failed closing,
or a relay lost in the small lift, is retried once with new images. A collision ends the pick-up where the arm stands.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.labs.retrieve.cycle.abort import abort_cycle
from carpal.labs.retrieve.cycle.closing import Closing, close_on, still_held
from carpal.labs.retrieve.cycle.retrace import retraced
from carpal.labs.retrieve.cycle.stage_report import StageReport, gripped, moved
from carpal.labs.retrieve.gripper.settings import GripperSettings
from carpal.labs.retrieve.planning.cycle_plan import CyclePlan, plan_cycle
from carpal.labs.retrieve.planning.pick_setting import PLACE, PickSetting
from carpal.labs.retrieve.relay.error_budget import ErrorBudget, grasp_budget
from carpal.labs.retrieve.relay.held_relay import gripper_poses, standing
from carpal.labs.retrieve.relay.relay import relay_pose
from carpal.labs.retrieve.relay.swing import FRAME, SETTLE
from carpal.labs.retrieve.robot import STROKE
from carpal.labs.retrieve.scene import HOME, OPEN
from carpal.labs.retrieve.score import RetrieveResult, cycle_result
from carpal.labs.retrieve.simulation.true_motion import TrueMotion, follow_free, follow_held
from carpal.labs.retrieve.simulation.true_scene import CARRIED, NEAR_GROUND, true_model
from carpal.labs.retrieve.simulation.world import RetrieveWorld
from carpal.labs.retrieve.vision.localisation import CLICK_NOISE, Localised, localise, locate_clicked
from carpal.model import Model
from carpal.planning import AngleHistory, Trajectory
from carpal.spatial import Array

STAGES = (
    "localise",
    "plan",
    "approach",
    "grasp",
    "close",
    "lift",
    "carry",
    "bring",
    "lower",
    "open",
    "retreat",
    "home",
)
HELD = ("lift", "carry", "bring", "lower")
BACK = 1.5
"""Distance [m] by which the rover backs off before the arm swings to its other side."""


def backed_off(X_WO: Array) -> Array:
    """The relay's pose relative to a rover that has backed off."""
    out = np.array(X_WO)
    out[0, 3] += BACK
    return out


class RetrieveCycle:
    """One pick-up: `step()` runs the next stage, `run()` all of them.

    Args:
        world: the simulated truth.
        planner, seed, place: as of `PickSetting`.
        points: (left, right) clicked pixels (4, 2) each; None: the marks are found in the images.
        plan: a stored plan, executed without planning.
        gripper: settings of the gripper's drive.

    Example:
        >>> cycle = RetrieveCycle(RetrieveWorld((0.45, 0.25, -2.0), seed=1), planner="sbl")
        >>> while not cycle.done:
        ...     print(cycle.step())
        >>> print(cycle.result())
    """

    STAGES: tuple[str, ...] = STAGES

    def __init__(
        self,
        world: RetrieveWorld,
        *,
        planner: str = "sbl",
        seed: int = 0,
        place: tuple[float, float] = PLACE,
        points: tuple[ArrayLike, ArrayLike] | None = None,
        plan: CyclePlan | None = None,
        gripper: GripperSettings | None = None,
    ) -> None:
        self.world = world
        self.setting = PickSetting(planner, seed, place, terrain=world.terrain)
        self.gripper = GripperSettings() if gripper is None else gripper
        self.points, self.noise = points, CLICK_NOISE
        self.images: tuple[np.ndarray, np.ndarray] | None = None
        self.localisation: Localised | None = None
        self.chosen: CyclePlan | None = None
        self.budget: ErrorBudget | None = None
        self.closing: Closing | None = None
        self.reports: list[StageReport] = []
        self.travelled: list[Trajectory] = []
        self.q, self.opening, self.clock = np.array(HOME), OPEN, 0.0
        self.X_WO, self.phi, self.held = world.X_WO, 0.0, False
        self.seen = relay_pose(*world.relay_at)
        self.failure = self.cause = ""
        self.tries, self.image_pairs = 0, 0
        self.aborted = False
        self._stored = plan
        self._queue = list(STAGES)

    @property
    def model(self) -> Model:
        """The model whose coordinates the rows of the reports hold."""
        return true_model(self.world.terrain)

    @property
    def stage(self) -> str:
        """Name of the next stage; empty at the end."""
        return self._queue[0] if self._queue else ""

    @property
    def done(self) -> bool:
        """Whether no stage is left."""
        return not self._queue

    @property
    def ok(self) -> bool:
        """Whether the relay was delivered."""
        return self.done and self.result().ok

    @property
    def status(self) -> str:
        """One true sentence."""
        return self.result().status

    def run(self) -> RetrieveResult:
        """Run all remaining stages."""
        while not self.done:
            self.step()
        return self.result()

    def new_images(self) -> tuple[np.ndarray, np.ndarray]:
        """Take another pair of images."""
        self.seen = self.X_WO if self.image_pairs else relay_pose(*self.world.relay_at)
        self.images = self.world.images(self.image_pairs, self.seen)
        self.image_pairs += 1
        return self.images

    def localise(
        self, left: ArrayLike | None = None, right: ArrayLike | None = None, *, noise: float = CLICK_NOISE
    ) -> Localised:
        """Localise the relay from clicked pixels (4, 2) in both images, or from marks found in new images."""
        if left is not None and right is not None:
            self.localisation = locate_clicked(self.world.pair, left, right, self.setting.relay, noise=noise)
        else:
            self.localisation = localise(self.world.pair, *self.new_images(), self.setting.relay)
        return self.localisation

    def plan(self) -> CyclePlan:
        """Plan all motions up to home for the localised relay."""
        if self._stored is not None and not self.tries:  # it begins at home
            self.chosen = self._stored
            return self.chosen
        if self.localisation is None or self.localisation.X_WO is None:
            raise InputError("the relay has not been localised; localise it first.")
        self.chosen = plan_cycle(self.setting, self.localisation.X_WO, self.q)
        if self.chosen and self.localisation.pose is not None:
            q = self.chosen.move("grasp").trajectory.q_end
            self.budget = grasp_budget(
                self.setting.model, q, self.localisation.X_WO, np.asarray(self.localisation.pose.covariance)
            )
            if not self.budget:
                self.chosen = CyclePlan(
                    False, self.budget.status, "error budget", self.chosen.reach, (), self.localisation.X_WO
                )
        return self.chosen

    def step(self) -> StageReport:
        """Run the next stage in simulation."""
        if self.done:
            raise InputError("the pick-up has ended: there is no next stage.")
        name = self._queue.pop(0)
        if name == "localise":
            report = self._found()
        elif name == "plan":
            plan = self.chosen if self.chosen is not None and not self.tries else self.plan()
            report = StageReport(name, plan.ok, plan.status)
            if not plan:
                self._fail(plan.status, plan.cause)
            elif plan.stow is not None and np.allclose(self.q, HOME):
                self._queue = ["stow", *STAGES]
        elif name == "stow":
            report = self._stow()
        elif name == "close":
            report = self._close()
        elif name == "open":
            report = self.open_to(OPEN)
        elif name in ("back off", "back home"):
            return self._back_off(name)
        elif name in HELD:
            report = self._move_held(name)
        else:
            report = self.piece_free(name, self._motion(name))
        if name == "approach":
            self.travelled.append(self._motion(name))
        return self.noted(report)

    def noted(self, report: StageReport) -> StageReport:
        """Append a report and advance the clock to its end."""
        self.reports.append(report)
        self.clock = float(report.time[-1]) if len(report) else self.clock
        return report

    def _fail(self, why: str, cause: str, *, stuck: bool = False) -> None:
        """Record a failure; the arm returns home unless it is stuck."""
        self.failure, self.cause = why, cause
        self._queue = [] if stuck or not self.travelled else ["back home"]

    def _found(self) -> StageReport:
        if self.localisation is None or self.tries:
            clicked = self.points if self.points is not None and not self.tries else (None, None)
            self.localise(*clicked, noise=self.noise)
        assert self.localisation is not None
        if not self.localisation:
            self._fail(self.localisation.status, "not localised")
        return StageReport("localise", self.localisation.ok, self.localisation.status)

    def _motion(self, name: str) -> Trajectory:
        assert self.chosen is not None
        return self.chosen.move(name).trajectory

    def _stow(self) -> StageReport:
        """The rover backs off, the arm swings to its other side, the rover returns; then new images and a new plan."""
        assert self.chosen is not None and self.chosen.stow is not None
        near, self.X_WO = self.X_WO, backed_off(self.X_WO)
        report = self.piece_free("stow", self.chosen.stow)
        self.X_WO, self.localisation, self.chosen = near, None, None
        return report

    def _move_held(self, name: str) -> StageReport:
        assert self.chosen is not None
        how = CARRIED if name in ("carry", "bring") else NEAR_GROUND
        found = {"carry": self.chosen.rest.carry, "bring": self.chosen.rest.bring}.get(name)
        report = self.piece_held(name, self._motion(name), how, None if found is None else found.angles)
        return self._checked_grasp(report) if name == "lift" and not self.failure else report

    def piece_free(self, name: str, trajectory: Trajectory) -> StageReport:
        """A motion with the open gripper around the standing relay."""
        done = follow_free(trajectory, self.world.offsets[None], self.opening, self.X_WO[None], self.world.terrain)
        self.q = trajectory.q_end
        return self._watched(moved(name, self.clock, trajectory, done), done)

    def piece_held(
        self, name: str, trajectory: Trajectory, how: str, history: AngleHistory | None = None
    ) -> StageReport:
        """A motion with the relay in the gripper."""
        assert self.closing is not None
        times = np.arange(0.0, trajectory.duration + SETTLE, FRAME)
        done = follow_held(
            trajectory, self.world.offsets[None], np.array([self.opening]), np.array([self.phi]), self.closing.X_PO[None],
            self.world.friction(times, HELD.index(name) if name in HELD else len(HELD))[None], how, history, self.world.terrain,
        )  # fmt: skip
        report = moved(name, self.clock, trajectory, done)
        self.q, self.phi, self.X_WO = trajectory.q_end, float(done.angles[0, -1]), report.X_WO()
        return self._watched(report, done)

    def _watched(self, report: StageReport, done: TrueMotion) -> StageReport:
        """Report a collision as a failure that ends the pick-up."""
        a, b = done.met[0]
        if not a:
            return report
        self._fail(
            f"during '{report.name}' '{a}' and '{b}' touched: the arm was stopped there.", f"{a} / {b}", stuck=True
        )
        return report.failed(self.failure, (a, b))

    def _close(self) -> StageReport:
        X_WG = gripper_poses(self.setting.model, self.q + self.world.offsets)
        jam = self.world.jam if not self.tries else float("nan")
        self.closing = close_on(
            self.gripper, X_WG, self.X_WO, self.world.grip_seed + self.tries, jam, self.setting.relay
        )
        drive = self.closing.drive
        ok = str(drive.outcome) == "gripped"
        to = self.setting.relay.flap_thickness if ok else max(STROKE - float(drive.position), 0.0)
        report = gripped(
            "close", self.clock, self.q, self.world.offsets, (self.opening, to), self.X_WO, seconds=float(drive.time),
            status=str(drive),
        )  # fmt: skip
        self.opening, self.phi, self.held = to, self.closing.angle, ok
        if ok:
            return report
        self._try_again(str(drive), "jammed" if str(drive.outcome) == "jammed" else "nothing gripped")
        return report.failed(str(drive))

    def _checked_grasp(self, report: StageReport) -> StageReport:
        """Check after the small lift whether the gripper still holds the relay."""
        assert self.closing is not None
        again = still_held(self.gripper, self.closing, self.world.grip_seed + self.tries, self.setting.relay)
        if str(again.outcome) == "gripped":
            return report
        self.held, self.X_WO = False, standing(self.X_WO)  # it slipped out where it was lifted
        said = "The relay was lost in the small lift: the gripper closed on nothing."
        self._try_again(said, "lost in the lift")
        return report.failed(said)

    def _try_again(self, why: str, cause: str) -> None:
        self.tries += 1
        self._queue = ["back off", *STAGES]
        if self.tries > 1:
            self.failure, self.cause, self._queue = f"{why} It was tried twice.", cause, ["back off"]

    def open_to(self, opening: float, name: str = "open") -> StageReport:
        """Open the gripper in place; a held relay is set down."""
        if self.held:
            self.X_WO = standing(self.X_WO)
        report = gripped(name, self.clock, self.q, self.world.offsets, (self.opening, opening), self.X_WO)
        self.opening, self.held = opening, False
        return report

    def _back_off(self, name: str) -> StageReport:
        """Open and retrace the grasp lines; after a failure return home as well."""
        why, cause = self.failure, self.cause
        parts: list[Trajectory | None] = self.path_home() if why else []
        if name == "back off":
            self.noted(self.open_to(OPEN, name))
            parts.insert(0, retraced(self.setting.model, self._motion("grasp")))
        for part in parts:
            if part is not None and not self.reports[-1].met[0]:
                self.noted(self.piece_free(name, part))
        if why and not self.reports[-1].met[0]:
            self.failure, self.cause = why, cause
        self._queue = self._queue if not why else []
        return self.reports[-1]

    def path_home(self) -> list[Trajectory | None]:
        """Approach motions so far, reversed, from the start of the current grasp lines."""
        return [retraced(self.setting.model, motion) for motion in reversed(self.travelled)]

    def abort(self, at: float | None = None) -> list[StageReport]:
        """Stop at a time [s]: put the relay down, open the gripper, go home; returns the reports of these motions."""
        self.aborted = True
        self._queue = []
        return abort_cycle(self, at)

    def result(self) -> RetrieveResult:
        """The result so far."""
        return cycle_result(self)

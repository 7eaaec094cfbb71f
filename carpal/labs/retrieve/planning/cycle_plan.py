"""Plan of the whole pick-up before anything moves: approach, grasp, lift, carry, put down, home (Leutenegger 2008, 7.8).

During the approach the relay is an obstacle; the Cartesian grasp lines are checked separately. The carried relay is planned with
the set of its possible angles. After the release it is an obstacle again, at every angle of the settled set.
"""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from carpal._core.result import Result
from carpal._core.work_clock import work_seconds
from carpal.errors import InputError
from carpal.labs.retrieve.planning.carry_plan import CarryPlan, Move, plan_carry, stored_carry
from carpal.labs.retrieve.planning.pick_lines import LIFT, STEP, line_points, straight
from carpal.labs.retrieve.planning.pick_setting import PickSetting
from carpal.labs.retrieve.planning.plan_preview import FORMAT, corners_blended, preview_rows, stored_numbers
from carpal.labs.retrieve.planning.reachability import Reach, check_reach
from carpal.labs.retrieve.relay.held_relay import grasped, gripper_poses
from carpal.labs.retrieve.scene import HOME, OTHER_HOME, free_arm
from carpal.planning import AngleSet, PlanResult, Trajectory, joint_trajectory
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class CyclePlan(Result):
    """All motions of a pick-up, or why there are none.

    Args:
        ok, status: one true sentence.
        cause: of a refusal, in a word or two; "" where there is none.
        reach: what the check said.
        moves: approach, grasp, lift, carry, bring, lower, retreat, home.
        X_WO: the relay's estimated pose.
        angle: of the relay in the gripper after the grasp [rad].
        approach: result of the planner; None without one.
        rest: plan after the lift.
        seconds: planning times of the approach and of the delivery.
        path: (n, 5) corners of the path to the relay.
        side: angle of the entry line to the flap's direction [rad].
        stow: motion to the rover's other side while it is backed off, if the moves start there; None if they start at home.
    """

    ok: bool
    status: str
    cause: str
    reach: Reach
    moves: tuple[Move, ...]
    X_WO: Array
    angle: float = 0.0
    approach: PlanResult | None = None
    rest: CarryPlan = field(default_factory=lambda: CarryPlan(False, ""))
    seconds: tuple[float, float] = (0.0, 0.0)
    path: Array = field(default_factory=lambda: np.zeros((0, 5)))
    side: float = 0.0
    stow: Trajectory | None = None

    @property
    def final_set(self) -> AngleSet | None:
        """The relay's angles when it is let go; None without a planner."""
        return None if self.rest.bring is None else self.rest.bring.angles.settled

    @property
    def path_length(self) -> float:
        """Joint travel of all motions, 2-norm [rad]."""
        return float(sum(_travel(move.trajectory) for move in self.moves))

    @property
    def duration(self) -> float:
        """Of all motions of the arm [s]."""
        return float(sum(move.trajectory.duration for move in self.moves))

    def move(self, name: str) -> Move:
        """A motion by its stage."""
        return next(move for move in self.moves if move.name == name)

    def preview(self, rows: int = 600) -> tuple[Array, Array]:
        """Times (n) [s] and coordinates (n, 13) of the planned motion, for a preview."""
        if not self.ok:
            raise InputError(f"there is no plan to show: {self.status}")
        moves = [(move.name, move.trajectory, move.held) for move in self.moves]
        return preview_rows(free_arm().model, moves, self.X_WO, self._angles(), rows)

    def _angles(self) -> dict[str, float]:
        low, high = self.rest.hanging
        first, last = self.rest.settled
        return {"lift": self.angle, "carry": 0.5 * (low + high), "bring": 0.5 * (first + last)}

    def to_dict(self) -> dict[str, Any]:
        """As plain data: the corners of the paths; `from_dict` times them again."""
        if not self.ok:
            raise InputError(f"there is no plan to store: {self.status}")
        data: dict[str, Any] = {name: self.rest.paths[name] for name in ("carry", "bring", "home")}
        data |= {"approach": self.path, "X_WO": self.X_WO, "angle": self.angle, "side": self.side, "put": self.rest.put,
                 "hanging": self.rest.hanging, "settled": self.rest.settled, "away": self.rest.away}  # fmt: skip
        return {"format": FORMAT, **{name: np.round(np.asarray(x), 9).tolist() for name, x in data.items()}}

    @staticmethod
    def from_dict(data: Any) -> CyclePlan:
        """A stored plan; its tool lines are recomputed, nothing is planned."""
        x = stored_numbers(data, {
            "carry": (None, 5), "bring": (None, 5), "home": (None, 5), "approach": (None, 5), "X_WO": (4, 4), "angle": (),
            "side": (), "put": (None, 4, 4), "hanging": (2,), "settled": (2,), "away": (3,),
        })  # fmt: skip
        model = free_arm().model
        points = line_points(x["X_WO"], float(x["side"]))
        grasp = straight(model, points, x["approach"][-1])
        lift = straight(model, np.array([points[3], points[3] + [0, 0, LIFT]]), grasp.q_end)
        rest = stored_carry(model, x)
        moves = (
            Move("approach", corners_blended(model, x["approach"])),
            Move("grasp", grasp),
            Move("lift", lift, True),
        )
        whole = (*moves, *rest.moves)
        for one, two in itertools.pairwise(whole):
            if np.abs(one.trajectory.q_end - two.trajectory.q_start).max() > 1e-4:
                raise InputError(f"the stored plan has a gap between '{one.name}' and '{two.name}': plan again.")
        reach = Reach(True, "a stored plan.", "", [])
        begins = x["approach"][0]
        stow = joint_trajectory(model, [HOME, OTHER_HOME]) if np.abs(begins - OTHER_HOME).max() < 1e-6 else None
        return CyclePlan(
            True, "the pick-up comes from a stored plan.", "", reach, whole, x["X_WO"], float(x["angle"]),
            None, rest, path=x["approach"], side=float(x["side"]), stow=stow,
        )  # fmt: skip


def _travel(trajectory: Trajectory) -> float:
    q = trajectory.sample(max(STEP, trajectory.duration / 500))[0]
    return float(np.linalg.norm(np.diff(q, axis=0), axis=1).sum())


def plan_cycle(setting: PickSetting, X_WO: Array, q_from: Array = HOME) -> CyclePlan:
    """From a configuration (5) to a relay at its estimated pose (4, 4), on to the place and home."""
    reach = check_reach(X_WO, q_from, setting.relay, terrain=setting.terrain, checked=setting.checks_collisions)
    if not reach:
        return CyclePlan(False, reach.status, reach.cause, reach, (), X_WO)
    said = cause = ""
    spent = [0.0, 0.0]
    for lines in reach.lines:
        begun = work_seconds()
        first = setting.free_path(X_WO[None], q_from, lines.q_before)
        spent[0] += work_seconds() - begun
        if first.motion is None:
            said, cause = f"no path to the relay: {first.status}", "approach"
            continue
        moves = (Move("approach", first.motion), Move("grasp", lines.grasp), Move("lift", lines.lift, True))
        angle, _ = grasped(gripper_poses(setting.model, lines.grasp.q_end), X_WO, setting.relay)
        begun = work_seconds()
        rest = plan_carry(setting, lines.lift.q_end, angle)
        spent[1] += work_seconds() - begun
        if not rest.ok:
            said, cause = rest.status, "carry"
            continue
        every = (*moves, *rest.moves)
        whole = sum(move.trajectory.duration for move in every)
        done = f"the pick-up is planned: {whole:.0f} s of motion."
        return CyclePlan(
            True, done, "", reach, every, X_WO, angle, first.found, rest, (spent[0], spent[1]), first.path, lines.side
        )
    none = CyclePlan(False, said, cause, reach, (), X_WO, seconds=(spent[0], spent[1]))
    if cause == "approach" and setting.checks_collisions and np.allclose(q_from, HOME):
        return _from_other_side(setting, X_WO, none)
    return none


def _from_other_side(setting: PickSetting, X_WO: Array, refused: CyclePlan) -> CyclePlan:
    """The same from home on the rover's other side, where the relay stands between the arm and its grasp; else the refusal."""
    stow = setting.free_path(np.zeros((0, 4, 4)), HOME, OTHER_HOME).motion
    found = plan_cycle(setting, X_WO, OTHER_HOME)
    if not found or stow is None:
        return refused
    said = f"the relay blocks the arm: the rover backs off, the arm swings to its other side, then {found.status}"
    spent = (refused.seconds[0] + found.seconds[0], refused.seconds[1] + found.seconds[1])
    return dataclasses.replace(found, status=said, stow=stow, seconds=spent)

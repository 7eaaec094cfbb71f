"""Online signing: the motion to each incoming letter is planned and checked from the current configuration.

A complete word is planned as a whole (word_plan.py); over a network link the next letter is not known yet. The arm starts where
all palm directions of the alphabet have the largest margins; a letter that cannot be reached from the current configuration is
refused with a reason, and the robot does not move.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.errors import UnreachableError
from carpal.labs.sign.motion.approach import plan_approach
from carpal.labs.sign.motion.arm_path import ArmPath, plan_arm_path
from carpal.labs.sign.motion.legs import Leg, WordMotion
from carpal.labs.sign.motion.postures import Posture, postures_of, station_of
from carpal.labs.sign.motion.word_plan import Signer, WordPlan, arm_poses
from carpal.spatial import Array, pose

JUMP = 1e-6
"""[rad] allowed between the start of a path and the arm's configuration: the accuracy of numeric inverse kinematics."""


@dataclass(frozen=True, eq=False)
class LetterPlan:
    """The motion to a letter from the robot's current configuration.

    Args:
        letter: which; " " for a pause.
        reason: why it is not shown; "" where it is.
        motion: from standing to the end of the letter's hold; None where nothing moves.
        hold: [s] from when to when the letter stands; what comes after is its motion, or a nod.
        plan: what was seen of the motion; None for a pause.
        q_arm: (nq) where the arm ends.
        standing: where everything stands afterwards.
    """

    letter: str
    reason: str
    motion: WordMotion | None
    hold: tuple[float, float]
    plan: WordPlan | None
    q_arm: Array
    standing: Posture

    @property
    def shown(self) -> float:
        """[s] the middle of the hold."""
        return 0.5 * (self.hold[0] + self.hold[1])

    @property
    def ok(self) -> bool:
        """Whether it may be played."""
        return not self.reason

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        return self.reason or (str(self.plan) if self.plan is not None else "a pause.")


class LetterStream:
    """A robot that is given one letter after the other.

    Args:
        signer: the robot made ready.

    Example:
        >>> stream = LetterStream(Signer("parloma"))
        >>> plan = stream.plan("C")
        >>> stream.stand(plan)
    """

    def __init__(self, signer: Signer) -> None:
        self.signer = signer
        names = [name for name in signer.alphabet.letters if name in signer.letters]
        all_of_them, _ = postures_of(
            names, signer.letters, signer.refused, signer.mounted, signer.alphabet, signer.behaviour
        )
        first = next(iter(signer.alphabet.palms.values()))
        X_WP = pose(first, station_of(signer.mounted, signer.behaviour))
        self._standing = Posture("", 0, X_WP, signer.mover.rest, 0.0, False)
        self._home = self._standing
        poses = [X_WP]
        for posture in all_of_them:
            if all(np.abs(posture.X_WP - other).max() > 1e-9 for other in poses):
                poses.append(posture.X_WP)
        try:
            arm_path = plan_arm_path(signer.mounted.arm, np.array(poses), signer.behaviour.receiver)
        except UnreachableError:  # the letters that come may still be reachable
            arm_path = plan_arm_path(signer.mounted.arm, np.array(poses[:1]), signer.behaviour.receiver)
        self._q = self._q_home = arm_path.legs[0][0]

    @property
    def x(self) -> Array:
        """(arm joints + commands) where the robot stands."""
        return np.concatenate([self._q, self._standing.commands])

    def plan(self, letter: str) -> LetterPlan:
        """Plan the motion to a letter; call `stand` after it was played."""
        signer, here = self.signer, self._standing
        if letter == " ":
            pause = Leg(signer.behaviour.pause, self._q[None], here.commands, here.commands, "", 0)
            motion = WordMotion([pause], len(self._q)) if pause.duration > 0 else None
            after = Posture(" ", 0, here.X_WP, here.commands, 0.0, False)
            return LetterPlan(letter, "", motion, (0.0, pause.duration), None, self._q, after)
        if letter not in signer.alphabet.letters:
            return self._refused(letter, f"it is not in the alphabet '{signer.alphabet.name}'.")
        text = (here.letter, letter) if here.letter.strip() else (letter,)
        postures, discarded = postures_of(
            text, signer.letters, signer.refused, signer.mounted, signer.alphabet, signer.behaviour
        )
        if any(item.index == len(text) - 1 for item in discarded):
            return self._refused(letter, discarded[-1].reason)
        new = [posture for posture in postures if posture.index == len(text) - 1]
        return self._plan_to(letter, [here, *new])

    def home(self) -> LetterPlan:
        """Plan the motion back to the open hand at the start."""
        return self._plan_to("", [self._standing, self._home])

    def approach(self, x: Array) -> LetterPlan:
        """Plan the motion from motors (n) that stand anywhere to where signing begins, whatever was planned before."""
        home = np.concatenate([self._q_home, self._home.commands])
        motion, reason = plan_approach(self.signer, np.asarray(x, float), home)
        return LetterPlan("", reason, motion, (0.0, 0.0), None, self._q_home, self._home)

    def stand(self, plan: LetterPlan) -> None:
        """The plan was played: the robot stands at its end."""
        self._q, self._standing = plan.q_arm, plan.standing

    def _plan_to(self, letter: str, postures: list[Posture]) -> LetterPlan:
        signer = self.signer
        poses, _ = arm_poses(postures)
        arm = signer.mounted.arm
        try:
            if len(poses) == 1:
                margin = float(np.minimum(self._q - arm.q_min, arm.q_max - self._q).min(initial=np.inf))
                arm_path = ArmPath("the arm stands.", (self._q[None],), 0.0, margin)
            else:
                arm_path = plan_arm_path(arm, poses, signer.behaviour.receiver, self._q)
        except UnreachableError as problem:
            return self._refused(letter, str(problem))
        away = float(np.abs(arm_path.legs[0][0] - self._q).max(initial=0.0))
        if away > JUMP:
            return self._refused(letter, f"the arm's path begins {away:.2g} rad from the arm's configuration.")
        legs = signer.legs(postures, arm_path)
        last = postures[-1]
        standing = Posture(letter, 0, last.X_WP, last.commands, 0.0, False)
        if not legs:
            return LetterPlan(letter, "", None, (0.0, 0.0), None, self._q, standing)
        motion = WordMotion(legs, arm.nq)
        plan = signer.judged(letter, (letter,), [], motion, arm_path)
        if plan.problem:
            return self._refused(letter, f"{plan.problem}.")
        k = next((i for i, leg in enumerate(legs) if leg.letter), len(legs) - 1)
        hold = float(motion.starts[k]), float(motion.starts[k + 1])
        return LetterPlan(letter, "", motion, hold, plan, legs[-1].arm[-1], standing)

    def _refused(self, letter: str, reason: str) -> LetterPlan:
        return LetterPlan(letter, reason, None, (0.0, 0.0), None, self._q, self._standing)

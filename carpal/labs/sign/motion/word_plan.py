"""Plan of a text: a motion of arm and hand, checked from end to end, and the letters that had to be discarded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from carpal._core.result import Result
from carpal.contact import CollisionChecker, collision_checker
from carpal.errors import UnreachableError, unknown_name
from carpal.kinematics import elbow_position, fk
from carpal.labs.sign.files.alphabet import Alphabet, read_alphabet
from carpal.labs.sign.files.behaviour import ALL, Behaviour, read_behaviour
from carpal.labs.sign.files.driver import read_driver
from carpal.labs.sign.hand.letters import alike_letters, letters_of
from carpal.labs.sign.hand.moves import HandMover
from carpal.labs.sign.hand.sign_hand import sign_hand
from carpal.labs.sign.motion.arm_path import ArmPath, plan_arm_path
from carpal.labs.sign.motion.legs import Leg, WordMotion, timed_leg, tip_frames
from carpal.labs.sign.motion.payload import payload_share
from carpal.labs.sign.motion.postures import Discarded, Posture, postures_of, station_of
from carpal.labs.sign.robot import RECEIVER_RADIUS, MountedHand, mount_hand
from carpal.spatial import Array

SAMPLE_STEP = 0.01
"""[s] between two checks of the finished motion."""


@dataclass(frozen=True, eq=False)
class WordPlan(Result):
    """A text as a motion.

    Args:
        ok: whether every letter is played and every rule kept.
        status: one true sentence.
        problem: the rule that the motion as a whole breaks, so that it must not be played; "" where it keeps all.
        text, letters, played: what was asked, its letters, and those that are played.
        discarded: the others, each with its reason.
        motion: of arm joints and hand commands; None where nothing is played.
        arm_path: the arm's.
        time, q: (m), (m, nq) checked samples of the motion.
        distance: [m] of the nearest two parts of everything, at the samples.
        nearest: their names.
        peak_speed: (nq) [rad/s]; peak_share the largest share of a joint's own limit.
        elbow_clearance: [m] between elbow and receiver's trunk, the least.
        payload: largest share of the arm's payload that hand and touch use.
        mounted: who signs.
    """

    ok: bool
    status: str
    problem: str
    text: str
    letters: tuple[str, ...]
    played: tuple[str, ...]
    discarded: tuple[Discarded, ...]
    motion: WordMotion | None
    arm_path: ArmPath | None
    time: Array
    q: Array
    distance: float
    nearest: tuple[str, str]
    peak_speed: Array
    peak_share: float
    elbow_clearance: float
    payload: float
    mounted: MountedHand

    @property
    def duration(self) -> float:
        """[s]."""
        return 0.0 if self.motion is None else self.motion.duration


class Signer:
    """A robot ready to sign: made once, asked for many texts.

    Args:
        robot: a driver's name or file.
        arm: another arm than the driver's, by catalogue name or file.
        alphabet, behaviour: names or files.

    Example:
        >>> plan = Signer("parloma").plan("CIAO")
        >>> print(plan)
    """

    def __init__(
        self, robot: str = "parloma", *, arm: str = "", alphabet: str = "italian", behaviour: str = "careful"
    ) -> None:
        self.alphabet: Alphabet = read_alphabet(alphabet)
        self.behaviour: Behaviour = read_behaviour(behaviour)
        for what, named, known in (
            ("palm direction", self.behaviour.palms, self.alphabet.palms),
            ("motion", self.behaviour.motions, self.alphabet.motions),
            ("letter", self.behaviour.letters, self.alphabet.letters),
        ):
            for name in named:
                if name not in known and name != ALL:
                    raise unknown_name(
                        f"{what} of alphabet '{self.alphabet.name}' in behaviour '{self.behaviour.name}'", name, known
                    )
        self.hand = sign_hand(read_driver(robot))
        self.mounted = mount_hand(self.hand, arm, receiver=self.behaviour.receiver)
        self.letters, self.refused = letters_of(self.hand, self.alphabet)
        if self.mounted.stands:
            alike = alike_letters(self.letters, self.hand, next(iter(self.alphabet.palms)))
            self.letters = {name: one for name, one in self.letters.items() if name not in alike}
            self.refused = self.refused | alike
        self.mover = HandMover(self.hand, collision_checker(self.hand.model))
        for one in self.letters.values():
            if one.near is not None:
                self.mover.meets(one.commands, one.near)
        self.checker: CollisionChecker = collision_checker(self.mounted.model)

    def plan(self, text: str) -> WordPlan:
        """The motion that spells a text; letters that must not or cannot be shown are discarded with the reason."""
        letters = self.alphabet.spell(text)
        postures, discarded = postures_of(
            letters, self.letters, self.refused, self.mounted, self.alphabet, self.behaviour
        )
        if not postures:
            return self._nothing(text, letters, discarded)
        try:
            arm_path = plan_arm_path(self.mounted.arm, arm_poses(postures)[0], self.behaviour.receiver)
        except UnreachableError as problem:
            p = ", ".join(f"{x:.2f}" for x in station_of(self.mounted, self.behaviour))
            raise UnreachableError(
                f"the work area of behaviour '{self.behaviour.name}' around ({p}) m cannot be used: {problem}"
            ) from None
        legs = self.legs(postures, arm_path)
        motion = WordMotion(legs, self.mounted.arm.nq)
        return self.judged(text, letters, discarded, motion, arm_path)

    def legs(self, postures: Sequence[Posture], arm_path: ArmPath) -> list[Leg]:
        """The motion through postures, the arm along a way through their poses."""
        legs: list[Leg] = []
        which = arm_poses(postures)[1]
        now = arm_path.legs[0][0]
        for i, here in enumerate(postures):
            if i:
                before = postures[i - 1]
                arm = arm_path.legs[which[i] - 1] if which[i] != which[i - 1] else now[None]
                legs += self._between(before, here, arm)
                now = arm[-1]
            if here.hold > 0:
                legs.append(Leg(here.hold, now[None], here.commands, here.commands, here.letter.strip(), here.index))
        return legs

    def _between(self, a: Posture, b: Posture, arm: Array) -> list[Leg]:
        """The hand's legs; wrist and arm go with the last of them."""
        wrist = self.hand.wrist
        start, end = a.commands.copy(), b.commands.copy()
        start[wrist] = end[wrist] = 0.0
        points = self.mover.move(start, end).path if np.abs(end - start).max() > 0 else np.stack([start, end])
        points = points.copy()
        points[:-1, wrist], points[-1, wrist] = a.commands[wrist], b.commands[wrist]
        out = []
        for k in range(len(points) - 1):
            moving = arm if k == len(points) - 2 else arm[:1]
            leg = timed_leg(self.mounted, self.behaviour, moving, points[k], points[k + 1], b.index)
            if leg is not None:
                out.append(leg)
        return out

    def judged(
        self, text: str, letters: tuple[str, ...], discarded: list[Discarded], motion: WordMotion, arm_path: ArmPath
    ) -> WordPlan:
        """The plan of a motion that was checked every `SAMPLE_STEP` seconds."""
        mounted, rules, n = self.mounted, self.behaviour, self.mounted.arm.nq
        time = np.append(np.arange(0.0, motion.duration, SAMPLE_STEP), motion.duration)
        x, _, _ = motion.at(time)
        q = mounted.configuration(x[:, :n], self.hand.joints(x[:, n:]))
        found = self.checker.distance(q)
        at = int(np.argmin(found.distance))
        nearest = self.checker.tables.pair_names(int(found.pair[at]))
        least = float(found.distance[at])
        rates = np.abs(np.diff(q, axis=0)) / np.maximum(np.diff(time), 1e-9)[:, None]
        peak = rates.max(0, initial=0.0) if len(rates) else np.zeros(mounted.model.nq)
        limited = np.isfinite(mounted.model.v_max)
        share = float((peak[limited] / mounted.model.v_max[limited]).max(initial=0.0))
        elbow = rules.receiver - RECEIVER_RADIUS - float(elbow_of(mounted, x[:, :n])[:, 0].max())
        payload = payload_share(mounted, q, rules.touch_force)
        lost = {item.index for item in discarded}
        played = tuple(name for i, name in enumerate(letters) if i not in lost and name != " ")
        outside = _outside(mounted, rules, q)
        problem = ""
        if least < rules.distance:
            problem = f"'{nearest[0]}' and '{nearest[1]}' come to {1e3 * least:.2f} mm"
        elif outside:
            problem = outside
        elif elbow < rules.elbow_clearance:
            problem = f"the elbow comes to {elbow:.2f} m from the receiver, and must keep {rules.elbow_clearance:g} m"
        elif payload > rules.payload_share:
            problem = f"hand and touch use {100 * payload:.0f} % of the arm's payload, {100 * rules.payload_share:.0f} % allowed"
        word = f"'{text.strip()}'"
        asked = sum(name != " " for name in letters)
        if problem:
            status = f"{word} cannot be signed: {problem}."
        elif discarded:
            first = discarded[0]
            status = (
                f"{word}: {len(played)} of {asked} letters in {motion.duration:.1f} s; "
                f"'{first.letter}' discarded: {first.reason}"
            )
        else:
            status = (
                f"{word}: {asked} letters in {motion.duration:.1f} s, all parts at least {1e3 * least:.1f} mm apart."
            )
        return WordPlan(
            not problem and not discarded, status, problem, text, letters, played, tuple(discarded), motion, arm_path, time, q,
            least, nearest, peak, share, elbow, payload, mounted,
        )  # fmt: skip

    def _nothing(self, text: str, letters: tuple[str, ...], discarded: list[Discarded]) -> WordPlan:
        first = discarded[0]
        status = f"'{text.strip()}': no letter can be played; '{first.letter}' discarded: {first.reason}"
        none, nothing = np.zeros(0), np.zeros((0, self.mounted.model.nq))
        return WordPlan(
            False, status, "no letter can be played", text, letters, (), tuple(discarded), None, None, none, nothing,
            np.nan, ("", ""), none, 0.0, np.nan, 0.0, self.mounted,
        )  # fmt: skip


def elbow_of(mounted: MountedHand, q_arm: Array) -> Array:
    """(*batch, 3) [m] the elbow; of arms without one (not seven joints) the joint in the middle, of a stand the origin."""
    arm = mounted.arm
    if mounted.stands:
        return np.zeros((*q_arm.shape[:-1], 3))
    if arm.nq == 7:
        return elbow_position(arm, q_arm)
    moving = [body.name for body in arm.bodies if body.joint.kind != "fixed"]
    return np.asarray(fk(arm, q_arm, moving[len(moving) // 2])[..., :3, 3])


def arm_poses(postures: Sequence[Posture]) -> tuple[Array, list[int]]:
    """The poses that the arm passes, neighbours different, and which of them each posture has."""
    poses, which = [postures[0].X_WP], [0]
    for posture in postures[1:]:
        if np.abs(posture.X_WP - poses[-1]).max() > 1e-9:
            poses.append(posture.X_WP)
        which.append(len(poses) - 1)
    return np.array(poses), which


def _outside(mounted: MountedHand, rules: Behaviour, q: Array) -> str:
    for frame in tip_frames(mounted):
        p = fk(mounted.model, q, frame)[:, :3, 3]
        out = np.flatnonzero(~rules.inside(p))
        if len(out):
            where = ", ".join(f"{x:.3f}" for x in p[out[0]])
            return f"'{frame}' leaves the work area at ({where}) m"
    return ""

"""Postures of arm, wrist and hand for a text, and the letters that cannot or must not be shown, with reasons.

A palm direction is shared between wrist and arm: the wrist takes the driver's share of the turn from the first palm
direction of the alphabet, the arm the rest. Motions of letters are the wrist's, or the arm's where there is no wrist.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from carpal.kinematics import fk
from carpal.labs.sign.files.alphabet import Alphabet, Handshape, Letter
from carpal.labs.sign.files.behaviour import ALL, Behaviour
from carpal.labs.sign.hand.letters import HandLetter
from carpal.labs.sign.hand.parallel_wrist import ParallelWrist, wrist_angles, wrist_rotation
from carpal.labs.sign.hand.sign_hand import SignHand
from carpal.labs.sign.robot import MountedHand
from carpal.spatial import Array, pose, rotation_about, rotation_vector

NOD = np.radians([[12.0, 0.0, 0.0]])
"""Wrist angles that separate a letter from the same one before it."""
OPEN = 0.3
"""Share of the way to the open hand that separates a letter from the same one before it, where nothing else can move."""
LEAST_GRIP = 0.1
"""Of the parallel wrist: nearer to a singularity no posture is allowed."""


@dataclass(frozen=True, eq=False)
class Posture:
    """Where everything stands for a while.

    Args:
        letter: which is shown; " " for a pause.
        index: of the letter in the text.
        X_WP: (4, 4) palm at a straight wrist: what the arm has to reach.
        commands: (n) of the hand, wrist included.
        hold: [s] that it lasts.
        shows: whether this is the letter itself, not a point of its motion.
    """

    letter: str
    index: int
    X_WP: Array
    commands: Array
    hold: float
    shows: bool


@dataclass(frozen=True)
class Discarded:
    """A letter that is not played: which, where in the text, why."""

    letter: str
    index: int
    reason: str


def station_of(mounted: MountedHand, behaviour: Behaviour) -> Array:
    """(3) [m] where the palm is: the driver's station, or the middle of the work area where that lies elsewhere."""
    station = mounted.hand.driver.station
    if mounted.stands:
        return station
    return station if bool(behaviour.inside(station)) else 0.5 * (behaviour.low + behaviour.high)


def palm_postures(
    mounted: MountedHand, alphabet: Alphabet, shown: HandLetter, station: Array, again: bool = False
) -> list[tuple[Array, Array]]:
    """(X_WP, commands) of a letter and of its motion's points, in order."""
    hand, shape = mounted.hand, shown.letter.right
    R = alphabet.palms[shape.palm]
    first = next(iter(alphabet.palms.values()))
    motion = alphabet.motions[shape.motion] if shape.motion else NOD if again else np.zeros((0, 3))
    points = np.vstack([np.zeros((1, 3)), motion, np.zeros((min(len(motion), 1), 3))])
    out = []
    if again and mounted.stands and not hand.wrist and not shape.motion:
        opened = shown.commands * (1 - OPEN) + _rest(hand) * OPEN
        return [(mounted.X_TP, c.copy()) for c in (shown.commands, opened, shown.commands)]
    for extra in points:
        commands = shown.commands.copy()
        if mounted.stands:
            if hand.wrist:
                commands[hand.wrist] = shape.wrist + extra
            out.append((mounted.X_TP, commands))
        elif hand.wrist:
            turn = rotation_vector(first.T @ R) * hand.driver.wrist_share
            angle = float(np.linalg.norm(turn))
            R_w = rotation_about(turn / angle, angle) if angle > 0 else np.eye(3)
            commands[hand.wrist] = wrist_angles(R_w) + shape.wrist + extra
            out.append((pose(R @ R_w.T, station), commands))
        else:
            out.append((pose(R @ wrist_rotation(shape.wrist + extra), station), commands))
    return out


def reason_against(
    letter: Letter,
    behaviour: Behaviour,
    mounted: MountedHand,
    postures: Sequence[tuple[Array, Array]],
    wrist: ParallelWrist | None,
) -> str:
    """Why a letter must not or cannot be shown, or an empty text."""  # fmt: skip
    shape, hand = letter.right, mounted.hand
    if behaviour.letters and letter.name not in behaviour.letters:
        return f"behaviour '{behaviour.name}' does not allow this letter."
    if letter.left is not None and not behaviour.two_hands:
        return f"behaviour '{behaviour.name}' does not allow signs with two hands."
    if not {shape.palm, ALL} & set(behaviour.palms):
        return f"behaviour '{behaviour.name}' does not allow the palm direction '{shape.palm}'."
    if shape.motion and not {shape.motion, ALL} & set(behaviour.motions):
        return f"behaviour '{behaviour.name}' does not allow the motion '{shape.motion}'."
    if mounted.stands and not hand.wrist and (shape.motion or np.abs(shape.wrist).max() > 0):
        return "its motion needs a wrist or an arm, and this hand has neither."
    for X_WP, commands in postures:
        over = np.flatnonzero((commands < hand.low - 1e-9) | (commands > hand.high + 1e-9))
        if len(over):
            i = int(over[0])
            return (
                f"'{hand.commands[i]}' would have to be at {np.degrees(commands[i]):.1f} deg, outside its "
                f"{np.degrees(hand.low[i]):.0f} to {np.degrees(hand.high[i]):.0f} deg."
            )
        if wrist is not None and hand.wrist:
            found = wrist.inverse(wrist_rotation(commands[hand.wrist]))
            if not found or min(float(found.leg_margin), float(found.palm_margin)) < LEAST_GRIP:
                return f"the parallel wrist is too near to a singularity: {found}"
        points = palm_points(mounted, X_WP, commands)
        out = np.flatnonzero(~behaviour.inside(points))
        if len(out):
            names = ("palm", *(frame.name for frame in hand.model.extra_frames))
            p = ", ".join(f"{x:.3f}" for x in points[out[0]])
            return f"its {names[out[0]]} would be at ({p}) m, outside the work area of behaviour '{behaviour.name}'."
    return ""


def palm_points(mounted: MountedHand, X_WP: Array, commands: Array) -> Array:
    """(1 + tips, 3) [m] of the palm's frame and the fingertips in the world."""
    hand = mounted.hand
    q = hand.joints(commands)
    straight = fk(hand.model, hand.home, hand.driver.palm)
    X_WM = X_WP @ np.linalg.inv(straight)
    frames = [hand.driver.palm, *(frame.name for frame in hand.model.extra_frames)]
    return np.array([(X_WM @ fk(hand.model, q, name))[:3, 3] for name in frames])


def postures_of(
    text: Sequence[str],
    letters: dict[str, HandLetter],
    refused: dict[str, str],
    mounted: MountedHand,
    alphabet: Alphabet,
    behaviour: Behaviour,
) -> tuple[list[Posture], list[Discarded]]:
    """Postures of the letters of a text that may be shown, and the others with their reasons.

    Args:
        text: letters, " " for pauses.
        letters, refused: as of `letters_of`.
        mounted, alphabet, behaviour: who signs, what, and under which rules.
    """  # fmt: skip
    station = station_of(mounted, behaviour)
    wrist = ParallelWrist() if mounted.hand.wrist else None
    postures: list[Posture] = []
    discarded: list[Discarded] = []
    judged: dict[tuple[str, bool], tuple[list[tuple[Array, Array]], str]] = {}
    before = ""
    for index, name in enumerate(text):
        if name == " ":
            if postures:
                last = postures[-1]
                postures.append(Posture(" ", index, last.X_WP, last.commands, behaviour.pause, False))
            before = ""
            continue
        if name in refused:
            discarded.append(Discarded(name, index, refused[name]))
            continue
        key = (name, name == before)
        if key not in judged:
            points = palm_postures(mounted, alphabet, letters[name], station, again=key[1])
            judged[key] = points, reason_against(alphabet.letters[name], behaviour, mounted, points, wrist)
        points, reason = judged[key]
        if reason:
            discarded.append(Discarded(name, index, reason))
            continue
        for k, (X_WP, commands) in enumerate(points):
            postures.append(Posture(name, index, X_WP, commands, behaviour.hold if k == 0 else 0.0, k == 0))
        before = name
    return postures, discarded


def _rest(hand: SignHand) -> Array:
    """(n) commands of the open hand."""
    rest, _ = hand.convert(Handshape(np.zeros((5, 2)), np.zeros(5), 0.0, 0.0, "", "", np.zeros(3)))
    return rest

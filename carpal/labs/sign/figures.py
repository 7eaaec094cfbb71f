"""Report sections of a signed text: every letter's handshape, tendons, touch, discarded letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from carpal.kinematics import fk
from carpal.labs.sign.hand.parallel_wrist import ParallelWrist, wrist_rotation
from carpal.labs.sign.hand.tendons import tendon_angles
from carpal.labs.sign.motion.legs import driven_columns
from carpal.labs.sign.score import letter_times, planned
from carpal.model import Model
from carpal.spatial import Array
from carpal.tasks import Appendix, Curves, MovingMark, Still

if TYPE_CHECKING:
    from carpal.engines import Recording
    from carpal.labs.sign.hand.letters import HandLetter
    from carpal.labs.sign.motion.word_plan import Signer, WordPlan

SEEN_FROM, FIELD = 0.62, 0.52
"""[m] and [rad] of the camera that shows a letter."""
OVER = 0.2
"""A letter's name stands so far [m] over the hand's own frame."""


def letter_still(title: str, model: Model, q: Array) -> Still:
    """A letter seen by the receiver, from a little aside and above."""
    X = fk(model, q)
    middle = X[:3, 3] + 0.07 * X[:3, 2]
    eye = middle + SEEN_FROM * np.array([0.86, 0.38, 0.34])
    return Still(title, q, eye, middle, FIELD)


def shown_letters(plan: WordPlan, recording: Recording) -> tuple[MovingMark, ...]:
    """Each letter over the hand while it is held."""
    time = np.asarray(recording.time, float)
    if plan.motion is None or not len(time):
        return ()
    words = np.full(len(time), "", dtype=object)
    for leg, start, end in zip(plan.motion.legs, plan.motion.starts, plan.motion.starts[1:], strict=False):
        words[(start <= time) & (time <= end)] = leg.letter
    X = fk(plan.mounted.model, np.asarray(recording.q, float))
    above = X[:, :3, 3] + OVER * np.array([0.0, 0.0, 1.0])
    return (MovingMark("letter", time, above, words=tuple(words)),) if any(words) else ()


def letter_sections(plan: WordPlan, signer: Signer, recording: Recording) -> list[Appendix]:
    """The report's sections."""
    stills, seen = [], set()
    for letter, index, end in letter_times(plan):
        if letter not in seen:
            seen.add(letter)
            row = int(np.clip(np.searchsorted(recording.time, end) - 1, 0, len(recording.time) - 1))
            stills.append(
                letter_still(f"{letter} (letter {index + 1} of the text)", plan.mounted.model, recording.q[row])
            )
    rows = [letter_row(signer, signer.letters[name]) for name in sorted(seen)]
    head = (
        "letter",
        "palm",
        "motion",
        "farthest joint from the handshape",
        "nearest parts",
        "yields to a touch of 0.5 N",
    )
    text = (
        "Handshapes as the receiver sees them. A finger on one tendon has one freedom where a handshape has two, so some "
        "joints stay away from it. The alphabet is approximate and has to be reviewed by signers."
    )
    out = [Appendix("Handshapes", text, head, rows, tendon_curves(plan, recording), stills)]
    if plan.discarded:
        lost = [(d.letter, str(d.index + 1), d.reason) for d in plan.discarded]
        out.append(
            Appendix(
                "Discarded", "Letters that the robot cannot or must not show.", ("letter", "place", "reason"), lost
            )
        )
    return out


def letter_row(signer: Signer, shown: HandLetter) -> tuple[str, ...]:
    """One letter of the table."""
    shape = shown.letter.right
    return (
        shown.letter.name, shape.palm, shape.motion or "-", f"{np.degrees(shown.misfit):.0f} deg",
        f"{1e3 * shown.distance:.1f} mm", touch_text(signer, shown),
    )  # fmt: skip


def touch_text(signer: Signer, shown: HandLetter, force: float = 0.5) -> str:
    """By how much the index finger of a letter gives way to a force [N] at its tip, against the palm's normal."""
    hand = signer.hand
    if "index" not in hand.fingers:
        return "-"
    finger = hand.fingers["index"]
    travel = float(shown.commands[hand.commands.index("index_tendon")])
    load = [[2.0, float(finger.lengths[2]), 0.0, -force]]
    free, pushed = tendon_angles(finger, travel).angles, tendon_angles(finger, travel, load).angles
    return f"{np.degrees(np.abs(pushed - free).max()):.0f} deg"


def first_curves(plan: WordPlan, recording: Recording) -> list[Curves]:
    """The three that a report begins with: error of the motors' joints, travel and tension of the tendons."""
    if plan.motion is None:
        return []
    driven = driven_columns(plan.mounted)
    error = np.degrees(np.abs(recording.q[:, driven] - planned(plan, recording.time)[:, driven]).max(1))
    title = "Largest error of a motor's joint"
    followed = Curves("sign.error", title, "deg", ("largest",), np.asarray(recording.time, float), error[:, None])
    return [followed, *tendon_curves(plan, recording)[:2]]


def tendon_curves(plan: WordPlan, recording: Recording) -> list[Curves]:
    """Travel and tension of every tendon, and the wrist's motors, over the run."""
    mounted = plan.mounted
    hand = mounted.hand
    if not hand.fingers or plan.motion is None:
        return []
    x = plan.motion.at(recording.time)[0][:, mounted.arm.nq :]
    travel = x[:, hand.tendons]
    names = tuple(hand.fingers)
    tension = []
    for k, (finger, i) in enumerate(zip(hand.fingers.values(), hand.tendons, strict=True)):
        columns = mounted.hand_columns[list(hand.columns[hand.commands[i]])]
        tension.append(finger.stiffness * np.maximum(travel[:, k] - recording.q[:, columns] @ finger.pulleys, 0.0))
    motors = []
    if hand.wrist:
        angles = recording.q[:, mounted.hand_columns[[hand.columns[joint][0] for joint in hand.driver.wrist]]]
        turned = np.degrees(ParallelWrist().inverse(wrist_rotation(angles)).motors)
        motors = [Curves("sign.wrist", "Motors of the parallel wrist", "deg", ("1", "2", "3"), recording.time, turned)]
    return [
        Curves("sign.travel", "Tendon travel", "mm", names, recording.time, 1e3 * travel),
        Curves("sign.tension", "Tendon tension", "N", names, recording.time, np.stack(tension, 1)),
        *motors,
    ]

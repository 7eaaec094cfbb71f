"""Score of a signed text: letters, tracking errors, clearances, speeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from carpal.labs.sign.motion.legs import driven_columns
from carpal.spatial import Array
from carpal.tasks import Score

if TYPE_CHECKING:
    from carpal.engines import Recording
    from carpal.labs.sign.motion.word_plan import Signer, WordPlan

DRIVEN_ERROR = 0.03
"""[rad] by which a motor's joint may be away from its plan."""
LETTER_ERROR = 0.06
"""[rad] by which a joint may be away from the letter at the end of its hold, untouched."""
SAMPLE_STEP = 0.01
"""[s] between the rows at which distances are measured."""


def planned(plan: WordPlan, time: Array) -> Array:
    """(m, nq) where the joints should be at times (m) [s], the fingers in balance."""
    assert plan.motion is not None
    x = plan.motion.at(time)[0]
    n = plan.mounted.arm.nq
    return plan.mounted.configuration(x[:, :n], plan.mounted.hand.joints(x[:, n:]))


def letter_times(plan: WordPlan) -> list[tuple[str, int, float]]:
    """(letter, index in the text, end of its hold [s]) of every letter that is shown."""
    assert plan.motion is not None
    ends = plan.motion.starts[1:]
    return [(leg.letter, leg.index, float(end)) for leg, end in zip(plan.motion.legs, ends, strict=True) if leg.letter]


def score_run(plan: WordPlan, signer: Signer, recording: Recording, touch: float) -> Score:
    """The score of a recorded run of a plan."""
    model = plan.mounted.model
    time, q, v = recording.time, recording.q, recording.v
    rows = np.unique(
        np.clip(np.searchsorted(time, np.arange(0.0, time[-1] + SAMPLE_STEP, SAMPLE_STEP)), 0, len(time) - 1)
    )
    found = signer.checker.distance(q[rows])
    at = int(np.argmin(found.distance))
    nearest = signer.checker.tables.pair_names(int(found.pair[at]))
    least = float(found.distance[at])
    wanted = planned(plan, time)
    driven = driven_columns(plan.mounted)
    tracking = float(np.abs(q[:, driven] - wanted[:, driven]).max())
    holds = [int(np.clip(np.searchsorted(time, end) - 1, 0, len(time) - 1)) for _, _, end in letter_times(plan)]
    letters = float(np.abs(q[holds] - wanted[holds]).max()) if holds else 0.0
    bends = np.setdiff1d(np.arange(model.nq), driven)
    yielded = float(np.abs(q[:, bends] - wanted[:, bends]).max(initial=0.0)) if touch else 0.0
    limited = np.isfinite(model.v_max)
    share = float((np.abs(v).max(0)[limited] / model.v_max[limited]).max(initial=0.0))
    shown = len(plan.played)
    numbers = {
        "duration_s": plan.duration, "min_distance_mm": 1e3 * least, "peak_joint_speed": float(np.abs(v).max()),
        "speed_share": share, "tracking_error_rad": tracking, "letter_error_rad": letters, "touch_yield_rad": yielded,
        "elbow_clearance_m": plan.elbow_clearance, "payload_share": plan.payload,
        "letters_per_minute": 60.0 * shown / plan.duration,
    }  # fmt: skip
    if plan.arm_path and not plan.mounted.stands:
        numbers["joint_margin_rad"] = plan.arm_path.joint_margin
    problem = ""
    if least < 0.0:
        problem = f"'{nearest[0]}' and '{nearest[1]}' met ({1e3 * least:.2f} mm)"
    elif tracking > DRIVEN_ERROR:
        problem = f"a motor's joint was {tracking:.3f} rad away from its plan"
    elif letters > LETTER_ERROR:
        problem = f"a letter was still {letters:.3f} rad away from its shape at the end of its hold"
    elif share > 1.0:
        problem = f"a joint moved at {share:.2f} times its largest speed"
    if problem:
        return Score(False, f"'{plan.text.strip()}' was not signed well: {problem}.", numbers)
    asked = sum(name != " " for name in plan.letters)
    if plan.discarded:
        first = plan.discarded[0]
        status = f"'{plan.text.strip()}': {shown} of {asked} letters played; '{first.letter}' discarded: {first.reason}"
        return Score(False, status, numbers)
    status = (
        f"'{plan.text.strip()}': {asked} letters in {plan.duration:.1f} s, parts at least {1e3 * least:.1f} mm apart, "
        f"letters within {np.degrees(letters):.1f} deg of their shapes."
    )
    return Score(True, status, numbers)

"""What became of a run: observations that hold, the worst certificate, penetration, energy, creep."""

from __future__ import annotations

from typing import Any

import numpy as np

from carpal.labs.dexterity.events import mode_events
from carpal.labs.dexterity.observations import Observation
from carpal.labs.dexterity.outcome import Outcome
from carpal.labs.dexterity.robot import FINGERS
from carpal.tasks import Score

PROOFS = ("gap_force", "cone", "direction")


def creep(outcome: Outcome) -> float:
    """The longest way [m] of a contact's point on the object while its contact sticks; NaN where no contact ever does.

    Where an engine knows no modes, a tip that touches counts as sticking.
    """
    worst = np.nan
    modes = outcome.contacts.mode
    for i in range(len(FINGERS)):
        sticks = (modes[:, i] == "sticking") | (modes[:, i] == "")
        first = None
        for row, now in enumerate(sticks):
            if not now:
                first = None
                continue
            first = row if first is None else first
            # the row after the last sticking one is still reached by a step in which it stuck
            away = float(np.linalg.norm(outcome.tips.on_object[row, i] - outcome.tips.on_object[first, i]))
            worst = max(0.0 if np.isnan(worst) else worst, away)
    return worst


def numbers_of(outcome: Outcome) -> dict[str, Any]:
    """Numbers that every run reports."""
    recording = outcome.recording
    proofs = [float(np.max(recording.certificates[name])) for name in PROOFS if name in recording.certificates]
    deepest = max((c.depth for row in recording.contacts for c in row), default=0.0)
    if "overlap" in recording.certificates:
        deepest = float(np.max(recording.certificates["overlap"]))
    residual = np.abs(np.asarray(recording.energy["residual"], float))
    return {
        "max_residual": max(proofs) if proofs else np.nan,
        "max_penetration_m": max(0.0, float(deepest)),
        "energy_residual_J": float(residual.max()) if np.isfinite(residual).all() else np.nan,
        "creep_m": creep(outcome),
        "hit_count": len(outcome.hits),
        "mode_change_count": len(mode_events(outcome)),
    }


def score_outcome(outcome: Outcome, observations: list[Observation]) -> Score:
    """Whether everything was observed and every step is certified, with the numbers."""
    numbers = numbers_of(outcome)
    numbers |= {f"observed_{each.wanted.name}": each.value for each in observations}
    missed = [each.wanted.name for each in observations if not each.ok]
    check = outcome.recording.check() if outcome.recording.certificates else None
    title = outcome.setting.example.title
    if missed:
        status = f"{title}: {len(missed)} of {len(observations)} observations do not hold ({', '.join(missed)})."
    elif check is not None and not check.ok:
        status = f"{title}: {check.status}"
    elif observations:
        status = f"{title}: all {len(observations)} observations hold."
    else:
        status = f"{title}: ran for {outcome.time[-1]:.4g} s, {numbers['mode_change_count']} changes of contact."
    return Score(not missed and (check is None or check.ok), status, numbers)

"""What became of a thrown object that any hand should catch, from the recording's contacts and poses alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from carpal.engines import Recording, touching
from carpal.labs.catch.pair.pair_catch import palm_poses
from carpal.labs.catch.pair.pair_scene import GROUND, OBJECT, ROBOT
from carpal.labs.catch.score import CAUSES
from carpal.spatial import Array
from carpal.tasks import Score

KEPT = 0.15
"""[m] between palm and object that is held."""
DRIFT = 0.03
"""[m] that a held object may move in the hand from its rest to the end."""
SLOW = 0.1
"""[m/s] of a held object against the palm at the end."""


def contact_sequence(recording: Recording) -> list[tuple[float, frozenset[str]]]:
    """Times [s] at which the bodies that touch the object change, and which touch then ("" is the ground)."""
    found: list[tuple[float, frozenset[str]]] = []
    for time, row in zip(recording.time, recording.contacts, strict=True):
        now = frozenset(c.b if c.a == OBJECT else c.a for c in touching(row) if OBJECT in (c.a, c.b))
        if not found or now != found[-1][1]:
            found.append((float(time), now))
    return found


def in_palm(recording: Recording, kept: dict[str, Any]) -> Array:
    """Object's centre (rows, 3) [m] in the palm's frame."""
    first = recording.model.q_index(OBJECT)
    p = np.asarray(recording.q)[:, first : first + 3]
    X = np.linalg.inv(palm_poses(recording, kept))
    return np.asarray((X[:, :3, :3] @ p[:, :, None])[:, :, 0] + X[:, :3, 3])


def score_pair(recording: Recording, kept: dict[str, Any]) -> Score:
    """The score of a catch: held from the arm's rest to its return, by the hand alone."""
    time, place = np.asarray(recording.time), in_palm(recording, kept)
    sequence = contact_sequence(recording)
    hand = hand_bodies(recording, kept["base"])
    rows = np.flatnonzero(time >= kept["rest"] + 0.1)
    touched = [
        {c.b if c.a == OBJECT else c.a for c in touching(row) if OBJECT in (c.a, c.b)} for row in recording.contacts
    ]
    near = bool(len(rows)) and bool((np.linalg.norm(place[rows], axis=1) < KEPT).all())
    by_hand = bool(len(rows)) and all(touched[row] and touched[row] <= hand for row in rows)
    drift = float(np.linalg.norm(place[rows] - place[rows[0]], axis=1).max()) if len(rows) else float("nan")
    last = place[-min(len(place), 5) :]
    dt = float(time[-1] - time[-len(last)])
    speed = float(np.linalg.norm(last[-1] - last[0]) / dt) if dt > 0 else float("nan")
    caught = near and by_hand and drift < DRIFT and speed < SLOW
    first = next(((t, bodies) for t, bodies in sequence if bodies), None)
    force = max(
        (float(np.linalg.norm(c.force)) for row in recording.contacts for c in touching(row) if OBJECT in (c.a, c.b)),
        default=0.0,
    )
    meeting = int(np.argmin(np.abs(time - kept["time"])))
    numbers: dict[str, Any] = {
        "caught": caught, "planned_touch_s": kept["time"], "first_touch_s": float("nan") if first is None else first[0],
        "share_of_speed": kept["share"], "drift_mm": 1e3 * drift, "miss_mm": 1e3 * float(np.linalg.norm(place[meeting, :2])),
        "peak_contact_force_N": force, "asked_speed": kept["speed_share"], "asked_torque": kept["torque_share"],
        "peak_torque_Nm": kept["peak_torque"], "limited_steps": kept["limited_steps"],
        "touching_bodies": len(set().union(*touched)) if touched else 0,
    }  # fmt: skip
    cause = "none" if caught else _cause(sequence, hand, time, place, kept)
    numbers["cause_code"] = float(CAUSES.index(cause))
    if caught:
        bodies = ", ".join(sorted(_short(name) for name in touched[rows[-1]]))
        return Score(
            True, f"the object was caught at {kept['time']:.3f} s and is held by {bodies} at the end.", numbers
        )
    return Score(False, f"the object was not caught ({cause}): {_why(cause, sequence, place, time, kept)}.", numbers)


def hand_bodies(recording: Recording, base: str) -> set[str]:
    """Bodies of the hand: its base and all that it carries."""
    found = {f"{ROBOT}/{base}"}
    for body in recording.model.bodies:
        if body.parent in found:
            found.add(body.name)
    return found


def _cause(
    sequence: list[tuple[float, frozenset[str]]], hand: set[str], time: Array, place: Array, kept: dict[str, Any]
) -> str:  # fmt: skip
    """The cause of a miss, from the sequence of contacts."""
    first = next((bodies for _, bodies in sequence if bodies), frozenset())
    if not first & hand:
        return "off the palm"
    rest = np.flatnonzero(time >= kept["rest"])
    held = (
        len(rest) and np.linalg.norm(place[rest[0]]) < KEPT and any(b & hand for t, b in sequence if t <= kept["rest"])
    )
    base = f"{ROBOT}/{kept['base']}"
    if held:
        return "slipped"
    return "bounced out" if base in first else "struck the digits"


def _why(
    cause: str, sequence: list[tuple[float, frozenset[str]]], place: Array, time: Array, kept: dict[str, Any]
) -> str:
    first = next(((t, bodies) for t, bodies in sequence if bodies), None)
    if first is None:
        nearest = 1e3 * float(np.linalg.norm(place, axis=1).min())
        return f"nothing touched it; it passed {nearest:.0f} mm from the palm's middle"
    when, bodies = first
    summary = f"it first touched {', '.join(sorted(_short(name) for name in bodies))} at {when:.3f} s"
    left = [t for t, bodies in sequence if t > when and not bodies]
    return f"{summary}, {1e3 * (when - kept['time']):+.0f} ms from the planned touch" + (
        f", and was free at {left[0]:.3f} s" if left else ""
    )


def _short(name: str) -> str:
    return GROUND if not name else name.removeprefix(f"{ROBOT}/")

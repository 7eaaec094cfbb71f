"""Report sections of a pick-up: images with the marks, pose, error budget, plans, limits, angle set, gripper.

Figure 16 of Leutenegger 2008 is the gripper's position: raw, averaged over as many readings as give the filter's noise level, and
filtered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.kinematics import fk
from carpal.labs.retrieve.simulation.world import RetrieveWorld
from carpal.spatial import Array
from carpal.tasks import Appendix, Curves, Picture, Still

if TYPE_CHECKING:
    from carpal.engines import Recording
    from carpal.labs.retrieve.task import Retrieve

AVERAGED = 12  # readings, as quiet as the filter
CROP = (420, 320)  # [px] of an image around the marks
FOUND, PROJECTED = (229, 62, 62), (56, 161, 105)


def retrieve_sections(task: Retrieve, recording: Recording) -> list[Appendix]:
    """The report's sections."""
    facts = recording.metadata["retrieve"]
    curves = {c.key: c for c in retrieve_curves(recording)}
    sections = [_stages(facts, recording)]
    if "marks" in facts:
        sections.append(_pictures(task, recording, facts))
    if "budget" in facts:
        text = (
            "How far the gripper's axis may be from the flap's grip point, against what the grasp tolerates (half of the hole's "
            "diameter); up and down the room between upper blade and flap when it closes."
        )
        head = ("error at the grip point", "sideways [mm]", "up and down [mm]")
        sections.append(Appendix("Error budget", text, head, [tuple(row) for row in facts["budget"]]))
    if "plans" in facts:
        text = "What the planner answered; the relay is an obstacle, then held at any angle of its set, then an obstacle again."
        rows = [tuple(row) for row in facts["plans"]]
        sections.append(Appendix("Plans", text, ("path", "answer", "samples", "collision checks"), rows))
        text = "Largest speed and acceleration of any joint over its limit, sampled every 33 ms; the relay is carried gently."
        rows = [tuple(row) for row in facts["limits"]]
        sections.append(Appendix("Motions against limits", text, ("motion", "time [s]", "speed", "acceleration"), rows))
    if "retrieve.angle" in curves:
        text = (
            "The relay's true angle in the gripper while it is carried, between the ends of the set that was planned with. Where "
            "the gripper is level it hangs."
        )
        sections.append(Appendix("The relay's angle", text, curves=[curves["retrieve.angle"]]))
    if "gripper" in facts:
        needed, got = facts["needed_N"], facts["numbers"]["grip_force_N"]
        text = (
            f"The closing: {facts['gripper_outcome']}. The relay held level needs {needed:.1f} N on the lower blade, it was "
            f"pressed with {got:.1f} N. Position raw, averaged over {AVERAGED} readings, and filtered (Leutenegger 2008, "
            "figure 16)."
        )
        shown = [curves[key] for key in ("retrieve.position", "retrieve.force") if key in curves]
        sections.append(Appendix("Gripper", text, curves=shown))
    return sections


def _stages(facts: dict[str, Any], recording: Recording) -> Appendix:
    rows, stills = [], []
    for name, ok, status, begin, end in facts["stages"]:
        when = "-" if begin is None else f"{begin:.0f} to {end:.0f} s"
        rows.append((name, when, "done" if ok else "not done", status))
        if end is not None and name in ("approach", "grasp", "lift", "carry", "bring", "retreat"):
            row = int(np.clip(np.searchsorted(recording.time, end), 0, len(recording.time) - 1))
            stills.append(
                Still(
                    f"after '{name}'", recording.q[row], np.array([1.5, 0.75, 0.85]), np.array([0.2, 0.0, 0.18]), 0.62
                )
            )
    text = "The stages in order, as executed in simulation."
    return Appendix("Stages", text, ("stage", "time", "", "outcome"), rows, stills=stills)


def _pictures(task: Retrieve, recording: Recording, facts: dict[str, Any]) -> Appendix:
    seed = recording.metadata.get("seed") or 0
    images = RetrieveWorld(tuple(task.options.relay), int(seed)).images(0)
    found = np.array(facts["marks"])
    seen = None if facts.get("projected") is None else np.array(facts["projected"])
    pictures = [
        Picture(f"{name} camera: marks found (red), the pose projected back with the knob (green)",
                drawn(image, found[i], None if seen is None else seen[i]))
        for i, (name, image) in enumerate(zip(("left", "right"), images, strict=True))
    ]  # fmt: skip
    numbers, text = facts["numbers"], "Both cameras look at the relay; four painted marks on its flap give its pose."
    if "deviations" in facts:
        p, a = facts["deviations"]
        text += f" Its standard deviation is {1e3 * p:.2f} mm and {np.degrees(a):.2f} degrees"
        off, turned = numbers["localisation_error_mm"], numbers["localisation_error_deg"]
        text += f"; the true error is {off:.2f} mm and {turned:.2f} degrees."
    return Appendix("Images and pose", text, pictures=pictures)


def drawn(image: np.ndarray, found: Array, projected: Array | None) -> np.ndarray:
    """A piece (320, 420, 3) of a grey image around marks (4, 2), crosses on them and rings about the projected ones (5, 2)."""
    wide, high = CROP
    x, y = (int(v) for v in np.rint(found.mean(axis=0)))
    left = int(np.clip(x - wide // 2, 0, image.shape[1] - wide))
    top = int(np.clip(y - high // 2, 0, image.shape[0] - high))
    out = np.repeat(image[top : top + high, left : left + wide, None], 3, axis=2).copy()
    rows, columns = np.mgrid[:high, :wide]
    for u, v in found - [left, top]:
        du, dv = np.abs(columns - u), np.abs(rows - v)
        out[((du < 0.8) & (dv < 7)) | ((dv < 0.8) & (du < 7))] = FOUND
    for u, v in projected - [left, top] if projected is not None else ():
        away = np.hypot(columns - u, rows - v)
        out[np.abs(away - 9.0) < 0.8] = PROJECTED
    return out


def first_curves(recording: Recording) -> list[Curves]:
    """The three that a report begins with: the gripper's way, the relay's angle, the force on its flap."""
    shown = {c.key: c for c in retrieve_curves(recording)}
    where = fk(recording.model, recording.q)[:, :3, 3]
    way = Curves(
        "retrieve.tool", "Position of the gripper", "m", ("x", "y", "z"), np.asarray(recording.time, float), where
    )
    return [way, *(shown[key] for key in ("retrieve.angle", "retrieve.force") if key in shown)]


def retrieve_curves(recording: Recording) -> list[Curves]:
    """The relay's angle with its set over the run, and the gripper over its closing."""
    facts = recording.metadata.get("retrieve") or {}
    out = []
    if facts.get("angles"):
        angles = np.array(facts["angles"], float)
        names, values = ["angle"], [np.degrees(angles[:, 1])]
        if facts.get("sets"):
            sets = np.array(facts["sets"], float)
            middle = np.interp(angles[:, 0], sets[:, 0], np.unwrap(0.5 * (sets[:, 1] + sets[:, 2])))
            half = np.interp(angles[:, 0], sets[:, 0], 0.5 * (sets[:, 2] - sets[:, 1]))
            turns = 2 * np.pi * np.rint((angles[:, 1] - middle) / (2 * np.pi))
            inside = (angles[:, 0] >= sets[0, 0]) & (angles[:, 0] <= sets[-1, 0])
            low, high = (np.where(inside, np.degrees(middle + turns + s * half), np.nan) for s in (-1, 1))
            names, values = ["angle", "set from", "set to"], [values[0], low, high]
        out.append(
            Curves(
                "retrieve.angle", "Relay's angle in the gripper", "deg", tuple(names), angles[:, 0], np.stack(values, 1)
            )
        )
    if "gripper" in facts:
        g = {name: np.array(values, float) for name, values in facts["gripper"].items()}
        weights = np.ones(AVERAGED) / AVERAGED
        average = np.convolve(
            np.concatenate([np.full(AVERAGED - 1, g["reading"][0]), g["reading"]]), weights, mode="valid"
        )
        rows = np.stack([g["reading"], average, g["estimate"], g["position"]], 1)
        time = closing_begin(facts) + g["time"]
        kinds = ("read", "averaged", "filtered", "true")
        out.append(Curves("retrieve.position", "Gripper: position of its rod", "mm", kinds, time, 1e3 * rows))
        force = np.stack([g["measured_force"], g["force"], g["force_limit"]], 1)
        names3 = ("from the current", "true", "limit in use")
        out.append(Curves("retrieve.force", "Gripper: force on the flap", "N", names3, time, force))
    return out


def closing_begin(facts: dict[str, Any]) -> float:
    """When the gripper began to close [s]: its series count from there."""
    begins = [begin for name, _, _, begin, _ in facts["stages"] if name == "close" and begin is not None]
    return float(begins[-1]) if begins else 0.0

"""Chan's figures 6.3 to 6.26 (1998) for a run: joints, the object's pose with ZYZ angles, forces, coordinates, grasp."""

from __future__ import annotations

import math

import numpy as np

from carpal.contact import contact_frame, force_closure, wrench_ball
from carpal.kinematics import fk
from carpal.labs.dexterity.events import mode_events
from carpal.labs.dexterity.observations import Observation
from carpal.labs.dexterity.outcome import Outcome
from carpal.labs.dexterity.robot import FINGERS, TIP_RADIUS, joint_slice
from carpal.spatial import Array, rotation_from_wxyz
from carpal.tasks import Appendix, Curves, Still

MODE_LEVELS = {"free": 0.0, "": 1.0, "sticking": 1.0, "rolling": 2.0, "sliding": 3.0}
MODES_TITLE = "Contact modes: 0 free, 1 sticking, 2 rolling, 3 sliding"
GRASP_ROWS = 60
MOST_EVENTS = 60


def zyz_angles(R: Array) -> Array:
    """Chan's Euler angles (rows, 3) [rad] of rotations (rows, 3, 3): R = Rz(alpha) Ry(beta) Rz(gamma).

    At beta = 0, the usual start, only alpha + gamma is known (E4): alpha is then what it was in the row before, and at first
    what it becomes.
    """
    out = np.zeros((len(R), 3))
    known = np.flatnonzero(np.hypot(R[:, 0, 2], R[:, 1, 2]) > 1e-7)
    last = math.atan2(R[known[0], 1, 2], R[known[0], 0, 2]) if len(known) else 0.0
    for k, M in enumerate(R):
        beta = math.atan2(math.hypot(M[0, 2], M[1, 2]), M[2, 2])
        if math.sin(beta) > 1e-7:
            last, gamma = math.atan2(M[1, 2], M[0, 2]), math.atan2(M[2, 1], -M[2, 0])
        else:
            sign = 1.0 if M[2, 2] > 0 else -1.0
            gamma = (
                sign * (math.atan2(M[1, 0], sign * M[0, 0]) - last)
                if sign > 0
                else last - math.atan2(-M[0, 1], -M[0, 0])
            )
        out[k] = last, beta, gamma
    out[:, 0], out[:, 2] = np.unwrap(out[:, 0]), np.unwrap(out[:, 2])
    return out


def run_curves(outcome: Outcome) -> list[Curves]:
    """The quantities that Chan plots, over the run's rows."""
    time, q, v = outcome.time, outcome.q, outcome.v
    used = [
        f
        for i, f in enumerate(FINGERS)
        if outcome.contacts.touches[:, i].any() or np.abs(v[:, joint_slice(f)]).max() > 1e-9
    ]
    curves = []
    for finger in used:
        names = tuple(f"{finger} {k}" for k in (1, 2, 3))
        angles = np.degrees(q[:, joint_slice(finger)])
        curves.append(Curves(f"q_{finger}", f"Joint angles, {finger}", "deg", names, time, angles))
    for finger in used:
        names = tuple(f"{finger} {k}" for k in (1, 2, 3))
        curves.append(Curves(f"v_{finger}", f"Joint rates, {finger}", "rad/s", names, time, v[:, joint_slice(finger)]))
    R = np.asarray(rotation_from_wxyz(q[:, 18:22]))
    curves += [
        Curves("place", "Object location", "m", ("x", "y", "z"), time, outcome.place),
        Curves("zyz", "Object orientation, ZYZ", "deg", ("alpha", "beta", "gamma"), time, np.degrees(zyz_angles(R))),
        Curves("v_o", "Object velocity", "m/s", ("x", "y", "z"), time, v[:, 15:18]),
        Curves("w_o", "Object angular velocity", "rad/s", ("x", "y", "z"), time, v[:, 18:21]),
        Curves(
            "zyz_rates",
            "Rates of the ZYZ angles",
            "rad/s",
            ("alpha", "beta", "gamma"),
            time,
            _rates(zyz_angles(R), time),
        ),
    ]
    touching = [f for i, f in enumerate(FINGERS) if outcome.contacts.touches[:, i].any()]
    for finger in touching:
        i = FINGERS.index(finger)
        force = np.nan_to_num(outcome.contacts.force[:, i])
        curves.append(Curves(f"f_{finger}", f"Force of the {finger} on the object", "N", ("x", "y", "z"), time, force))
    for finger in touching:
        curves.append(_coordinates(outcome, finger))
    curves.append(mode_curves(outcome))
    return curves


def first_curves(outcome: Outcome) -> list[Curves]:
    """The three that a report begins with: modes, sizes of the contact forces, the object's way and turn."""
    contacts, time = outcome.contacts, outcome.time
    touching = [i for i in range(len(FINGERS)) if contacts.touches[:, i].any()]
    size = np.linalg.norm(np.nan_to_num(contacts.force), axis=2)[:, touching]
    names = tuple(FINGERS[i] for i in touching)
    turned = np.degrees(outcome.turned)[:, None]
    forces = [Curves("force", "Contact forces on the object", "N", names, time, size)] if touching else []
    return [
        *forces,
        mode_curves(outcome),
        Curves("turned", "The object's turn from its start", "deg", ("angle",), time, turned),
    ]


def mode_curves(outcome: Outcome) -> Curves:
    """Every contact's mode, as a level."""
    modes = np.array([[MODE_LEVELS.get(str(mode), 1.0) for mode in row] for row in outcome.contacts.mode])
    return Curves("modes", MODES_TITLE, "", FINGERS, outcome.time, modes)


def _coordinates(outcome: Outcome, finger: str) -> Curves:
    """Contact coordinates as lengths [mm] from the first touch, on the object's face and on the tip.

    On the tip they go along great circles that set out in the directions of the face's axes: a chart of two angles has
    poles, and in rolling both pairs are equal.
    """
    i = FINGERS.index(finger)
    tip, thing = outcome.tips.on_tip[:, i] / TIP_RADIUS, outcome.tips.on_object[:, i]
    first = int(np.flatnonzero(outcome.contacts.touches[:, i])[0])
    R_WO = np.asarray(rotation_from_wxyz(outcome.q[first, 18:22]))
    axes = np.delete(np.arange(3), int(np.argmax(np.abs(R_WO.T @ outcome.contacts.normal[first, i]))))
    R_WT = np.asarray(fk(outcome.recording.model, outcome.q[first], f"hand/{finger}_tip"))[:3, :3]
    start = tip[first]
    across = (R_WT.T @ R_WO)[:, axes]
    across = across - np.outer(start, start @ across)
    side = tip - np.outer(tip @ start, start)
    size = np.linalg.norm(side, axis=1)
    angle = np.arctan2(size, tip @ start)
    way = np.where(size[:, None] > 1e-12, side / np.maximum(size, 1e-12)[:, None], 0.0) @ across * angle[:, None]
    values = 1e3 * np.column_stack([TIP_RADIUS * way, thing[:, axes] - thing[first, axes]])
    values[~outcome.contacts.touches[:, i]] = np.nan
    letters = ["xyz"[a] for a in axes]
    names = (*(f"tip {letter}" for letter in letters), *(f"object {letter}" for letter in letters))
    return Curves(
        f"c_{finger}", f"Contact coordinates of the {finger}, from its first touch", "mm", names, outcome.time, values
    )


def _rates(angles: Array, time: Array) -> Array:
    return np.asarray(np.gradient(angles, time, axis=0)) if len(time) > 2 else np.zeros_like(angles)


def grasp_curves(outcome: Outcome) -> list[Curves]:
    """Force closure and quality of the tips that touch, at some rows of the run."""
    rows = np.unique(np.linspace(0, len(outcome.time) - 1, GRASP_ROWS).astype(int))
    closed, ball, slack = np.zeros(len(rows)), np.zeros(len(rows)), np.full((len(rows), 5), np.nan)
    for k, row in enumerate(rows):
        grasp = outcome.grasp_at(int(row))
        if grasp is not None:
            closed[k] = float(force_closure(grasp).ok)
            ball[k] = wrench_ball(grasp, tolerance=0.2).radius
        for i in np.flatnonzero(outcome.contacts.touches[row]):
            f = np.asarray(contact_frame(outcome.contacts.normal[row, i])).T @ outcome.contacts.force[row, i]
            slack[k, i] = outcome.setting.example.friction * f[2] - np.hypot(f[0], f[1])
    time = outcome.time[rows]
    return [
        Curves("closed", "Force closure and largest wrench ball", "", ("closed", "ball"), time, np.column_stack([closed, ball])),
        Curves("margin", "Margin to slipping", "N", FINGERS, time, slack),
    ]  # fmt: skip


def report_sections(outcome: Outcome, observations: list[Observation]) -> list[Appendix]:
    """Sections of a run's report."""
    example = outcome.setting.example
    rows = [
        (
            each.wanted.name,
            each.wanted.what,
            each.wanted.published or "-",
            _number(each.value),
            _bounds(each),
            "yes" if each.ok else "NO",
        )
        for each in observations
    ]
    events = mode_events(outcome)
    changes = [(f"{e.time:.4f}", e.contact, e.before, e.after) for e in events[:MOST_EVENTS]]
    more = f" The first {MOST_EVENTS} of {len(events)}." if len(events) > MOST_EVENTS else ""
    text = (
        f"{example.title}. {example.published}. The figures are lost; what the text says of them is beside our numbers."
    )
    head = ("observation", "what", "published", "ours", "bounds", "holds")
    return [
        Appendix("Observations", text, head, rows, stills=_stills(outcome)),
        Appendix("Published figures", "Quantities of figures 6.3 to 6.26 that this example has.", curves=run_curves(outcome)),
        Appendix(
            "Grasp", "Of the tips that touch with force: force closure with exact friction cones, the largest ball of wrenches "
            "that a newton of pressing resists (torques over the largest lever), and what is left of friction.",
            curves=grasp_curves(outcome),
        ),
        Appendix("Changes of contact", f"All changes of mode, all hits.{more}", ("time [s]", "finger", "from", "to"), changes),
    ]  # fmt: skip


def _stills(outcome: Outcome) -> list[Still]:
    """Beginning, middle and end."""
    from carpal.labs.dexterity.task import Dexterity

    eye, centre = (np.array(place) for place in Dexterity.view)
    rows = [0, len(outcome.time) // 2, len(outcome.time) - 1]
    return [Still(f"{outcome.time[k]:.3g} s", outcome.q[k], eye, centre, 0.55) for k in rows]


def _number(value: float) -> str:
    return f"{value:.3g}" if math.isfinite(value) else "never"


def _bounds(each: Observation) -> str:
    low, high = each.wanted.at_least, each.wanted.at_most
    if math.isinf(low):
        return f"at most {high:g}"
    return f"at least {low:g}" if math.isinf(high) else f"{low:g} to {high:g}"

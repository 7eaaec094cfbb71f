"""Yesmunt's figures of chapter 6 for one catch: stills, profiles, errors, torques, contact forces, and the digits.

The pictures of the thesis are lost; its text names the moments of its stills and the extremes of its curves (facts in section
6.2 and 6.3, errata E16 to E18). Curves have a point every millisecond; the extremes in the tables are of every step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from carpal.errors import CarpalError
from carpal.kinematics import fk
from carpal.labs.catch.closing import DIGITS, closing_times
from carpal.labs.catch.kernels.watch import WIDEST
from carpal.labs.catch.measure import body_pose, digit_values
from carpal.labs.catch.plan import HOLD
from carpal.labs.catch.robot import arm_model
from carpal.labs.catch.series import series_of
from carpal.labs.catch.toggles import toggle_angles
from carpal.labs.catch.torque_cause import TORQUE_TITLE, torque_section
from carpal.model import Mechanism, PointJoint
from carpal.spatial import Array, zxz_from_rotation
from carpal.tasks import Appendix, Curves, Still

if TYPE_CHECKING:
    from carpal.engines import Recording
    from carpal.labs.catch.task import Catch

STILLS = (0.70, 0.75, 0.79, 0.85, 0.90, 1.0, 1.4, 1.92, 2.1)
THESIS_CATCH, THESIS_OPEN = 0.7496, 1.9496
"""[s] of its stills, of its catch (E16) and of its opening."""
NEAR, WIDE = 0.31, 0.49
"""Height of a still [rad]: of the hand at the catch, of the whole scene."""
MOMENT = 2e-3
"""[s] about the catch in which a still shows it."""
JOINTS = tuple(f"joint {i + 1}" for i in range(6))
COORDINATES = ("theta", "phi", "psi", "x", "y", "z")
PLACES = ("palm", *DIGITS, "bin")
ZOOM = (0.05, 0.15)
"""[s] before and after the catch."""


def figures_of(task: Catch, recording: Recording) -> list[Appendix]:
    """The appendix of a catch's report."""
    sections = [stills_section(task, recording)]
    if recording.metadata["catch"]["series"]:
        sections.append(motion_section(recording))
    if task.options.engine == "penalty":
        mechanism = task.compiled(1.0, 1.0).mechanism
        sections += [hand_section(mechanism, recording), comparison_section(task, recording)]
    return sections


def comparison_section(task: Catch, recording: Recording) -> Appendix:
    """What causes torques above 200 N m, where the option `appendix` asks for it: four more catches are simulated."""
    if not task.options.appendix:
        how = "Not simulated. Run the catch with --appendix (in Python appendix=True) to compare four variants of it."
        return Appendix(TORQUE_TITLE, how)
    try:
        return torque_section(task, recording)
    except CarpalError as problem:  # options that the thesis's step cannot simulate lose this section alone
        return Appendix(TORQUE_TITLE, f"The comparison could not be run: {problem}")


def moments(recording: Recording) -> list[tuple[float, float]]:
    """(the thesis's moment, ours) [s] of each still: those after the opening count from there, the others from the catch."""
    kept = recording.metadata["catch"]
    shifts = (kept["catch_time"] - THESIS_CATCH, kept["open_time"] - THESIS_OPEN)
    found = [(t, t + (shifts[1] if t > 1.5 else shifts[0])) for t in STILLS]
    return [(t, ours) for t, ours in found if recording.time[0] <= ours <= recording.time[-1]]


def stills_section(task: Catch, recording: Recording) -> Appendix:
    """The scene at the thesis's moments."""
    catch = np.array(recording.metadata["catch"]["knots"][1][4:7])
    numbers = task.numbers()
    middle = 0.5 * np.array(numbers.bin_rim) + [0.02, -0.05, -0.05]  # between shoulder and bin
    shown = []
    for t, ours in moments(recording):
        row = int(np.argmin(np.abs(np.asarray(recording.time) - ours)))
        flown = np.arange(row, max(row - 160, 0), -20)[1:] if t < 1.0 else np.zeros(0, int)
        path = recording.q[flown, -7:-4]
        near = t <= 1.0
        centre = catch + np.array([0.01, 0.02, -0.03]) if near else middle
        away = np.array([-0.55, 0.35, -0.85]) if near else np.array([-1.05, 0.52, -1.42])
        shown.append(
            Still(
                f"{recording.time[row]:.3f} s: {seen_at(recording, row)}",
                recording.q[row],
                centre + away,
                centre,
                NEAR if near else WIDE,
                path,
                0.004,
            )
        )
    text = (
        f"The moments of the thesis's stills, {', '.join(f'{t:g}' for t in STILLS)} s, seen from the thrower's side; up to "
        "1 s near the hand, then the whole scene. Small dots are the ball's last 160 ms."
    )
    return Appendix("Stills", text, stills=shown)


def seen_at(recording: Recording, row: int) -> str:
    """What the hand is commanded to do at a recorded moment, and where the ball is, from its contacts there."""
    kept, t = recording.metadata["catch"], float(recording.time[row])
    catch, opened, grip = kept["catch_time"], kept["open_time"], np.array(kept["grip"])
    others = {c.b if c.a == "ball" else c.a for c in recording.contacts[row] if "ball" in (c.a, c.b)}
    if t >= opened:
        arm = "the hand is open"
    elif abs(t - catch) <= MOMENT:
        arm = "the catch"
    elif t < catch:
        arm = "before the catch" if t < grip[1, 0] else "the digits begin to close"
    else:
        arm = "after the catch" if t <= catch + HOLD else "the arm moves on"
    where = "in the bin" if "" in others else "touched by " + ", ".join(sorted(others)) if others else "in flight"
    return f"{arm}, ball {where}"


def motion_curves(recording: Recording) -> list[Curves]:
    """Torques, errors and profiles of the whole run; none where the run kept none."""
    if not recording.metadata.get("catch", {}).get("series"):
        return []
    torque, errors = series_of(recording, "torque"), series_of(recording, "errors")
    time = np.asarray(recording.time, float)[: len(torque)]
    both = np.hstack(profiles(recording, time))
    names = [f"{name} {which}" for which in ("wanted", "measured") for name in COORDINATES]
    angles, places = [0, 1, 2, 6, 7, 8], [3, 4, 5, 9, 10, 11]
    return [
        Curves("catch.torque", "Torques of the arm", "N m", JOINTS, time, torque),
        Curves("catch.far", "Position error of the hand", "mm", ("from joint angles",), time, 1e3 * errors[:, :1]),
        Curves("catch.turn", "Orientation error", "deg", ("largest of the angles", "rotation"), time,
               np.degrees(errors[:, 1:])),
        Curves("catch.angles", "Hand angles, wanted and measured", "deg", tuple(names[i] for i in angles), time,
               np.degrees(both[:, angles])),
        Curves("catch.places", "Hand position, wanted and measured", "m", tuple(names[i] for i in places), time,
               both[:, places]),
    ]  # fmt: skip


def first_curves(recording: Recording) -> list[Curves]:
    """The three that a report begins with: error of the hand, torques of the arm, forces on the ball."""
    kept = {curves.key: curves for curves in motion_curves(recording)}
    return [kept[key] for key in ("catch.far", "catch.torque") if key in kept] + [force_curves(recording)]


def force_curves(recording: Recording) -> Curves:
    """Contact forces on the ball."""
    time = np.asarray(recording.time, float)
    return Curves("catch.force", "Contact forces on the ball", "N", PLACES, time, contact_forces(recording))


def motion_section(recording: Recording) -> Appendix:
    """Profiles, errors and torques."""
    torque, *others = motion_curves(recording)
    catch = recording.metadata["catch"]["catch_time"]
    near = (torque.time > catch - ZOOM[0]) & (torque.time < catch + ZOOM[1])
    zoom = Curves("catch.torque_zoom", "Torques about the catch", "N m", JOINTS, torque.time[near], torque.values[near])
    text = (
        "Wanted and measured coordinates of the hand (ZXZ angles and position), errors as the thesis takes them (from joint "
        "angles; each of the three angles), and the arm's torques, the whole run and about the catch."
    )
    return Appendix("Profiles, errors and torques", text, curves=[*others[2:], *others[:2], torque, zoom])


def profiles(recording: Recording, time: Array) -> tuple[Array, Array]:
    """Wanted and measured (theta, phi, psi, x, y, z) (rows, 6) [rad, m] of the hand."""
    knots = np.array(recording.metadata["catch"]["knots"])
    path = CubicHermiteSpline(knots[:, 0], knots[:, 1:7], knots[:, 7:])
    wanted = path(np.clip(time, knots[0, 0], knots[-1, 0]))
    X = fk(arm_model(), series_of(recording, "measured"))
    angles = zxz_from_rotation(X[:, :3, :3])
    angles += 2 * np.pi * np.round((wanted[:, :3] - angles) / (2 * np.pi))  # the same turn
    return wanted, np.hstack([angles, X[:, :3, 3]])


def contact_forces(recording: Recording) -> Array:
    """Force on the ball (rows, PLACES) [N] from palm, digits and bin: the sum of the sizes of their contacts' forces."""
    forces = np.zeros((len(recording.time), len(PLACES)))
    for row, contacts in enumerate(recording.contacts):
        for contact in contacts:
            other = contact.a if contact.b == "ball" else contact.b
            place = "bin" if not other else other.partition("/")[0]
            forces[row, PLACES.index(place)] += float(np.linalg.norm(contact.force))
    return forces


def joint_gaps(mechanism: Mechanism, q: Array) -> Array:
    """Widest gap (rows) [m] of all joints that hold two points together."""
    widest = np.zeros(len(q))
    held = {body.name: body_pose(mechanism, q, body.name) for body in mechanism.bodies}

    def place(body: str | None, p: Array) -> Array:
        return np.asarray(p) if body is None else np.asarray(held[body][..., :3, :3] @ p + held[body][..., :3, 3])

    for joint in mechanism.joints:
        if isinstance(joint, PointJoint):
            apart = place(joint.a, joint.p_AP) - place(joint.b, joint.p_BP)
            widest = np.maximum(widest, np.linalg.norm(apart, axis=-1))
    return widest


def hand_section(mechanism: Mechanism, recording: Recording) -> Appendix:
    """What the hand does: contact forces, digits, gaps of the joints, and the distance from the linkages' toggles."""
    time, kept = np.asarray(recording.time, float), recording.metadata["catch"]
    catch, signal = kept["catch_time"], kept["grip"][1][0]
    every, digits = force_curves(recording), digit_values(mechanism, recording.q)
    gaps = joint_gaps(mechanism, recording.q)
    margins = np.degrees(toggle_angles(mechanism, recording.q).min(-1))
    needed = closing_times(time, digits, signal, min(kept["open_time"] - 0.01, float(time[-1])))
    near = (time > catch - ZOOM[0]) & (time < catch + ZOOM[1])
    held = digits[np.searchsorted(time, kept["open_time"] - 0.01)]
    scale, units = [1e3] * 4 + [1.0], ["mm"] * 4 + ["rad"]
    away = [f"{m:.1f} deg" for m in margins.min(0)] + ["no linkage"]
    rows = [
        (
            name,
            f"{1e3 * needed[i]:.0f} ms",
            f"{scale[i] * digits[0, i]:.3g} to {scale[i] * held[i]:.3g} {units[i]}",
            away[i],
        )
        for i, name in enumerate(DIGITS)
    ]
    curves = [
        every,
        Curves("catch.force_zoom", "Contact forces about the catch", "N", PLACES, time[near], every.values[near]),
        Curves("catch.fingers", "Lengths of the fingers' actuators", "mm", DIGITS[:4], time, 1e3 * digits[:, :4]),
        Curves("catch.thumb", "Angle of the thumb", "rad", DIGITS[4:], time, digits[:, 4:]),
        Curves(
            "catch.gap",
            "Widest gap of a pin or hinge, without the fingers' stops",
            "mm",
            ("gap",),
            time,
            1e3 * gaps[:, None],
        ),
        Curves("catch.toggle", "Least angle from a toggle", "deg", DIGITS[:4], time, margins),
    ]
    crossed = "no digit crosses one" if margins.min() > 0 else "a digit has crossed one"
    text = (
        f"The digits are commanded to close at {signal:.3f} s, {1e3 * (catch - signal):.0f} ms before the catch. Closing time is "
        "from the signal to nine tenths of the way that a digit goes with the ball in the hand. The least angle from a toggle "
        f"over the whole run is {margins.min():.1f} deg: {crossed}. The widest gap of a pin or hinge is "
        f"{1e3 * gaps.max():.3f} mm at the recorded rows; the stops of the fingers are softer and give way by "
        f"{1e3 * kept['watch'][WIDEST]:.3f} mm at most, in any step."
    )
    return Appendix(
        "Hand and ball", text, ("digit", "closing time", "travel", "least angle from a toggle"), rows, curves
    )


def thrown_path(recording: Recording) -> Array | None:
    """Places (n, 3) [m] of the ball up to its first contact; None where there is no ball."""
    if "ball" not in recording.model.joint_names or len(recording.time) < 2:
        return None
    touched = [i for i, row in enumerate(recording.contacts) if any("ball" in (c.a, c.b) for c in row)]
    end = max(2, touched[0] + 1 if touched else len(recording.time))
    first = recording.model.q_index("ball")
    every = max(1, end // 60)
    return np.asarray(recording.q[:end:every, first : first + 3], float)

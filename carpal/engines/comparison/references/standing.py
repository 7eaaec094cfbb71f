"""What stands, and what does not: limit analysis of an arch, cards, walls and pinches."""

from __future__ import annotations

import math

import numpy as np

from carpal.engines.comparison.reference import Reference, Value
from carpal.engines.comparison.track import Track
from carpal.spatial import Array

G = 9.81
STANDS = 0.005
"""Displacement [m] up to which something has stayed where it was."""


def largest_displacement(track: Track) -> float:
    """Of any body from its start [m]."""
    p = track.poses[:, :, :3, 3]
    return float(np.linalg.norm(p - p[0], axis=-1).max())


def stands(expected: bool) -> Reference:
    """Whether everything stays within 5 mm: 1 or 0."""
    value = Value("stands (1) or not (0)", float(expected), lambda track: float(largest_displacement(track) < STANDS))
    return Reference(values=(value,))


def arch_stands(ratio: float, stones: int = 16) -> bool:
    """Whether a line of thrust fits inside a semicircular arch of that thickness over mean radius (Heyman 1969).

    A linear program; unknown at each joint: normal force, shear, and moment about its middle; no tension, no sliding, infinite
    strength.
    """
    from scipy.optimize import linprog

    count, weight = stones + 1, 1.0
    rows, right = [], []
    angles = np.pi * np.arange(count) / stones
    inner, outer = 1 - ratio / 2, 1 + ratio / 2

    def middle(i: int) -> Array:
        """Mean of the corners, as the scene has the stones' centres of mass nearly."""
        a, b = angles[i], angles[i + 1]
        square = 2 / 3 * (outer**3 - inner**3) / (outer**2 - inner**2) * math.sin((b - a) / 2) / ((b - a) / 2)
        return square * np.array([math.cos((a + b) / 2), math.sin((a + b) / 2)])

    for i in range(stones):
        balance = np.zeros((3, 3 * count))
        for joint, sign in ((i, 1.0), (i + 1, -1.0)):
            out = np.array([math.cos(angles[joint]), math.sin(angles[joint])])
            along = np.array([-out[1], out[0]])  # from joint to joint; thrust from the joint before pushes along
            for k, direction in ((0, along), (1, out)):
                force = sign * direction
                arm = out - middle(i)
                balance[:2, 3 * joint + k] = force
                balance[2, 3 * joint + k] = arm[0] * force[1] - arm[1] * force[0]
            balance[2, 3 * joint + 2] = sign
        rows.append(balance)
        right.append([0.0, weight, 0.0])
    thick = []
    for joint in range(count):
        for sign in (1.0, -1.0):
            row = np.zeros(3 * count)
            row[3 * joint], row[3 * joint + 2] = -ratio / 2, sign  # |moment| <= normal force times half the thickness
            thick.append(row)
    bounds = [(0, None), (None, None), (None, None)] * count
    found = linprog(
        np.zeros(3 * count), np.array(thick), np.zeros(len(thick)), np.vstack(rows), np.concatenate(right), bounds
    )
    return bool(found.status == 0)


def cards_stand(mu: float, degrees: float) -> bool:
    """Two cards that lean on each other: half the tangent of the angle from the vertical is the friction they need."""
    return mu >= math.tan(math.radians(degrees)) / 2


def pinch_path(times: Array, mu: float, force: float = 5.0, mass: float = 0.2) -> Array:
    """Height (rows) [m] of what two pads press on: held where 2 mu F >= m g, else it falls at the rest."""
    fall = max(0.0, G - 2 * mu * force / mass)
    return 0.5 - 0.5 * fall * np.asarray(times, float) ** 2


def _pinch(mu: float):  # type: ignore[no-untyped-def]
    def reference(times: Array) -> Reference:
        z = pinch_path(times, mu)
        return Reference({"object": np.stack([0 * z, 0 * z, z], axis=1)})

    return reference


def _peg(times: Array) -> Reference:
    return Reference(
        values=(Value("height of the peg at the end [m]", 0.06, lambda track: float(track.positions("peg")[-1, 2])),)
    )


REFERENCES = {
    "arch_stands": lambda times: stands(arch_stands(0.15)),
    "arch_falls": lambda times: stands(arch_stands(0.09)),
    "card_house": lambda times: stands(cards_stand(0.2, 15)),
    "wall_3x3": lambda times: stands(True),
    "plate_on_boxes": lambda times: stands(True),
    "pinch_holds": _pinch(0.3),
    "pinch_slips": _pinch(0.15),
    "pinched_ball": _pinch(0.5),
    "peg_in_hole": _peg,
}

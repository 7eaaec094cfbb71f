"""What a run of the task holds, arranged by finger: who touches when, with what mode and force, and the object's motion."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.contact import Grasp, force_closure
from carpal.engines import Recording, touching
from carpal.labs.dexterity.robot import FINGERS
from carpal.labs.dexterity.scene import OBJECT, Setting
from carpal.labs.dexterity.tip_motion import Hit, TipMotion, hits, tip_motion
from carpal.spatial import Array, rotation_from_wxyz, rotation_vector

FREE = "free"


@dataclass(frozen=True, eq=False)
class FingerContacts:
    """Contacts of tips with the object.

    Args:
        mode: (rows, 5) as text; "" where the engine knows none, "free" where nothing touches.
        force: (rows, 5, 3) [N] on the object, in W; NaN where nothing touches, as the next two.
        point: (rows, 5, 3) [m] in W.
        normal: (rows, 5, 3) into the object, in W.
    """

    mode: np.ndarray
    force: Array
    point: Array
    normal: Array

    @property
    def touches(self) -> np.ndarray:
        """(rows, 5) whether a finger touches."""
        return self.mode != FREE


def finger_contacts(rows: list[tuple[Any, ...]]) -> FingerContacts:
    """Contacts of a recording's rows by finger; where a tip touches at several points, forces add up and the first is kept."""
    n = len(rows)
    mode = np.full((n, 5), FREE, dtype=object)
    force, point, normal = (np.full((n, 5, 3), np.nan) for _ in range(3))
    for k, contacts in enumerate(rows):
        for contact in touching(contacts):
            other = contact.a if contact.b == OBJECT else contact.b if contact.a == OBJECT else ""
            finger = other.removeprefix("hand/").removesuffix("_link_3")
            if finger not in FINGERS:
                continue
            i, sign = FINGERS.index(finger), 1.0 if contact.b == OBJECT else -1.0
            given = sign * np.array(contact.force)
            if mode[k, i] == FREE:
                mode[k, i], force[k, i] = contact.mode, given
                point[k, i], normal[k, i] = contact.point, sign * np.array(contact.normal)
            else:
                force[k, i] += given
    return FingerContacts(mode, force, point, normal)


class Outcome:
    """A run, ready to be measured.

    Args:
        setting: what was run.
        recording: what happened.
    """

    def __init__(self, setting: Setting, recording: Recording) -> None:
        self.setting, self.recording = setting, recording
        self.time = np.asarray(recording.time, float)
        self.q, self.v = recording.q, recording.v

    @functools.cached_property
    def contacts(self) -> FingerContacts:
        """By finger."""
        return finger_contacts(self.recording.contacts)

    @functools.cached_property
    def tips(self) -> TipMotion:
        """Gaps, speeds and nearest points."""
        return tip_motion(self.recording.model, self.q, self.v)

    @functools.cached_property
    def hits(self) -> list[Hit]:
        """Every hit."""
        return hits(self.tips, self.time)

    @functools.cached_property
    def turned(self) -> Array:
        """Angle (rows) [rad] of the object away from its start."""
        R = np.asarray(rotation_from_wxyz(self.q[:, 18:22]))
        return np.linalg.norm(np.asarray(rotation_vector(R @ R[0].T)), axis=-1)

    @property
    def place(self) -> Array:
        """The object's position (rows, 3) [m]."""
        return self.q[:, 15:18]

    def row(self, time: float) -> int:
        """The row nearest to a time [s]; the last one for NaN."""
        return len(self.time) - 1 if np.isnan(time) else int(np.argmin(np.abs(self.time - time)))

    def grasp_at(self, row: int) -> Grasp | None:
        """Tips that touch with force at a row, as a grasp; None where there are none."""
        contacts, example = self.contacts, self.setting.example
        held = [i for i in range(5) if contacts.touches[row, i] and np.linalg.norm(contacts.force[row, i]) > 1e-9]
        if not held:
            return None
        soft = example.tip == "soft"
        return Grasp(
            contacts.point[row, held], contacts.normal[row, held], mu=example.friction, tip=example.tip,
            torsion=example.torsion if soft else 0.0, centre=self.place[row],
        )  # fmt: skip

    def closed_at(self, row: int) -> bool:
        """Whether the tips that touch close the grasp."""
        grasp = self.grasp_at(row)
        return grasp is not None and force_closure(grasp).ok

    def same_grasp(self, one: int, other: int) -> bool:
        """Whether the same tips touch the same points of the object at two rows: what holds of one grasp holds of the other."""
        touching = self.contacts.touches[one]
        if (touching != self.contacts.touches[other]).any():
            return False
        presses = np.linalg.norm(self.contacts.force[[one, other]][:, touching], axis=-1) > 1e-9
        moved = np.abs(self.tips.on_object[one, touching] - self.tips.on_object[other, touching])
        return bool((presses[0] == presses[1]).all() and moved.max(initial=0.0) < 1e-9)

    def arcs(self, finger: str, first: int = 0, last: int | None = None) -> tuple[float, float]:
        """Lengths [m] of the contact's ways on the tip and on the object between two rows, while it touches."""
        i = FINGERS.index(finger)
        rows = slice(first, None if last is None else last + 1)
        touching = self.contacts.touches[rows, i]
        both = touching[1:] & touching[:-1]
        ways = []
        for points in (self.tips.on_tip[rows, i], self.tips.on_object[rows, i]):
            ways.append(float(np.linalg.norm(np.diff(points, axis=0), axis=1)[both].sum()))
        return ways[0], ways[1]

"""A signing hand: commands of a handshape, and joint angles of commands.

Commands are the wrist's angles, the angles of directly driven joints, and the travel of tendons. A finger on one tendon has one
degree of freedom where a handshape has two (base and outer joints): it gets the travel with the nearest angles, and the remaining
error is reported.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, unknown_name
from carpal.labs.sign.files.alphabet import FINGERS, Handshape
from carpal.labs.sign.files.driver import Drive, Driver, read_driver
from carpal.labs.sign.hand.link_shapes import with_link_shapes
from carpal.labs.sign.hand.tendons import TendonFinger, designed_finger, tendon_angles
from carpal.model import Frame, Model, load, robots
from carpal.spatial import Array, pose

TABLE = 257
"""Rows of a free finger's closing curve, from which the nearest travel is found."""


@dataclass(frozen=True, eq=False)
class SignHand:
    """A hand with its commands.

    Args:
        driver: its file.
        model: the hand alone, with shapes.
        commands: names; "<finger>_tendon" for tendons, otherwise joints.
        low, high: (n) of the commands [rad, m].
        fingers: those that hang on tendons, by name.
        columns: (n or 3 n) for each command the columns of q that it moves.
    """

    driver: Driver
    model: Model
    commands: tuple[str, ...]
    low: Array
    high: Array
    fingers: dict[str, TendonFinger]
    columns: dict[str, tuple[int, ...]]

    @property
    def home(self) -> Array:
        """(nq) the open hand."""
        return np.array(self.model.q_home)

    @property
    def tendons(self) -> list[int]:
        """Indices of the commands that are tendons."""
        return [i for i, name in enumerate(self.commands) if name.endswith("_tendon")]

    @property
    def wrist(self) -> list[int]:
        """Indices of the wrist's commands; empty where it has none."""
        return [self.commands.index(joint) for joint in self.driver.wrist]

    def joints(self, commands: ArrayLike, loads: ArrayLike | None = None) -> Array:
        """Configurations (*batch, nq) of the hand for commands (*batch, n); loads (*batch, tendons, m, 4) touch the fingers."""
        c = np.asarray(commands, float)
        q = np.zeros((*c.shape[:-1], self.model.nq))
        q[...] = self.model.q_home
        for i, name in enumerate(self.commands):
            if not name.endswith("_tendon"):
                q[..., self.columns[name][0]] = c[..., i]
        if self.fingers:
            rest = tendon_angles(list(self.fingers.values()), c[..., self.tendons], loads)
            if not rest:
                raise InputError(f"the fingers of '{self.driver.hand}' do not come to rest: {rest}")
            for k, i in enumerate(self.tendons):
                q[..., list(self.columns[self.commands[i]])] = rest.angles[..., k, :]
        return q

    def wanted(self, shape: Handshape) -> dict[str, float]:
        """Joint angles [rad] that a handshape asks for, by joint, without the wrist; clipped to the joints' limits."""
        out: dict[str, float] = {}
        for finger, how in self.driver.bend.items():
            base, outer = self.bend_of(finger, shape)
            if not isinstance(how[0], str):
                for drives, value in zip(how, (base, outer), strict=True):
                    out |= {drive.joint: drive.angle(value) for drive in drives if isinstance(drive, Drive)}
            else:
                for joint, value in zip(how, (base, outer, outer), strict=True):
                    out[str(joint)] = value * float(self.model.q_max[self.model.q_index(str(joint))])
        for (channel, finger), drive in self.driver.others.items():
            value = {"opposition": shape.opposition, "cup": shape.cup}.get(channel, shape.spread[FINGERS.index(finger)])
            out[drive.joint] = drive.angle(float(value))
        for joint, angle in out.items():
            i = self.model.q_index(joint)
            out[joint] = float(np.clip(angle, self.model.q_min[i], self.model.q_max[i]))
        return out

    def bend_of(self, finger: str, shape: Handshape) -> Array:
        """(2) bends that a finger shows: its own, or those of the straightest of the fingers that are folded into it."""
        rows = [shape.bend[FINGERS.index(one)] for one in self.driver.fold.get(finger, (finger,))]
        return min(rows, key=lambda row: float(row.sum()))

    def digit(self, finger: str) -> str:
        """The robot's finger that shows a finger of a person."""
        if finger in self.driver.bend:
            return finger
        return next(own for own, shown in self.driver.fold.items() if finger in shown)

    def convert(self, shape: Handshape) -> tuple[Array, float]:
        """Commands (n) nearest to a handshape, wrist straight, and the largest angle [rad] by which a joint stays away."""
        wanted = self.wanted(shape)
        c = np.zeros(len(self.commands))
        away = 0.0
        for i, name in enumerate(self.commands):
            if name in wanted:
                c[i] = wanted[name]
            elif name.endswith("_tendon"):
                finger = name.removesuffix("_tendon")
                asked = np.array([wanted[str(joint)] for joint in self.driver.bend[finger]])
                c[i], miss = self._nearest(finger, asked)
                away = max(away, miss)
        return np.clip(c, self.low, self.high), away

    def _nearest(self, finger: str, asked: Array) -> tuple[float, float]:
        """The travel [m] whose free angles come nearest to (3) [rad], each joint counted by the length beyond it."""
        travel, angles = self._curve(finger)
        lengths = self.fingers[finger].lengths
        weight = np.cumsum(lengths[::-1])[::-1]
        cost = (((angles - asked) * weight) ** 2).sum(-1)
        k = int(np.argmin(cost))
        a, b, c = (cost[min(max(k + j, 0), len(cost) - 1)] for j in (-1, 0, 1))
        bend = a - 2 * b + c
        shift = 0.5 * (a - c) / bend if 0 < k < len(cost) - 1 and bend > 0 else 0.0
        at = float(travel[k] + shift * (travel[1] - travel[0]))
        there = tendon_angles(self.fingers[finger], at).angles
        return at, float(np.abs(there - asked).max())

    @functools.lru_cache(maxsize=8)  # noqa: B019 - a hand lives as long as its robot
    def _curve(self, finger: str) -> tuple[Array, Array]:
        travel = np.linspace(0.0, self.fingers[finger].travel, TABLE)
        return travel, tendon_angles(self.fingers[finger], travel).angles


def _tendon_finger(driver: Driver, model: Model, finger: str, joints: Sequence[str]) -> TendonFinger:
    bodies = {body.joint.name: body for body in model.bodies}
    for joint in joints:
        if joint not in bodies:
            raise unknown_name(f"joint of '{driver.hand}' in bend.{finger}", joint, model.joint_names)
    chain = [bodies[joint] for joint in joints]
    tips = {frame.body: frame.X_BF for frame in model.extra_frames}
    ends = [chain[1].joint.X_PJ[:3, 3], chain[2].joint.X_PJ[:3, 3], tips[chain[2].name][:3, 3]]
    masses = [body.inertia.mass if body.inertia else 0.0 for body in chain]
    return designed_finger(
        finger, [float(np.linalg.norm(p)) for p in ends], [body.joint.q_max for body in chain], masses=masses,
        **driver.tendons[finger],
    )  # fmt: skip


def _framed(model: Model, driver: Driver) -> Model:
    """The hand with the palm's frame and fingertips of its driver."""
    for what, name in (("palm", driver.palm_of), *((f"tips.{finger}", tip[0]) for finger, tip in driver.tips.items())):
        if name not in model.frames:
            raise unknown_name(f"frame of '{driver.hand}' in {what}", name, model.frames)
    frames = list(model.extra_frames)
    if driver.tips:
        frames = [_frame(model, f"{finger}_tip", on, pose(p=place)) for finger, (on, place) in driver.tips.items()]
    if driver.palm != driver.palm_of:
        frames.append(_frame(model, driver.palm, driver.palm_of, driver.X_BP))
    names = [body.name for body in model.bodies]
    for body in (one for pair in driver.overlaps for one in pair):
        if body not in names:
            raise unknown_name(f"body of '{driver.hand}' in overlaps", body, names)
    return model.replace(
        extra_frames=tuple(frames),
        exclusions=(*model.exclusions, *driver.overlaps),
        tool=driver.palm if driver.palm != driver.palm_of else model.tool,
    )


def _frame(model: Model, name: str, on: str, X: Array) -> Frame:
    """A frame at X in a body or in another frame."""
    for frame in model.extra_frames:
        if frame.name == on:
            return Frame(name, frame.body, frame.X_BF @ X)
    return Frame(name, on, X)


def sign_hand(driver: Driver | str = "parloma") -> SignHand:
    """The hand of a driver, by its name or as read; every name of the file is checked against the hand's model."""
    if not isinstance(driver, Driver):
        driver = read_driver(driver)
    model = with_link_shapes(
        _framed(load(driver.hand, untrusted=driver.hand not in robots()), driver), driver.hand_radius
    )
    names: list[str] = list(driver.wrist)
    fingers: dict[str, TendonFinger] = {}
    columns: dict[str, tuple[int, ...]] = {}
    for drive in driver.others.values():
        names.append(drive.joint)
    for finger, how in driver.bend.items():
        if not isinstance(how[0], str):
            names += [drive.joint for drives in how for drive in drives if isinstance(drive, Drive)]
        else:
            joints = [str(joint) for joint in how]
            fingers[finger] = _tendon_finger(driver, model, finger, joints)
            names.append(f"{finger}_tendon")
            columns[names[-1]] = tuple(model.q_index(joint) for joint in joints)
    low: list[float] = []
    high: list[float] = []
    for name in names:
        if name in columns:
            low, high = [*low, 0.0], [*high, fingers[name.removesuffix("_tendon")].travel]
        else:
            columns[name] = (model.q_index(name),)
            low, high = [*low, float(model.q_min[columns[name][0]])], [*high, float(model.q_max[columns[name][0]])]
    moved = {joint for joint in names if joint in model.joint_names} | {
        str(joint) for how in driver.bend.values() for joint in how if isinstance(joint, str)
    }
    left = [joint for joint in model.joint_names if joint not in moved]
    if left:
        raise InputError(
            f"nothing in driver '{driver.name}' moves {', '.join(left)} of '{driver.hand}'; "
            "a drive with two equal angles holds a joint."
        )
    return SignHand(driver, model, tuple(names), np.array(low), np.array(high), fingers, columns)

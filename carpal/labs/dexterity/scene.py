"""From an example to a scene, the state in which it begins, and the servo's targets over time.

Fingers that touch are placed by their closed-form inverse kinematics so that the tip meets the object's surface. Their targets
are such that contact forces within the friction cones, the nearest to the presses asked for, balance the object's weight
(G f = -w); a box that is held does not sag at the start. One or two touches, or touches that cannot hold it, press as asked.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.contact import Grasp, distribute_load, shape_distance
from carpal.errors import InputError
from carpal.labs.dexterity.controller import press_target
from carpal.labs.dexterity.example_file import Example, FingerStart
from carpal.labs.dexterity.robot import FINGERS, TIP_RADIUS, joint_slice, reach_with, task_hand
from carpal.model import Model, Plane, Scene, State
from carpal.spatial import Array, pose, rotation_from_rpy

GLASS = (0.93, 0.62, 0.25, 0.45)
"""The object's colour: contacts behind it are seen."""
HAND, OBJECT, TABLE = "hand", "object", "table"
ASIDE = np.radians([0.0, -30.0, 0.0])
"""Where a finger stands that an example does not name: leaning back, out of the way [rad]."""
RESERVE = 0.1
"""Part of the friction that the presses of a hold leave unused; assumed."""
APART = 1e-12
"""Gap [m] that is left between a tip and what it touches, so that rounding never makes it an overlap."""


@dataclass(frozen=True, eq=False)
class Setting:
    """An example made ready.

    Args:
        example: what it was made from.
        hand: the hand alone.
        scene: everything.
        q: (15) the fingers' angles at the start [rad].
        knots: times (k) [s] between which targets go straight.
        targets: (k, 15) [rad] at these times.
        presses: force [N] of each touching finger on the object at the start (3, in W).
    """

    example: Example
    hand: Model
    scene: Scene
    q: Array
    knots: Array
    targets: Array
    presses: dict[str, Array]

    def start(self) -> State:
        """Where it begins."""
        return self.scene.start()

    def target(self, time: float) -> tuple[Array, Array]:
        """Targets and their rates (15 each) [rad, rad/s] at a time [s]."""
        k = int(np.searchsorted(self.knots, time + 1e-12, side="right")) - 1
        k = min(max(k, 0), len(self.knots) - 1)
        if k == len(self.knots) - 1:
            return self.targets[k], np.zeros(15)
        span = self.knots[k + 1] - self.knots[k]
        rate = (self.targets[k + 1] - self.targets[k]) / span
        return self.targets[k] + rate * (time - self.knots[k]), rate


def make_setting(example: Example) -> Setting:
    """The scene, the start and the targets of an example; one sentence where a finger cannot do what is asked."""
    hand = task_hand(example.bases)
    X_WO = pose(rotation_from_rpy(example.rpy), example.position)
    q = np.tile(ASIDE, 5)
    touches: dict[str, tuple[Array, Array]] = {}
    for name, finger in example.fingers.items():
        if finger.touch is not None:
            point, normal = _surface_point(example, X_WO, name, finger)
            q[joint_slice(name)] = reach_with(hand, name, point - (TIP_RADIUS + max(APART, finger.gap)) * normal)
            if not finger.gap:
                touches[name] = (point, normal)
        elif finger.start is not None:
            q[joint_slice(name)] = finger.start
    presses = _presses(example, touches)
    first = q.copy()
    for name, finger in example.fingers.items():
        if name in touches:
            first[joint_slice(name)] = press_target(hand, q, name, touches[name][0], presses[name])
        if finger.target is not None:
            first[joint_slice(name)] = finger.target
    knots, targets = _schedule(example, first)
    scene = Scene("dexterity", gravity=(0.0, 0.0, -example.gravity)).add_robot(hand, name=HAND, q=q)
    scene.add_object(OBJECT, example.shape, mass=example.mass, pose=X_WO, twist=example.twist, rgba=GLASS)
    if example.table is not None:
        scene.add_fixed(TABLE, Plane(), pose=[0.0, 0.0, example.table[0]])
    return Setting(example, hand, scene, q, knots, targets, presses)


def _surface_point(example: Example, X_WO: Array, name: str, finger: FingerStart) -> tuple[Array, Array]:
    """A touched point and the normal into the object there (3 each), in W."""
    from carpal.model import Sphere

    point = X_WO[:3, :3] @ np.asarray(finger.touch) + X_WO[:3, 3]
    found = shape_distance(Sphere(1e-9), pose(p=point), example.shape, X_WO)
    if abs(float(found.distance)) > 1e-6:
        raise InputError(
            f"finger '{name}' touches ({', '.join(f'{x:g}' for x in np.asarray(finger.touch))}) m, which is "
            f"{abs(float(found.distance)):.3g} m off the object's surface."
        )
    return point, np.asarray(found.n_AB_W, float)


def _presses(example: Example, touches: dict[str, tuple[Array, Array]]) -> dict[str, Array]:
    """Forces of the fingers on the object: the nearest to the presses that carry its weight, where there are such forces."""
    if not touches:
        return {}
    names = list(touches)
    points, normals = (np.array([touches[name][k] for name in names]) for k in (0, 1))
    grasp = Grasp(points, normals, mu=max(example.friction, 1e-3), centre=example.position)
    wanted = np.zeros(grasp.width)
    wanted[2::3] = [example.fingers[name].press for name in names]
    pull = 0.0 if example.table is not None else -example.mass * example.gravity  # a table carries it alone
    weight = np.r_[0.0, 0.0, pull, 0.0, 0.0, 0.0]
    held = distribute_load(grasp, weight, least="change", wanted=wanted, keep=RESERVE) if len(names) > 2 else None
    forces = grasp.world_forces(held.forces if held else wanted)
    return dict(zip(names, forces, strict=True))


def _schedule(example: Example, first: Array) -> tuple[Array, Array]:
    """Knots and targets of all moves, each from where the finger's target is then."""
    times = sorted({0.0, *(m.time for m in example.moves), *(m.time + m.over for m in example.moves)})
    at, knots, targets = first.copy(), [], []
    under_way: list[tuple[float, float, str, Array, Array]] = []
    for time in times:
        now = at.copy()
        for begun, over, name, a, b in under_way:
            now[joint_slice(name)] = a + min((time - begun) / over, 1.0) * (b - a)
        knots.append(time)
        targets.append(now.copy())
        under_way = [m for m in under_way if time < m[0] + m[1] - 1e-12]
        for move in (m for m in example.moves if m.time == time):
            for name in move.fingers:
                a = now[joint_slice(name)].copy()
                b = a + move.by if move.by is not None else np.asarray(move.to)
                under_way = [m for m in under_way if m[2] != name]
                if move.over > 0:
                    under_way.append((time, move.over, name, a, b))
                else:
                    now[joint_slice(name)] = b
        if (now != targets[-1]).any():  # a step: two knots at one time
            knots.append(time)
            targets.append(now.copy())
        at = now
    return np.array(knots), np.array(targets)


def touching_fingers(example: Example) -> tuple[str, ...]:
    """Fingers that touch at the start."""
    return tuple(name for name in FINGERS if (f := example.fingers.get(name)) and f.touch is not None and not f.gap)

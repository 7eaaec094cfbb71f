"""What the assumed numbers of the rover's gripper, eyes and relay do at minus and plus 20 % (docs/assumptions.md).

The gripper's program keeps believing the listed number while the simulated gripper has another; the eyes and the relay change as
a whole, because they are measured before they are used.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

import carpal
from carpal.labs.retrieve import (
    GRIPPER,
    RELAY,
    GripperSettings,
    Relay,
    drive_gripper,
    gripper_arm,
    relay_pose,
    rover_eyes,
    stereo_cameras,
)
from carpal.perception import Camera, StereoPair, locate_marks, project

BASE = GripperSettings()
TARGET = 0.040


class Mistaken(GripperSettings):
    """A gripper whose program goes by the listed numbers."""

    def limit_current(self, force: float) -> float:
        return BASE.limit_current(force)

    def rule_table(self, target: float) -> np.ndarray:
        return BASE.rule_table(target)

    def filter_table(self) -> np.ndarray:
        return BASE.filter_table()


def closings(settings: GripperSettings) -> dict[str, float]:
    rng = np.random.default_rng(2)
    n = 300
    kind = rng.integers(0, 3, n)
    contact = np.where(
        kind == 0, rng.uniform(0.001, 0.028, n), np.where(kind == 1, rng.uniform(0.032, 0.038, n), np.nan)
    )
    result = drive_gripper(settings, TARGET, contact=contact, stiffness=np.exp(rng.uniform(11.5, 18.4, n)), seed=3)
    wrong = result.outcome != np.array(["jammed", "gripped", "reached"])[kind]
    return {
        "wrong verdicts of 300": float(wrong.sum()),
        "largest force over its limit [N]": float(result.excess.max()),
        "smallest grip [N]": float(result.force[kind == 1].min()),
        "largest error of the contact's place [mm]": 1e3 * float(np.abs(result.place - contact)[kind < 2].max()),
    }


def mistaken(name: str, factor: float) -> GripperSettings:
    if name in ("rotor time constant (mass on the rod)", "breakaway over sliding friction", "force of a current"):
        field = {"r": "mass", "b": "breakaway", "f": "force_per_ampere"}[name[0]]
        motor = dataclasses.replace(BASE.motor, **{field: factor * getattr(BASE.motor, field)})
        return Mistaken(motor=motor)
    return Mistaken(**{name: factor * getattr(BASE, name)})


def eyes(height: float = 1.0, baseline: float = 1.0, focal: float = 1.0) -> StereoPair:
    pair = stereo_cameras()
    middle = 0.5 * (pair.left.X_WC[:3, 3] + pair.right.X_WC[:3, 3])

    def changed(camera: Camera) -> Camera:
        X = camera.X_WC.copy()
        X[:3, 3] = middle + baseline * (X[:3, 3] - middle)
        at = np.array(rover_eyes.LOOK_AT)
        X[:3, 3] = at + height * (X[:3, 3] - at)  # farther along the same line of sight
        return camera.replace(X_WC=X, fx=focal * camera.fx, fy=focal * camera.fy)

    return StereoPair(changed(pair.left), changed(pair.right))


def located(pair: StereoPair, relay: Relay = RELAY) -> dict[str, float]:
    rng = np.random.default_rng(4)
    poses = [relay_pose(rng.uniform(0.4, 0.7), rng.uniform(-0.25, 0.25), rng.uniform(-3, 3)) for _ in range(200)]
    points = np.array([relay.marks.points @ X[:3, :3].T + X[:3, 3] for X in poses])
    result = locate_marks(pair, project(pair.left, points), project(pair.right, points), relay.marks, noise=0.3)
    arm = gripper_arm()
    grips = np.array([(X @ np.append(relay.grip_point, 1.0))[:3] + np.array([0, 0, GRIPPER.plane]) for X in poses])
    reach = carpal.ik_all(arm, (grips, np.broadcast_to([0.0, 0.0, -1.0], grips.shape))).in_limits.any(axis=-1).mean()
    about = relay.inertia
    offset = relay.mass * relay.d**2
    return {
        "position error [mm]": 1e3 * float(np.sqrt(np.mean(result.position_deviation**2))),
        "angle error [deg]": math.degrees(float(np.sqrt(np.mean(result.angle_deviation**2)))),
        "reachable from straight above [%]": 100 * float(reach),
        "inertia about the gripper's axis [g m^2]": 1e3 * (float(about.about_com[2, 2]) + offset),
    }


def scaled(name: str, factor: float) -> Relay:
    value = getattr(RELAY, name)
    return dataclasses.replace(
        RELAY, **{name: tuple(factor * v for v in value) if isinstance(value, tuple) else factor * value}
    )


def table(rows: list[tuple[str, object, object, object]], base: dict[str, float]) -> None:
    print("| assumed | value | " + " | ".join(f"{name}: {value:.3g}" for name, value in base.items()) + " |")
    print("|---" * (2 + len(base)) + "|")
    for name, value, low, high in rows:
        cells = [f"{low[k]:.3g} / {high[k]:.3g}" for k in base]  # type: ignore[index]
        print(f"| {name} | {value} | " + " | ".join(cells) + " |")
    print()


def main() -> None:
    rows = []
    names = {
        "rotor time constant (mass on the rod)": "10 ms (180 kg)", "breakaway over sliding friction": 1.3,
        "force of a current": "480 N/A, derived", "reading_deviation": "0.15 mm", "noise_current": "0.1 A",
        "bend": "0.5 mm (1 %)", "current_noise": "2 mA", "longest_sample": "30 ms", "late_by": "80 ms", "delay": "20 ms",
        "blade_stiffness": "20.6 N/mm, fitted",
    }  # fmt: skip
    for name, value in names.items():
        rows.append((name, value, closings(mistaken(name, 0.8)), closings(mistaken(name, 1.2))))
    table(rows, closings(BASE))
    rows = []
    for name, value in (("height", "1.75 m"), ("baseline", "0.30 m"), ("focal", "1109 px")):
        rows.append((f"cameras: {name}", value, located(eyes(**{name: 0.8})), located(eyes(**{name: 1.2}))))
    for name in ("e", "c", "flap_height", "body", "mark_near", "mark_far"):
        low, high = (None, None)
        try:
            low, high = located(eyes(), scaled(name, 0.8)), located(eyes(), scaled(name, 1.2))
        except carpal.errors.CarpalError as problem:
            print(f"{name}: {problem}")
            continue
        rows.append((f"relay: {name}", getattr(RELAY, name), low, high))
    table(rows, located(eyes()))


if __name__ == "__main__":
    main()

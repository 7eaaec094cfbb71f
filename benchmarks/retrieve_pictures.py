"""Pictures of the rover's relay and gripper, its camera images, and the gripper's position signal (Leutenegger 2008, figure 16).

Writes docs/pictures/retrieve_relay.png, retrieve_eyes.png and gripper_signal.png:

python benchmarks/retrieve_pictures.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np

import carpal
from carpal.contact import collision_checker
from carpal.labs.retrieve import (
    GRIPPER,
    RELAY,
    GripperSettings,
    drive_gripper,
    gripper_arm,
    moving_average,
    relay_pose,
    relay_surfaces,
    retrieve_scene,
    stereo_cameras,
)
from carpal.perception import find_marks, project, simulate_image
from carpal.report.solids import triangles_of
from carpal.report.stills import Camera, Solid, png, still

matplotlib.use("Agg")
import matplotlib.pyplot as plt

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
VIEWS = (  # eye, look at [m], field [rad]
    ((1.25, -0.95, 0.65), (0.28, 0.02, 0.2), 0.75),
    ((0.95, -0.35, 0.35), (0.47, 0.15, 0.12), 0.55),
)
SIZE = (520, 420)
COLOURS = {
    "relay": (0.15, 0.15, 0.17, 1.0),
    "antenna": (0.9, 0.4, 0.1, 0.35),
    "blade": (0.2, 0.45, 0.75, 1.0),
    "wall": (0.6, 0.6, 0.6, 0.5),
}


def solids(scene: carpal.Scene, q: np.ndarray) -> list[Solid]:
    model = scene.build()
    things = []
    for placed in model.shapes:
        if placed.name == "ground":
            continue
        X = (carpal.fk(model, q, frame=placed.body) if placed.body else np.eye(4)) @ placed.X_BS
        points, faces = triangles_of(placed.shape)
        rgba = next((c for word, c in reversed(COLOURS.items()) if word in placed.name), (0.75, 0.75, 0.78, 1.0))
        things.append(Solid(points @ X[:3, :3].T + X[:3, 3], faces, rgba))
    return things


def relay_and_gripper() -> None:
    X = relay_pose(0.42, 0.12, 0.6)
    target = (X @ np.append(RELAY.grip_point, 1.0))[:3] + np.array([0, 0, GRIPPER.plane + 0.002])
    answers = carpal.ik_all(gripper_arm(), (target, (0.0, 0.0, -1.0)))
    scene = retrieve_scene(X)
    free = collision_checker(scene)
    q = next(q for q, inside in zip(answers.q, answers.in_limits, strict=True) if inside and not free(q))
    views = [
        still(solids(scene, q), Camera(np.array(eye), np.array(at), np.array([0.0, 0.0, 1.0]), field, SIZE))
        for eye, at, field in VIEWS
    ]
    (FOLDER / "retrieve_relay.png").write_bytes(png(np.concatenate(views, axis=1)))


def what_the_eyes_see() -> None:
    pair, X = stereo_cameras(), relay_pose(0.55, 0.1, 0.4)
    surfaces = relay_surfaces(X)
    images = [simulate_image(camera, surfaces, seed=i) for i, camera in enumerate((pair.left, pair.right))]
    found = find_marks(pair, *images, RELAY.marks)
    print(found)
    figure, axes = plt.subplots(1, 2, figsize=(10, 4))
    sides = ((pair.left, images[0], found.left), (pair.right, images[1], found.right))
    for axis, (camera, image, marks) in zip(axes, sides, strict=True):
        axis.imshow(image, cmap="gray", vmin=0, vmax=255)
        axis.plot(*marks.T, "+", color="tab:green", markersize=9)
        for i, (u, v) in enumerate(marks):
            axis.annotate(str(i + 1), (u, v), color="tab:green", xytext=(5, 5), textcoords="offset points")
        knob = project(camera, found.pose.X_WO[:3, :3] @ RELAY.knob_foot + found.pose.X_WO[:3, 3])
        axis.plot(*knob, "x", color="tab:red", markersize=8)
        middle = marks.mean(axis=0)
        axis.set_xlim(middle[0] - 160, middle[0] + 160)
        axis.set_ylim(middle[1] + 110, middle[1] - 150)
        axis.set_xticks([])
        axis.set_yticks([])
    figure.tight_layout()
    figure.savefig(FOLDER / "retrieve_eyes.png", dpi=90)


def position_signal() -> None:
    result = drive_gripper(GripperSettings(), 0.040, contact=0.034, seed=3)
    rows = result.series
    figure, (whole, zoom, force) = plt.subplots(1, 3, figsize=(13, 3.6))
    average = moving_average(rows["reading"], 12)
    for axis in (whole, zoom):
        axis.plot(rows["time"], 1e3 * rows["reading"], ".", color="0.7", markersize=3, label="measured")
        axis.plot(rows["time"], 1e3 * average, color="tab:orange", label="average of 12")
        axis.plot(rows["time"], 1e3 * rows["estimate"], color="tab:blue", label="Kalman filter")
        axis.plot(rows["time"], 1e3 * rows["position"], "k--", linewidth=0.8, label="true")
        axis.set_xlabel("time [s]")
    whole.set_ylabel("closing travel [mm]")
    zoom.set_xlim(2.0, 2.8)
    zoom.set_ylim(9, 15)
    whole.legend(fontsize=8)
    force.plot(rows["time"], rows["measured_force"], color="tab:blue", label="from the current")
    force.plot(rows["time"], rows["force"], "k--", linewidth=0.8, label="true")
    force.plot(rows["time"], rows["force_limit"], color="tab:red", linewidth=0.8, label="limit")
    force.set_xlabel("time [s]")
    force.set_ylabel("force [N]")
    force.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(FOLDER / "gripper_signal.png", dpi=90)


if __name__ == "__main__":
    relay_and_gripper()
    what_the_eyes_see()
    position_signal()
    print(f"wrote three pictures into {FOLDER}")

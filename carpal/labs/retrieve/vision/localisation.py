"""Localisation of the relay from marks in two images, found or clicked: pose, covariance, reprojection."""

from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.errors import InputError
from carpal.labs.retrieve.relay.relay import RELAY, Relay
from carpal.model import file_text
from carpal.perception import MarkPose, StereoPair, find_marks, find_marks_but_one, locate_marks, project
from carpal.spatial import Array

CLICK_NOISE = 1.0  # [px] deviation of a click
MAX_BYTES = 1_000_000
LEAN = np.radians(20.0)  # a relay that leans more than this does not stand


@dataclass(frozen=True, eq=False)
class Localised(Result):
    """Pose of the relay, or why it is unknown.

    Args:
        ok, status: one true sentence.
        X_WO: its pose (4, 4); None where it is not known.
        left, right: (4, 2) pixels of the marks; None where they were not found.
        pose: with covariance.
        projected: (2, 5, 2) where the four marks and the knob of that pose lie in the left and the right image [px].
    """

    ok: bool
    status: str
    X_WO: Array | None = None
    left: Array | None = None
    right: Array | None = None
    pose: MarkPose | None = None
    projected: Array | None = None


def localise(pair: StereoPair, left_image: np.ndarray, right_image: np.ndarray, relay: Relay = RELAY) -> Localised:
    """Find the relay in a stereo pair of images automatically."""
    found = find_marks(pair, left_image, right_image, relay.marks)
    if not found.ok:  # the antenna may hide a mark in one of the images
        other = find_marks_but_one(pair, left_image, right_image, relay.marks)
        found = other if other.ok else found
    if not found.ok or found.pose is None:
        return Localised(False, found.status, left=found.left, right=found.right)
    located = _located(pair, found.pose, found.left, found.right, relay)
    return dataclasses.replace(located, status=found.status) if located else located


def locate_clicked(
    pair: StereoPair, left: ArrayLike, right: ArrayLike, relay: Relay = RELAY, *, noise: float = CLICK_NOISE
) -> Localised:
    """The relay from four marks clicked (4, 2) [px] in both images, in order, beginning next to the antenna."""
    pose = locate_marks(pair, left, right, relay.marks, noise=noise)
    a, b = np.asarray(left, float), np.asarray(right, float)
    if not pose:
        return Localised(False, pose.status, left=a, right=b, pose=pose)
    return _located(pair, pose, a, b, relay)


def _located(pair: StereoPair, pose: MarkPose, left: Array | None, right: Array | None, relay: Relay) -> Localised:
    X = np.asarray(pose.X_WO)
    points = np.vstack([relay.marks.points, relay.knob_foot]) @ X[:3, :3].T + X[:3, 3]
    seen = np.stack([project(camera, points) for camera in (pair.left, pair.right)])
    lean = float(np.arccos(np.clip(X[2, 2], -1.0, 1.0)))
    if lean > LEAN:
        said = f"The relay leans by {np.degrees(lean):.0f} degrees: it has fallen over, and this gripper grasps standing ones."
        return Localised(False, said, X, left, right, pose, seen)
    return Localised(True, pose.status, X, left, right, pose, seen)


def pose_error(found: Array, true: Array) -> tuple[float, float]:
    """Distance [mm] and angle [degrees] between two poses."""
    turn = np.clip((np.trace(found[:3, :3].T @ true[:3, :3]) - 1.0) / 2.0, -1.0, 1.0)
    return 1e3 * float(np.linalg.norm(found[:3, 3] - true[:3, 3])), float(np.degrees(np.arccos(turn)))


def read_points(file: str | os.PathLike[str]) -> tuple[Array, Array]:
    """Clicked pixels of a JSON file `{"left": [[u, v] x 4], "right": [[u, v] x 4]}`, or one clear sentence."""
    path = Path(file)
    text = file_text(path, f"the points '{path}'", MAX_BYTES)
    try:
        data = json.loads(text)
        left, right = (np.array(data[name], float) for name in ("left", "right"))
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(
            f"'{path}' holds no points: it must be JSON with four pixels [u, v] under 'left' and 'right'."
        ) from None
    for name, pixels in (("left", left), ("right", right)):
        if pixels.shape != (4, 2) or not np.isfinite(pixels).all():
            raise InputError(f"'{name}' of '{path}' must be four finite pixels [u, v]; got shape {pixels.shape}.")
    return left, right

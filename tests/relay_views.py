"""Random views of the relay, and which marks are really to be seen: plain geometry, without the package's cameras."""

from __future__ import annotations

import numpy as np

from carpal.labs.retrieve import RELAY, relay_pose, stereo_cameras
from carpal.spatial import inverse, pose, rotation_about

PAIR, LAYOUT = stereo_cameras(), RELAY.marks


def random_poses(seed: int, count: int, *, tilted: float = 0.0) -> np.ndarray:
    """Relays on the ground before the rover, any yaw, leaning by up to `tilted` [rad]."""
    rng = np.random.default_rng(seed)
    poses = []
    for _ in range(count):
        X = relay_pose(rng.uniform(0.35, 0.75), rng.uniform(-0.35, 0.35), rng.uniform(-np.pi, np.pi))
        axis = np.array([np.cos(turn := rng.uniform(0, 2 * np.pi)), np.sin(turn), 0.0])
        poses.append(X @ pose(rotation_about(axis, rng.uniform(0, tilted) if tilted else 0.0)))
    return np.array(poses)


def in_world(X: np.ndarray, points: np.ndarray) -> np.ndarray:
    return np.einsum("...ij,mj->...mi", X[..., :3, :3], points) + X[..., None, :3, 3]


def segment_distance(p: np.ndarray, q: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    """Smallest distance of the first segment, cut into 2,000 points, from the second."""
    points = p + np.linspace(0, 1, 2000)[:, None] * (q - p) - a
    along = np.clip(points @ (b - a) / ((b - a) @ (b - a)), 0, 1)[:, None]
    return float(np.linalg.norm(points - along * (b - a), axis=-1).min())


def all_visible(X: np.ndarray, tilt: tuple[float, float]) -> bool:
    """Whether neither antenna nor body hides a part of any mark from either camera."""
    axis = np.array([np.sin(tilt[1]), -np.sin(tilt[0]), 1.0])
    foot = np.array([*RELAY.antenna, RELAY.body[2]])
    tip = foot + axis / np.linalg.norm(axis) * (RELAY.height - RELAY.body[2])
    half = np.array(RELAY.body) / 2
    for camera in (PAIR.left, PAIR.right):
        eye = (inverse(X) @ np.append(camera.X_WC[:3, 3], 1.0))[:3]
        for mark in LAYOUT.points:
            # two pixels of room: a blurred antenna darkens what it only nears
            if segment_distance(eye, mark, foot, tip) < LAYOUT.radius + RELAY.antenna_radius + 0.004:
                return False
            for angle in np.linspace(0, 2 * np.pi, 12, endpoint=False):
                rim = mark + (LAYOUT.radius + 0.002) * np.array([np.cos(angle), np.sin(angle), 0])
                ray = eye - rim
                with np.errstate(divide="ignore", invalid="ignore"):
                    t = (np.array([[-1], [1]]) * half + [0, 0, half[2]] - rim) / ray
                if max(t.min(axis=0).max(), 1e-6) < min(t.max(axis=0).min(), 1.0):
                    return False
    return True

"""Scenes of many free bodies without any robot, with their closed forms: a box on rolling balls, balls that bounce."""

from __future__ import annotations

import numpy as np

from carpal.model import Box, Plane, Scene, Sphere

GRAVITY = 9.81
RADIUS, BALL, PLATE = 0.02, 0.05, 1.0  # [m], [kg], [kg]
SIDE, SPACING, THICK = 0.6, 0.08, 0.04  # of the plate, between balls, thickness [m]
FORCE = np.array([0.8, 0.5])  # on the plate [N], along no line of balls


def grid(count: int, spacing: float) -> np.ndarray:
    """(count^2, 2) places [m] around the origin."""
    line = (np.arange(count) - (count - 1) / 2) * spacing
    return np.stack(np.meshgrid(line, line, indexing="ij"), -1).reshape(-1, 2)


def carried_box(count: int = 5) -> Scene:
    """A plate on count^2 balls on a floor."""
    scene = Scene("carried box")
    scene.add_object("plate", Box((SIDE, SIDE, THICK)), mass=PLATE, pose=[0, 0, 2 * RADIUS + THICK / 2])
    for i, (x, y) in enumerate(grid(count, SPACING)):
        scene.add_object(f"ball_{i}", Sphere(RADIUS), mass=BALL, pose=[x, y, RADIUS])
    return scene.add_fixed("floor", Plane())


def carried_acceleration(count: int = 5) -> np.ndarray:
    """(2) of the plate [m/s^2]: balls roll at half its speed and add 1/4 (m + I / r^2) each; a ball's own is half of it."""
    return FORCE / (PLATE + count**2 / 4 * 7 / 5 * BALL)


def heights(count: int = 7) -> np.ndarray:
    """(count^2) [m] under the balls at the start, all different."""
    return 0.10 + 0.004 * np.arange(count**2)


def bouncing_balls(count: int = 7) -> Scene:
    """count^2 balls over a floor, each from its own height."""
    scene = Scene("bouncing balls")
    for i, ((x, y), h) in enumerate(zip(grid(count, 0.06), heights(count), strict=True)):
        scene.add_object(f"ball_{i}", Sphere(RADIUS), mass=BALL, pose=[x, y, RADIUS + h])
    return scene.add_fixed("floor", Plane())


def bounced(h: np.ndarray, e: float, t: float) -> tuple[np.ndarray, np.ndarray]:
    """Height of the balls' lowest points [m] and their speed [m/s] at a time, by parabolas between hits."""
    z, v = np.empty_like(h), np.empty_like(h)
    for i, start in enumerate(h):
        fall = np.sqrt(2 * start / GRAVITY)
        if t <= fall:
            z[i], v[i] = start - GRAVITY * t * t / 2, -GRAVITY * t
            continue
        left, speed = t - fall, e * GRAVITY * fall
        while left > 2 * speed / GRAVITY and speed > 1e-9:
            left -= 2 * speed / GRAVITY
            speed *= e
        z[i], v[i] = speed * left - GRAVITY * left * left / 2, speed - GRAVITY * left
    return z, v

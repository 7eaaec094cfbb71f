"""Balls that bounce and collide: closed forms."""

from __future__ import annotations

import math

import numpy as np

from carpal.engines.comparison.reference import Reference
from carpal.spatial import Array

G = 9.81


def bounce_heights(times: Array, drop: float, e: float, most: int = 200) -> Array:
    """Height (rows) [m] above the ground of a point that falls from `drop` and returns e of its speed each time."""
    t = np.asarray(times, float)
    first = math.sqrt(2 * drop / G)
    out = np.where(t < first, drop - 0.5 * G * t**2, 0.0)
    begin, speed = first, e * G * first
    for _ in range(most):
        span = 2 * speed / G
        inside = (t >= begin) & (t < begin + span)
        out[inside] = speed * (t[inside] - begin) - 0.5 * G * (t[inside] - begin) ** 2
        begin, speed = begin + span, e * speed
    return out


def oblique_bounce(times: Array, drop: float = 0.4, e: float = 0.7, v0: float = 1.0, radius: float = 0.05) -> Reference:
    """The first bounce ends the slip of a solid ball (friction is enough): five sevenths of the speed along the ground stay."""
    t = np.asarray(times, float)
    first = math.sqrt(2 * drop / G)
    x = np.where(t < first, v0 * t, v0 * first + 5 / 7 * v0 * (t - first))
    return Reference({"ball": np.stack([x, np.zeros_like(t), radius + bounce_heights(t, drop, e)], axis=1)})


def billiard_collision(times: Array, distance: float = 0.4, offset: float = 0.05, radius: float = 0.05) -> Reference:
    """Equal smooth balls, elastic: after it their velocities are perpendicular, the struck one's along the line of centres."""
    t = np.asarray(times, float)
    sine = offset / (2 * radius)
    cosine = math.sqrt(1 - sine * sine)
    hit = distance - 2 * radius * cosine
    later = np.maximum(0.0, t - hit)
    struck, striking = cosine * np.array([cosine, sine]), np.array([1 - cosine**2, -cosine * sine])
    height = np.full((len(t), 1), radius)
    first = np.minimum(t, hit)[:, None] * [1.0, 0.0] + later[:, None] * striking
    second = np.array([distance, offset]) + later[:, None] * struck
    return Reference({"ball_0": np.hstack([first, height]), "ball_1": np.hstack([second, height])})


def newtons_cradle(times: Array, count: int = 5, gap: float = 0.001, radius: float = 0.05) -> Reference:
    """Equal smooth elastic balls, a gap between neighbours: each hands its speed of 1 m/s on, the last one leaves."""
    t = np.asarray(times, float)
    paths, hit = {}, 0.2
    paths["ball_0"] = -0.3 + np.minimum(t, hit)
    for i in range(1, count + 1):
        travel = np.maximum(0.0, t - hit)
        paths[f"ball_{i}"] = (2 * radius + gap) * (i - 1) + (travel if i == count else np.minimum(travel, gap))
        hit += gap
    zero, height = np.zeros_like(t), np.full_like(t, radius)
    return Reference({name: np.stack([x, zero, height], axis=1) for name, x in paths.items()})


def _bouncing_ball(times: Array) -> Reference:
    height = 0.05 + bounce_heights(times, 0.5, 0.8)
    return Reference({"ball": np.stack([0 * height, 0 * height, height], axis=1)})


REFERENCES = {
    "bouncing_ball": _bouncing_ball,
    "oblique_bounce": oblique_bounce,
    "billiard_collision": billiard_collision,
    "newtons_cradle": newtons_cradle,
}

"""Simulated camera images of flat surfaces with painted dots: distortion, antialiased dots, texture, noise.

Surfaces are filled polygons, farthest first; a dot's pixels are weighted by the share of 5 x 5 lines of sight that meet it, so
that its centre is accurate to a hundredth of a pixel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from carpal.errors import InputError
from carpal.perception.stereo.camera_model import Camera, project_with_jacobian, sight_lines
from carpal.perception.stereo.opencv_import import require_opencv
from carpal.spatial import Array

FINE = 5  # lines of sight along each side of a pixel


@dataclass(frozen=True, eq=False)
class Dot:
    """A round dot on a surface: centre (3) and normal (3) in W, radius [m], grey from 0 to 255."""

    centre: Array
    normal: Array
    radius: float
    grey: float = 235.0


@dataclass(frozen=True, eq=False)
class Surface:
    """A flat polygon (n, 3) in W with its grey, and the dots on it."""

    polygon: Array
    grey: float
    dots: tuple[Dot, ...] = field(default_factory=tuple)


def simulate_image(
    camera: Camera, surfaces: Sequence[Surface], *, seed: int = 0, noise: float = 3.0, texture: float = 12.0,
    pebbles: int = 60, ground_grey: float = 120.0,
) -> np.ndarray:  # fmt: skip
    """An image (height, width) uint8 of surfaces on a stony ground.

    Args:
        camera: that takes the image.
        surfaces: what it sees; nearer ones cover farther ones.
        seed: of texture, pebbles and noise.
        noise: deviation of each pixel's grey.
        texture: deviation of the ground's grey, in patches.
        pebbles: number of bright and dark stones strewn over the image.
        ground_grey: mean grey of the ground.
    """
    cv2 = require_opencv()
    rng = np.random.default_rng(seed)
    size = (camera.height, camera.width)
    patches = rng.normal(ground_grey, texture, (size[0] // 16 + 2, size[1] // 16 + 2)).astype(np.float32)
    image = cv2.resize(patches, size[::-1], interpolation=cv2.INTER_CUBIC)
    for _ in range(pebbles):
        centre = tuple(int(v) for v in rng.uniform(0, size[::-1]))
        axes = tuple(int(v) for v in rng.uniform(2, 9, 2))
        cv2.ellipse(
            image, centre, axes, float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(40, 240)), -1, cv2.LINE_AA
        )
    eye = camera.X_WC[:3, 3]
    for surface in sorted(surfaces, key=lambda s: -float(np.linalg.norm(s.polygon.mean(axis=0) - eye))):
        _fill(cv2, camera, image, surface)
        for dot in surface.dots:
            _paint(camera, image, dot)
    image = cv2.GaussianBlur(image, (0, 0), 0.5)  # a lens is no pinhole
    image += noise * rng.standard_normal(size, dtype=np.float32)
    return np.clip(np.rint(image), 0, 255).astype(np.uint8)


def _fill(cv2: object, camera: Camera, image: np.ndarray, surface: Surface) -> None:
    polygon = np.asarray(surface.polygon, float)
    if polygon.ndim != 2 or polygon.shape[1] != 3 or len(polygon) < 3:
        raise InputError(f"a surface needs a polygon (n, 3) of 3 corners or more; got shape {polygon.shape}.")
    steps = np.linspace(0.0, 1.0, 8, endpoint=False)[:, None]  # distortion bends edges
    edges = np.concatenate([a + steps * (b - a) for a, b in zip(polygon, np.roll(polygon, -1, axis=0), strict=True)])
    pixels, _ = project_with_jacobian(camera, edges)
    if np.isfinite(pixels).all():
        corners = np.rint(np.clip(pixels, -1e5, 1e5) * 16).astype(np.int32)
        cv2.fillPoly(image, [corners], float(surface.grey), cv2.LINE_AA, 4)  # type: ignore[attr-defined] # the cv2 module


def _paint(camera: Camera, image: np.ndarray, dot: Dot) -> None:
    rim = np.linalg.svd(np.asarray(dot.normal, float)[None])[2][1:]
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    around = dot.centre + dot.radius * (np.cos(angles)[:, None] * rim[0] + np.sin(angles)[:, None] * rim[1])
    pixels, _ = project_with_jacobian(camera, around)
    if not np.isfinite(pixels).all():
        return
    low = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(pixels.max(axis=0)).astype(int) + 2, [camera.width, camera.height])
    if (high <= low).any():
        return
    fine = (np.arange(FINE) + 0.5) / FINE - 0.5
    u = (np.arange(low[0], high[0])[:, None] + fine).ravel()
    v = (np.arange(low[1], high[1])[:, None] + fine).ravel()
    eye, rays = sight_lines(camera, np.stack(np.meshgrid(u, v), axis=-1))
    along = (dot.normal @ (dot.centre - eye)) / (rays @ dot.normal)
    hit = eye + along[..., None] * rays
    inside = (np.linalg.norm(hit - dot.centre, axis=-1) <= dot.radius) & (along > 0)
    share = inside.reshape(high[1] - low[1], FINE, high[0] - low[0], FINE).mean(axis=(1, 3))
    part = image[low[1] : high[1], low[0] : high[0]]
    part += share.astype(np.float32) * (np.float32(dot.grey) - part)

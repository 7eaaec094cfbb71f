"""A moment of a run as a picture for a report: the model's solids, shaded, with hidden surfaces removed, in plain NumPy.

The browser draws the replay; a still must be there without a browser, and be the same bits on every machine. Triangles are
turned into pixels all at once: every triangle is unfolded into the pixels of its bounding box, the nearest one wins.
"""

from __future__ import annotations

import base64
import struct
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.kinematics import fk
from carpal.model import Model
from carpal.report import solids
from carpal.report.camera import Camera
from carpal.report.drawn_parts import drawn_parts, surface
from carpal.report.framing import framed_points, framing_camera, upward
from carpal.report.palette import PATH
from carpal.spatial import Array

LIGHT, FILL = np.array([-0.45, 0.8, 0.4]), np.array([0.7, 0.15, 0.6])
"""Towards the lights, in the camera's axes: right, up, back."""
SKY, GROUND = (np.array([0.985, 0.99, 1.0]), np.array([0.90, 0.92, 0.95])), np.array([0.93, 0.94, 0.955])
FINE = 2
"""Pixels of the raster along each side of a pixel of the picture."""
FRAGMENTS = 3_000_000
"""Unfolded at a time: bounds the memory."""


@dataclass(frozen=True, eq=False)
class Solid:
    """A surface in the world: points (n, 3), triangles (k, 3), colour (4) from 0 to 1."""

    points: Array
    faces: np.ndarray
    rgba: tuple[float, ...]


def model_solids(model: Model, q: ArrayLike) -> list[Solid]:
    """Everything that is drawn of a model at a configuration (nq), in the world; planes have no end and are left out."""
    q = np.asarray(q, float)
    made = []
    for part in drawn_parts(model):
        if part.shape is not None and part.shape.kind == "plane":
            continue
        points, faces = surface(part)
        X = part.X_BS if part.body is None else fk(model, q, part.body) @ part.X_BS
        made.append(Solid(points @ X[:3, :3].T + X[:3, 3], faces, part.rgba))
    return made


def framed_still(model: Model, q: ArrayLike, size: tuple[int, int] = (640, 480)) -> np.ndarray:
    """The picture (height, width, 3) of a model at a configuration (nq), from where all of it is seen, on a floor below it."""
    things, up = model_solids(model, q), upward(model)
    points = framed_points(model, np.asarray(q, float), drawn_parts(model))
    return still(things, framing_camera(points, up, size), min(0.0, float((points @ up).min())))


def marks(points: ArrayLike, radius: float, rgba: tuple[float, ...]) -> list[Solid]:
    """Small balls at points (n, 3), for a path."""
    ball, faces = solids.sphere(radius)
    return [Solid(ball + p, faces, rgba) for p in np.asarray(points, float)]


def still(things: list[Solid], camera: Camera, ground: float | None = None) -> np.ndarray:
    """The picture (height, width, 3) of some solids, as bytes.

    Args:
        things: what there is; see-through ones are laid over the others, far ones first.
        camera: from where.
        ground: height of a floor along the camera's `up` [m], on which shadows lie; None is no floor.
    """
    width, height = (FINE * n for n in camera.size)
    rise = np.linspace(0.0, 1.0, height)[:, None, None]
    image = np.broadcast_to((1 - rise) * SKY[0] + rise * SKY[1], (height, width, 3)).reshape(-1, 3).copy()
    near = np.zeros(height * width)
    if ground is not None:
        _floor(things, camera, ground, image)
    solid = [thing for thing in things if thing.rgba[3] >= 1.0]
    _draw(solid, camera, image, near, 1.0)
    glass = [thing for thing in things if thing.rgba[3] < 1.0]
    for thing in sorted(glass, key=lambda each: -float(np.linalg.norm(each.points.mean(0) - camera.eye))):
        _draw([thing], camera, image, near.copy(), thing.rgba[3])
    fine = image.reshape(camera.size[1], FINE, camera.size[0], FINE, 3).mean((1, 3))
    return np.asarray(np.clip(255 * fine + 0.5, 0, 255).astype(np.uint8))


def _floor(things: list[Solid], camera: Camera, ground: float, image: Array) -> None:
    """A floor that fades into the distance, with the shadows of everything."""
    up = camera.up / np.linalg.norm(camera.up)
    width, height = (FINE * n for n in camera.size)
    tangent = 2.0 * np.tan(0.5 * camera.field) / height
    x, y = tangent * (np.arange(width) + 0.5 - 0.5 * width), -tangent * (np.arange(height) + 0.5 - 0.5 * height)
    right, over, back = camera.axes @ up
    falls = (back - over * y[:, None] - right * x).reshape(-1)  # of a ray, for a metre along the camera's axis
    far = (camera.eye @ up - ground) / np.maximum(falls, 1e-9) / float(np.linalg.norm(camera.eye - camera.look_at))
    there = np.where(falls > 1e-9, np.clip(2.0 - 0.5 * far, 0.0, 1.0), 0.0)[:, None]
    image += there * (GROUND - image)
    sun = camera.axes.T @ LIGHT + 2.0 * up
    shadows = []
    for thing in things:
        above = np.maximum(thing.points @ up - ground, 0.0)
        shadows.append(Solid(thing.points - np.outer(above / (sun @ up), sun), thing.faces, (0.62, 0.65, 0.70, 1.0)))
    dark = image.copy()
    _draw(shadows, camera, dark, np.zeros(len(image)), 1.0, lit=False, both=True)
    image += 0.55 * there * (dark - image)


def _draw(
    things: list[Solid],
    camera: Camera,
    image: Array,
    near: Array,
    alpha: float,
    *,
    lit: bool = True,
    both: bool = False,
) -> None:
    """Lay solids over the image (pixels, 3); `near` (pixels) holds 1 / distance of what is there and is changed."""
    if not things:
        return
    first = np.cumsum([0] + [len(thing.points) for thing in things[:-1]])
    points = (np.concatenate([thing.points for thing in things]) - camera.eye) @ camera.axes.T
    faces = np.concatenate([thing.faces.astype(np.intp) + i for thing, i in zip(things, first, strict=True)])
    colours = np.repeat([thing.rgba[:3] for thing in things], [len(thing.faces) for thing in things], axis=0)
    width, height = (FINE * n for n in camera.size)
    inverse = 1.0 / np.maximum(-points[:, 2], 1e-6)
    scale = 0.5 * height / np.tan(0.5 * camera.field)
    flat = np.stack([0.5 * width + scale * points[:, 0] * inverse, 0.5 * height - scale * points[:, 1] * inverse], 1)
    normals = _normals(points, faces)
    a, b, c = (flat[faces[:, i]] for i in range(3))
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    ahead = (points[faces, 2] < -1e-3).all(1)
    seen = np.flatnonzero(ahead & ((np.abs(area) if both else -area) > 1e-9))  # rows of a picture run downwards
    for some in _bites(flat, faces[seen], width, height, seen):
        index, pixel, shares = _fragments(flat, faces, area, some, width, height)
        depth = (shares * inverse[faces[index]]).sum(1)
        np.maximum.at(near, pixel, depth)
        front = depth >= near[pixel]
        index, pixel, shares = index[front], pixel[front], shares[front]
        colour = colours[index]
        if lit:
            colour = _lit(colour, (shares[..., None] * normals[faces[index]]).sum(1))
        image[pixel] = (1 - alpha) * image[pixel] + alpha * colour


def _bites(flat: Array, faces: np.ndarray, width: int, height: int, seen: np.ndarray) -> list[np.ndarray]:
    """The seen triangles in pieces of at most about FRAGMENTS pixels."""
    if not len(seen):
        return []
    corners = flat[faces]
    size = np.clip(corners.max(1), 0, (width, height)) - np.clip(corners.min(1), 0, (width, height)) + 2
    piece = (np.cumsum(size.prod(1)) // FRAGMENTS).astype(int)
    return [seen[piece == i] for i in range(piece[-1] + 1)]


def _fragments(
    flat: Array, faces: np.ndarray, area: Array, some: np.ndarray, width: int, height: int
) -> tuple[np.ndarray, np.ndarray, Array]:
    """Triangle, pixel and corners' shares (3) of every pixel whose middle lies in a triangle."""
    corners = flat[faces[some]]
    low = np.clip(np.floor(corners.min(1)), 0, (width, height)).astype(int)
    wide, tall = (np.clip(np.ceil(corners.max(1)), 0, (width, height)).astype(int) - low).T
    count = wide * tall
    owner = np.repeat(np.arange(len(some)), count)
    place = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    down = place // np.repeat(wide, count)
    x, y = np.repeat(low[:, 0], count) + place - down * np.repeat(wide, count), np.repeat(low[:, 1], count) + down
    shares = []
    for i in range(3):  # a corner's share is linear over the picture
        p, q = corners[:, (i + 1) % 3], corners[:, (i + 2) % 3]
        along = (q - p) / area[some][:, None]
        start = along[:, 0] * (0.5 - p[:, 1]) - along[:, 1] * (0.5 - p[:, 0])
        shares.append(np.repeat(start, count) + np.repeat(along[:, 0], count) * y - np.repeat(along[:, 1], count) * x)
    inside = (shares[0] >= 0) & (shares[1] >= 0) & (shares[2] >= 0)
    return some[owner[inside]], (y * width + x)[inside], np.stack([share[inside] for share in shares], 1)


def _normals(points: Array, faces: np.ndarray) -> Array:
    """Unit normals (n, 3) of the corners: shared corners make a round surface."""
    a, b, c = (points[faces[:, i]] for i in range(3))
    flat = np.cross(b - a, c - a)
    normals = np.zeros_like(points)
    for i in range(3):
        np.add.at(normals, faces[:, i], flat)
    return np.asarray(normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30))


def _lit(colour: Array, normals: Array) -> Array:
    """Colours under a key light, a weak one from the side, and a small gloss."""
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    key, fill = LIGHT / np.linalg.norm(LIGHT), FILL / np.linalg.norm(FILL)
    shade = 0.42 + 0.55 * np.maximum(normals @ key, 0) + 0.18 * np.maximum(normals @ fill, 0)
    half = key + np.array([0.0, 0.0, 1.0])
    gloss = 0.16 * np.maximum(normals @ (half / np.linalg.norm(half)), 0) ** 30
    return np.asarray(np.clip(colour * shade[:, None] + gloss[:, None], 0, 1))


def png(image: np.ndarray) -> bytes:
    """An image (height, width, 3) of bytes as a PNG file."""
    height, width, _ = image.shape

    def block(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:] = image.reshape(height, -1)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + block(b"IHDR", head)
        + block(b"IDAT", zlib.compress(rows.tobytes(), 9))
        + block(b"IEND", b"")
    )


def data_address(image: np.ndarray) -> str:
    """An image as an address that holds it."""
    return "data:image/png;base64," + base64.b64encode(png(image)).decode()


def recorded_still(model: Model, wanted: Any, size: tuple[int, int]) -> np.ndarray:
    """The picture of a task's `Still`, on a floor at the lowest solid."""
    up = -np.asarray(model.gravity, float) if np.any(model.gravity) else np.array([0.0, 0.0, 1.0])
    camera = Camera(wanted.eye, wanted.look_at, up, wanted.field, size)
    things = model_solids(model, wanted.q)
    floor = min(float((thing.points @ up).min()) for thing in things) / float(np.linalg.norm(up))
    return still(things + marks(wanted.path, wanted.dot, PATH), camera, floor)

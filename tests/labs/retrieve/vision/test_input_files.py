"""Terrains and images from files: read, or refused in one sentence."""

import cv2
import numpy as np
import pytest
from retrieve_inputs import RELAY_AT

from carpal.errors import InputError
from carpal.labs.retrieve import RetrieveWorld
from carpal.labs.retrieve.vision.input_files import read_images, read_terrain


def sheet(tmp_path, skip=(), points=None):
    """A sheet of 5 x 5 squares as an OBJ file, some triangles left out."""
    x, y = np.meshgrid(np.linspace(-1, 1, 6), np.linspace(-1, 1, 6))
    p = np.column_stack([x.ravel(), y.ravel(), 0.01 * np.sin(3 * x.ravel())]) if points is None else points
    faces = [(i * 6 + j, i * 6 + j + 1, i * 6 + j + 7) for i in range(5) for j in range(5)]
    faces += [(i * 6 + j, i * 6 + j + 7, i * 6 + j + 6) for i in range(5) for j in range(5)]
    lines = [f"v {a} {b} {c}" for a, b, c in p] + [
        f"f {a + 1} {b + 1} {c + 1}" for k, (a, b, c) in enumerate(faces) if k not in skip
    ]
    path = tmp_path / "ground.obj"
    path.write_text("\n".join(lines) + "\n")
    return path, p


def test_a_terrain_is_read_and_one_with_holes_or_nan_is_refused(tmp_path):
    path, p = sheet(tmp_path)
    assert len(read_terrain(path).points) == 36
    path, _ = sheet(tmp_path, skip=(12, 37))
    with pytest.raises(InputError, match="the terrain has 1 holes, one at"):
        read_terrain(path)
    p[7, 2] = np.nan
    path, _ = sheet(tmp_path, points=p)
    with pytest.raises(InputError, match="has 1 points that are not finite"):
        read_terrain(path)
    with pytest.raises(InputError, match="there is no terrain file"):
        read_terrain(tmp_path / "none.obj")
    path.write_text("nonsense")
    with pytest.raises(InputError, match="cannot be used"):
        read_terrain(path)


def test_pictures_are_read(tmp_path):
    with pytest.raises(InputError, match=r"is no image; a folder of images holds left\.png and right\.png"):
        read_images(tmp_path)
    images = RetrieveWorld(RELAY_AT).images()
    for name, image in zip(("left", "right"), images, strict=True):
        cv2.imwrite(str(tmp_path / f"{name}.png"), image)
    assert all(np.array_equal(a, b) for a, b in zip(read_images(tmp_path), images, strict=True))

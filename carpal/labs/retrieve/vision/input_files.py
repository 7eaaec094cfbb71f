"""Input files of a pick-up: terrain meshes and stereo images."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from carpal.errors import CarpalError, InputError
from carpal.labs.retrieve.vision.terrain import check_terrain
from carpal.model import TriangleMesh, load_mesh

MOST_FACES = 20_000


def read_terrain(file: str | Path) -> TriangleMesh:
    """A terrain from a mesh file (OBJ, STL, PLY, OFF) [m] without holes, or one clear sentence."""
    path = Path(file)
    if not path.is_file():
        raise InputError(f"there is no terrain file '{path}'.")
    try:
        points, faces = load_mesh(path, np.ones(3), raw=True)
    except CarpalError as problem:
        raise InputError(f"the terrain '{path}' cannot be used: {problem}.") from None
    if not np.isfinite(points).all():
        bad = int((~np.isfinite(points)).any(axis=1).sum())
        raise InputError(
            f"the terrain '{path}' has {bad} points that are not finite: leave out what the cameras did not see."
        )
    if len(faces) > MOST_FACES:
        raise InputError(f"the terrain '{path}' has {len(faces):,} triangles; {MOST_FACES:,} is the most: simplify it.")
    mesh = TriangleMesh(points, faces)
    check_terrain(mesh)
    return mesh


def read_images(folder: str | Path) -> tuple[np.ndarray, np.ndarray]:
    """`left.png` and `right.png` of a folder as grey images, or one clear sentence."""
    import cv2

    images = []
    for name in ("left", "right"):
        path = Path(folder) / f"{name}.png"
        image = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE) if path.is_file() else None
        if image is None:
            raise InputError(f"'{path}' is no image; a folder of images holds left.png and right.png.")
        images.append(np.asarray(image, np.uint8))
    return images[0], images[1]

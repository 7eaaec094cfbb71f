"""Robots of the package example-robot-data: all shapes and visuals kept, meshes where Pinocchio has them, from strangers too."""

from __future__ import annotations

import sys
import warnings
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

import carpal
from carpal.model import ConvexMesh
from carpal.model.readers.sandbox import read_untrusted

SHARE = Path(sys.prefix) / f"lib/python3.{sys.version_info.minor}/site-packages/cmeel.prefix/share"
ROBOTS = SHARE / "example-robot-data" / "robots"
FEW = (
    "ur_description/urdf/ur5_robot.urdf",
    "panda_description/urdf/panda.urdf",
    "kinova_description/robots/kinova.urdf",  # COLLADA
    "double_pendulum_description/urdf/double_pendulum.urdf",
    "icub_description/robots/icub_reduced.urdf",  # links without mass
)
NO_ROBOTS = {"ur3.urdf": "has no links"}
"""Files that are no robots, and what is said of them."""
WARNED = {"alex_psyonic_hands.urdf": "mimics the joint 'index_q1', which does not exist"}
"""Files with a fault that is named when they are loaded."""

pytestmark = [
    pytest.mark.skipif(not ROBOTS.is_dir(), reason="example-robot-data is not installed"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


def counts(file: Path, kind: str) -> int:
    return len(ET.parse(file).getroot().findall(f"link/{kind}"))


def mesh_error(model: carpal.Model, file: Path) -> float:
    """Largest difference of the boxes around collision meshes and Pinocchio's, relative to their size."""
    there = pin.buildModelFromUrdf(str(file))
    geometry = pin.buildGeomFromUrdf(there, str(file), pin.GeometryType.COLLISION, package_dirs=[str(SHARE)])
    parts: dict[str, list] = {}
    for part in geometry.geometryObjects:
        parts.setdefault(part.name.rsplit("_", 1)[0], []).append(part.geometry)
    worst = 0.0
    for shape in model.shapes:
        theirs = parts[str(shape.body)].pop(0)
        if isinstance(shape.shape, ConvexMesh):
            held = theirs.points() if hasattr(theirs, "points") else theirs.vertices()  # a hull, or all triangles
            mine, points = shape.shape.points, np.array(held)
            size = float(np.ptp(mine, axis=0).max())
            worst = max(worst, np.abs(points.min(axis=0) - mine.min(axis=0)).max() / size)
            worst = max(worst, np.abs(points.max(axis=0) - mine.max(axis=0)).max() / size)
    return worst


@pytest.mark.parametrize("name", FEW)
def test_shapes_and_visuals_are_kept(name: str, figure) -> None:
    file = ROBOTS / name
    model = carpal.load(file)
    assert len(model.shapes) == counts(file, "collision") and len(model.visuals) == counts(file, "visual")
    figure(
        f"boxes around the collision meshes of {file.stem} against Pinocchio, relative", mesh_error(model, file), 1e-6
    )


def test_strangers_find_their_meshes_too() -> None:
    file = ROBOTS / FEW[0]
    model, stranger = carpal.load(file), read_untrusted(file)
    assert [shape.name for shape in stranger.shapes] == [shape.name for shape in model.shapes]
    assert [seen.mesh for seen in stranger.visuals] == [seen.mesh for seen in model.visuals]


@pytest.mark.full
def test_every_robot(figure) -> None:
    files = sorted(ROBOTS.rglob("*.urdf"))
    shapes = kept = loaded = 0
    worst = 0.0
    for file in files:
        if file.name in NO_ROBOTS:
            with pytest.raises(carpal.errors.ModelError, match=NO_ROBOTS[file.name]):
                carpal.load(file)
            continue
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            model = carpal.load(file)
        assert any(WARNED.get(file.name, "") in str(one.message) for one in said) or file.name not in WARNED
        loaded += 1
        shapes += counts(file, "collision")
        kept += len(model.shapes)
        worst = max(worst, mesh_error(model, file))
    figure(f"URDFs of example-robot-data that do not load, of {len(files)}", len(files) - loaded, len(NO_ROBOTS))
    figure(f"collision shapes of them that are lost, of {shapes}", shapes - kept, 0)
    figure("boxes around their collision meshes against Pinocchio, relative", worst, 1e-6)

"""USD stages: read back by Pixar's library to the same numbers."""

import numpy as np
import pytest
from export_inputs import ROWS, moved, recorded, true_poses
from pxr import Usd, UsdGeom

from carpal.errors import InputError
from carpal.report.exports.usd_file import CODES_PER_SECOND


@pytest.fixture(scope="module", params=[".usda", ".usdc"])
def stage(request, tmp_path_factory):
    return Usd.Stage.Open(str(recorded().save(tmp_path_factory.mktemp("usd") / f"run{request.param}")))


def test_bodies_are_where_they_were_at_every_row(stage):
    bodies = {prim.GetDisplayName(): prim for prim in stage.GetPrimAtPath("/World").GetChildren()}
    for name, X in true_poses(recorded()).items():
        for k in range(ROWS):
            matrix = UsdGeom.Xformable(bodies[name]).ComputeLocalToWorldTransform(CODES_PER_SECOND * recorded().time[k])
            assert np.abs(np.array(matrix).T - X[k]).max() < 1e-12  # USD's vectors are rows


def test_joint_values_are_kept(stage):
    q = stage.GetPrimAtPath("/World").GetAttribute("carpal:q")
    assert len(q.GetTimeSamples()) == ROWS
    read = [q.Get(CODES_PER_SECOND * float(time)) for time in recorded().time]
    assert np.array_equal(read, recorded().q)


def test_shapes_are_placed_on_their_bodies_with_their_size(stage):
    parts = {prim.GetDisplayName(): prim for prim in stage.Traverse() if prim.IsA(UsdGeom.Gprim)}
    placed = {shape.name: shape for shape in recorded().model.shapes if shape.shape.kind != "plane"}
    assert set(parts) == set(placed) and UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert UsdGeom.GetStageUpAxis(stage) == "Z"
    for name, prim in parts.items():
        local = np.array(UsdGeom.Xformable(prim).GetLocalTransformation()).T
        R = local[:3, :3] / np.linalg.norm(local[:3, :3], axis=0)
        assert np.abs(R - placed[name].X_BS[:3, :3]).max() < 1e-12
        assert np.abs(local[:3, 3] - placed[name].X_BS[:3, 3]).max() < 1e-15
    box = np.array(UsdGeom.Xformable(parts["body_0 box"]).GetLocalTransformation())
    assert np.allclose(np.linalg.norm(box[:3, :3], axis=1), (0.1, 0.2, 0.3))
    assert parts["body_3 capsule"].GetAttribute("height").Get() == 0.15
    mesh = parts["body_4 convex"]
    assert len(mesh.GetAttribute("faceVertexIndices").Get()) == 3 * len(mesh.GetAttribute("faceVertexCounts").Get())


def test_a_trajectory_needs_its_model(tmp_path):
    with pytest.raises(InputError, match="needs its model"):
        moved().save(tmp_path / "moved.usda")

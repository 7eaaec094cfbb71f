import numpy as np
import pytest
import trimesh

from carpal.report import solids


def volume(mesh):
    """Signed volume of a closed surface; above zero where its triangles look outwards."""
    a, b, c = (mesh[0][mesh[1][:, i]] for i in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


@pytest.mark.parametrize(
    ("mesh", "expected"),
    [
        (solids.cylinder(0.2, 0.5), np.pi * 0.04 * 0.5),
        (solids.capsule(0.2, 0.5), np.pi * 0.04 * (0.5 + 4 / 3 * 0.2)),
        (solids.sphere(0.3), 4 / 3 * np.pi * 0.027),
        (solids.ellipsoid((0.1, 0.2, 0.3)), 4 / 3 * np.pi * 0.006),
    ],
)
def test_solids_enclose_their_volume_and_look_outwards(mesh, expected):
    assert volume(mesh) == pytest.approx(expected, rel=0.06)
    assert mesh[1].max() < len(mesh[0])


def test_a_capsule_may_taper():
    vertices, _ = solids.capsule(0.2, 1.0, top=0.1)
    radius = np.hypot(vertices[:, 0], vertices[:, 1])
    assert radius[vertices[:, 2] > 0.5 - 1e-12].max() == pytest.approx(0.1)
    assert radius[vertices[:, 2] < -0.5 + 1e-12].max() == pytest.approx(0.2)


def test_a_faceted_mesh_is_the_same_solid_with_corners_of_its_own():
    points, faces = solids.sphere(0.3)
    loose = solids.faceted(points, faces)
    assert volume(loose) == pytest.approx(volume((points, faces))) and len(loose[0]) == 3 * len(faces)


def test_a_box_is_exact_and_shapes_have_their_solids():
    from carpal.model import Box, Capsule, Plane

    assert volume(solids.box((0.1, 0.2, 0.3))) == pytest.approx(0.006, rel=1e-12)
    assert volume(solids.triangles_of(Box((1, 2, 3)))) == pytest.approx(6)
    assert volume(solids.triangles_of(Capsule(0.2, 0.5))) == pytest.approx(volume(solids.capsule(0.2, 0.5)))
    assert solids.triangles_of(Plane()) is None


def test_creases_split_a_box_and_leave_a_ball_whole():
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    quads = np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
    faces = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    points, split = solids.creased(corners, faces)
    assert len(points) == 24, "three corners where three faces meet"
    assert np.array_equal(points[split], corners[faces])
    ball = trimesh.creation.icosphere(subdivisions=3)
    assert len(solids.creased(np.asarray(ball.vertices), np.asarray(ball.faces))[0]) == len(ball.vertices)


def test_round_things_are_closed_and_have_their_size():
    for made, size in (
        (solids.barrel(0.5, 2.0), (1.0, 1.0, 2.0)), (solids.frustum(0.5, 0.2, 1.0), (1.0, 1.0, 1.0)),
        (solids.bone(0.2, 0.1, 1.0), (0.4, 0.4, 1.3)), (solids.ring(0.5, 0.1), (1.1, 1.1, 0.2)),
    ):  # fmt: skip
        points, faces = made
        assert np.allclose(np.ptp(points, axis=0), size, atol=0.02) and faces.max() < len(points)

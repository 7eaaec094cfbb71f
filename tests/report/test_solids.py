import numpy as np
import pytest

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

"""What is drawn of two shapes: triangles on the true surfaces, arcs that fit them, points and normal where they belong."""

import numpy as np
import pytest

from carpal.contact import principal_curvatures
from carpal.model import Box, Capsule, ConvexMesh, Cylinder, Ellipsoid, Plane, Sphere
from carpal.report.viser_server import closed_server
from carpal.spatial import pose, rotation_about
from carpal.viewer.shape_pair_view import ARC, ShapePairView, fitting_arc, pair_answer, triangles_of

EGG = Ellipsoid((0.35, 0.2, 0.15))
SHAPES = [Sphere(0.2), Capsule(0.1, 0.3), Cylinder(0.1, 0.3), Box((0.2, 0.3, 0.4)), EGG]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind)
def test_drawn_triangles_lie_on_the_surface_and_look_outwards(shape):
    vertices, faces = triangles_of(shape)
    principal_curvatures(shape, vertices)  # refuses points that are off the surface
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    assert (np.einsum("ij,ij->i", np.cross(b - a, c - a), a + b + c) > -1e-9).all()
    volume = np.einsum("ij,ij->i", np.cross(a, b), c).sum() / 6
    assert 0.9 * shape.volume < volume <= shape.volume * (1 + 1e-9)


def test_a_plane_is_a_thin_slab_below_its_surface_and_a_mesh_is_itself():
    vertices, _ = triangles_of(Plane())
    assert vertices[:, 2].max() == 0.0 and vertices[:, 2].min() == -0.01
    mesh = ConvexMesh(np.eye(4)[:, :3])
    assert np.array_equal(triangles_of(mesh)[0], mesh.points)


def test_arcs_touch_the_surface_to_second_order_and_are_straight_on_flats():
    p, n, t = np.array([0, 0, 0.2]), np.array([0, 0, 1.0]), np.array([1.0, 0, 0])
    arc = fitting_arc(p, n, t, 5.0)
    assert np.abs(np.linalg.norm(arc, axis=1) - 0.2).max() < 1e-15  # a great circle of the ball of radius 0.2
    assert np.abs(arc[12] - p).max() == 0.0
    line = fitting_arc(p, n, t, 0.0)
    assert np.allclose(line[[0, -1]], [[-ARC, 0, 0.2], [ARC, 0, 0.2]])
    small = fitting_arc(p, n, t, 100.0)  # a whole circle, no more
    assert np.abs(small[0] - small[-1]).max() < 1e-14 and np.abs(small - p).max() < 0.0201


def test_the_answer_holds_curvatures_where_there_are_any():
    X = pose(rotation_about([0, 0, 1.0], 0.3), [1.0, 0, 0])
    answer = pair_answer(Box((0.2, 0.2, 0.2)), np.eye(4), Sphere(0.1), X)
    assert answer.curvature_a.values.tolist() == [0, 0] and np.allclose(answer.curvature_b.values, 10)
    corner = pair_answer(Box((0.2, 0.2, 0.2)), np.eye(4), Sphere(0.1), pose(p=[1, 1, 1]))
    assert not corner.curvature_a.smooth
    assert pair_answer(ConvexMesh(np.eye(4)[:, :3]), np.eye(4), EGG, X).curvature_a is None


def test_nodes_are_put_where_the_numbers_say():
    with closed_server() as server:
        view = ShapePairView(server)
        X = pose(rotation_about([0, 0, 1.0], 0.3), [1.0, 0.2, 0.1])
        answer = view.show(Box((0.2, 0.2, 0.2)), np.eye(4), EGG, X)
        nodes = {node.name: node for node in server.scene._handle_from_node_name.values()}
        assert np.allclose(nodes["/point_a"].position, answer.found.p_WA)
        assert np.allclose(nodes["/point_b"].position, answer.found.p_WB)
        assert np.allclose(nodes["/shape_b"].position, X[:3, 3])
        assert np.allclose(
            nodes["/normal"].points[0, 1] - nodes["/normal"].points[0, 0], 0.25 * answer.found.n_AB_W, atol=1e-6
        )
        assert nodes["/arc_b_0"].visible and len(nodes["/arc_b_0"].points) == 24
        kept = nodes["/shape_b"]
        view.show(ConvexMesh(np.eye(4)[:, :3]), np.eye(4), EGG, pose(p=[2, 0, 0]))
        nodes = {node.name: node for node in server.scene._handle_from_node_name.values()}
        assert nodes["/shape_b"] is kept and np.allclose(kept.position, [2, 0, 0])  # moved, not sent again
        assert not nodes["/arc_a_0"].visible and not nodes["/arc_a_1"].visible

"""Tables of the modal engine: trees of freedoms, surfaces by name, what is refused."""

import modal_scenes as scenes
import numpy as np
import pytest

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels import contact_table as columns
from carpal.errors import CarpalError
from carpal.model import PlacedShape, Plane, Scene, Sphere, TriangleMesh


def test_each_finger_is_a_tree_and_the_object_a_single_body():
    model, target = scenes.cross_fingers(3)
    tables = ModalEngine(model, target=target).tables
    assert tables.trees[:, columns.TREE_COUNT].tolist() == [3, 3, 3, 6]
    assert (tables.trees[:, columns.TREE_SINGLE] > 0).tolist() == [False, False, False, True]
    assert sorted(tables.order[:, columns.ORDER_DOF].tolist()) == list(range(15))
    assert tables.robot_rows == 10
    assert tables.dofs_of_robots == 9
    assert tables.robots == 1


def test_surfaces_go_by_shape_body_or_pair_and_later_ones_win():
    scene = Scene("three")
    for k in range(2):
        scene.add_object(f"ball{k}", Sphere(0.05), mass=1.0, pose=[k * 1.0, 0, 0.05])
    model = scene.add_fixed("floor", Plane()).build()
    engine = ModalEngine(
        model, surface=Surface(mu=0.1), surfaces={"floor": Surface(mu=0.2), ("ball1", "floor"): Surface(mu=0.3)}
    )
    names = [engine.tables.contact.pair_names(k) for k in range(engine.tables.pair_count)]
    mu = {frozenset(pair): engine.tables.surfaces[k, 0] for k, pair in enumerate(names)}
    assert mu == {
        frozenset(("ball0", "ball1")): 0.1, frozenset(("ball0", "floor")): 0.2, frozenset(("ball1", "floor")): 0.3,
    }  # fmt: skip
    with pytest.raises(CarpalError, match="unknown shape, body or robot in surfaces 'bal'"):
        ModalEngine(model, surfaces={"bal": Surface()})
    with pytest.raises(CarpalError, match="must be a Surface"):
        ModalEngine(model, surfaces={"floor": 0.3})
    with pytest.raises(CarpalError, match="one name or a pair"):
        ModalEngine(model, surfaces={("a", "b", "c"): Surface()})


def test_a_shape_that_is_not_convex_is_refused():
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    model = scenes.block().build()
    model = model.replace(shapes=(*model.shapes, PlacedShape("rock", None, TriangleMesh(points, faces))))
    with pytest.raises(CarpalError, match="'rock' is a triangle mesh, which is not convex"):
        ModalEngine(model)

import numpy as np

import carpal
from carpal.report.viser_server import closed_server
from carpal.viewer.joint_sliders import JointSliders


def test_sliders_have_the_joints_limits_and_their_rounding_moves_nothing():
    model = carpal.load("sawyer")
    with closed_server() as server:
        sliders = JointSliders(server.gui, model, lambda _: None)
        assert list(sliders.handles) == list(model.joint_names)
        q = np.random.default_rng(0).uniform(model.q_min, model.q_max)
        sliders.follow(q)
        assert np.array_equal(sliders.put_into(q), q), "following a configuration does not change it"
        sliders.handles["j1"].value = 30.0
        moved = sliders.put_into(q)
        assert np.isclose(moved[1], np.radians(30.0)) and np.array_equal(np.delete(moved, 1), np.delete(q, 1))
        sliders.handles["j0"].value = sliders.handles["j0"].max
        assert sliders.put_into(q)[0] <= model.q_max[0]


def test_joints_without_limits_and_free_joints():
    scene = carpal.Scene("cell").add_robot("srs7", name="arm", mount="free")
    with closed_server() as server:
        sliders = JointSliders(server.gui, scene.build(), lambda _: None)
        assert len(sliders.handles) == 7 and all(handle.max <= 180.0 for handle in sliders.handles.values())

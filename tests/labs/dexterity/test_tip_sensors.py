"""Six-axis sensors in the tips: forces turned into the tip's axes, moments about its centre, noise by seed."""

import numpy as np
from dexterity_inputs import setting_of, touch

from carpal.engines import Contact
from carpal.kinematics import fk
from carpal.labs.dexterity.tip_sensors import sensed, tip_wrenches, wrench_line


def test_a_wrench_in_the_tips_axes(figure):
    setting = setting_of(2)
    model, q = setting.scene.build(), setting.start().q
    X = fk(model, q, "hand/ring_tip")
    point, force = X[:3, 3] + [0.01, 0, 0], np.array([0.3, -0.2, 0.5])
    found = tip_wrenches(model, q, [touch("ring", force=force, point=point)])
    wanted = np.r_[X[:3, :3].T @ -force, X[:3, :3].T @ np.cross([0.01, 0, 0], -force)]
    figure("wrench of a tip sensor", np.abs(found[3] - wanted).max(), 1e-15)
    assert np.abs(np.delete(found, 3, axis=0)).max() == 0.0


def test_tips_that_touch_each_other_feel_opposite_forces():
    setting = setting_of(2)
    model, q = setting.scene.build(), setting.start().q
    both = Contact("hand/index_link_3", "hand/middle_link_3", "sticking", (0, 0, 0.2), (0, -1, 0), 0.0, (0, -2.0, 0))
    found = tip_wrenches(model, q, [both])
    assert np.linalg.norm(found[1, :3]) == np.linalg.norm(found[2, :3]) == 2.0


def test_noise_is_seeded_and_optional():
    zeros = np.zeros((5, 6))
    assert np.array_equal(sensed(zeros, 0.0, np.random.default_rng(0)), zeros)
    a, b = (sensed(zeros, 0.1, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(a, b)
    many = np.array([sensed(zeros, 0.1, rng) for rng in [np.random.default_rng(4)] for _ in range(2000)])
    assert abs(many[..., :3].std() - 0.1) < 0.003
    assert abs(many[..., 3:].std() - 0.001) < 3e-5


def test_the_line_has_thirty_one_numbers():
    assert len(wrench_line(0.5, np.arange(30.0).reshape(5, 6)).split(",")) == 31

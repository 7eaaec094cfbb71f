"""The rover is a picture, and colours change no shape."""

import numpy as np

from carpal.labs.retrieve.appearance import coloured, rover_visuals
from carpal.labs.retrieve.simulation.true_scene import true_model, true_scene


def test_only_colours_and_visuals_are_new():
    plain, model = true_scene().build(), true_model()
    for before, after in zip(plain.shapes, model.shapes, strict=True):
        assert (before.name, before.body, before.shape) == (after.name, after.body, after.shape)
        assert np.array_equal(before.X_BS, after.X_BS)
    assert {seen.name for seen in model.visuals} == {seen.name for seen in rover_visuals()}
    assert coloured(plain).shapes[0].rgba == model.shapes[0].rgba


def test_the_rover_stands_on_the_ground_behind_its_wall():
    low = min(float((seen.X_BV[:3, 3])[2]) for seen in rover_visuals() if "wheel" in seen.name)
    assert low > 0.1
    assert all(seen.body is None and seen.X_BV[0, 3] < 0.0 for seen in rover_visuals())

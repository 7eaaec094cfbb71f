"""The accurate scheme's entry: steps in a row are steps one by one, and many worlds are each for itself."""

import modal_scenes as scenes
import numpy as np

from carpal.engines import ModalEngine, Surface
from carpal.model import State


def test_steps_in_a_row_and_worlds_side_by_side_change_nothing():
    scene = scenes.thrown_ball(2.0)
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.2), dt=1e-2, accurate=True)
    start = scene.start()
    together = engine.run(start, None, 10).state
    state = start
    for _ in range(10):
        state = engine.step(state, np.zeros(6))
    assert np.abs(state.q - together.q).max() < 1e-13
    many = engine.run(State(0.0, np.tile(start.q, (3, 1)), np.tile(start.v, (3, 1))), None, 10).state
    for world in range(3):
        assert np.array_equal(many.q[world], together.q)
    plain = ModalEngine(scene.build(), surface=Surface(mu=0.2), dt=1e-2).run(start, None, 10).state
    assert 0 < np.abs(plain.q - together.q).max() < 1e-2

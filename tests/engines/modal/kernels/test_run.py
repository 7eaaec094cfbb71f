"""The entry: steps in a row are steps one by one; a world that ends early says why."""

import modal_scenes as scenes
import numpy as np

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels import books as book


def test_a_hundred_steps_are_a_hundred_times_one():
    scene = scenes.thrown_ball(1.0, height=0.003)
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.3, restitution=0.6))
    state = scene.start()
    for _ in range(100):
        state = engine.step(state, np.zeros(6))
    together, books, _ = engine.books(scene.start(), None, 100)
    assert books[book.DONE] == 100
    assert np.abs(together.q - state.q).max() < 1e-13
    again = engine.books(scene.start(), None, 100)[0]
    assert np.array_equal(again.q, together.q)

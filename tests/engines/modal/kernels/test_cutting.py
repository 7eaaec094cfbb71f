"""Steps are cut at fast hits, at the right time, and not at slow ones."""

import modal_scenes as scenes
import numpy as np

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels import books as book
from carpal.engines.modal.kernels.contact_table import CONTACT_COLUMNS, IMPULSE
from carpal.engines.modal.kernels.cutting import scale_guess


def test_a_hit_is_where_the_parabola_meets_the_floor(figure):
    scene = scenes.thrown_ball(0.0, height=0.1)
    engine = ModalEngine(scene.build(), dt=1e-2, surface=Surface(restitution=1.0))
    state, books, _ = engine.books(scene.start(), None, 15)
    hit = np.sqrt(2 * 0.1 / 9.81)
    speed, left = 9.81 * hit, 0.15 - hit
    assert books[book.HITS] == 1
    assert books[book.CUTS] == 1
    exact = speed * left - 0.5 * 9.81 * left**2
    figure("ball after one elastic hit, 10 ms steps: height off the parabola [m]", abs(state.q[2] - 0.1 - exact), 1e-9)
    assert abs(state.v[2] - (speed - 9.81 * left)) < 1e-9


def test_a_slow_meeting_is_no_hit():
    scene = scenes.thrown_ball(0.0, height=1e-6)
    engine = ModalEngine(scene.build(), surface=Surface(restitution=1.0))
    state, books, _ = engine.books(scene.start(), None, 20)
    assert books[book.HITS] == 0
    assert abs(state.q[2] - 0.1) < 1e-12
    assert abs(state.v[2]) < 1e-12


def test_a_guess_is_scaled_with_the_length_of_the_step():
    con = np.zeros((1, 1, CONTACT_COLUMNS))
    con[0, 0, IMPULSE : IMPULSE + 4] = 1.0
    scale_guess(con, 0, 1, 0.25)
    assert (con[0, 0, IMPULSE : IMPULSE + 4] == 0.25).all()

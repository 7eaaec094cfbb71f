"""Every catalogue robot, by one parametrised test; the theses' own figures are in tests/verification."""

import numpy as np
import pytest

import carpal
from carpal.errors import MissingInertiaError, UnknownNameError
from carpal.model import describe

WITHOUT_INERTIA = ("sia5", "srs7", "k10")


@pytest.mark.parametrize("name", carpal.robots())
def test_a_robot_is_whole(name):
    model = carpal.load(name)
    assert model.name == name
    assert model.source
    assert len(describe(name)) > 20
    assert ((model.q_min <= model.q_home) & (model.q_home <= model.q_max)).all()
    assert np.isfinite(carpal.fk(model, model.q_home)).all()
    for body in model.bodies:
        assert body.inertia is None or body.inertia.mass == 0 or body.inertia.is_physical(), body.name


@pytest.mark.parametrize("name", WITHOUT_INERTIA)
def test_robots_without_published_inertias_say_so(name):
    model = carpal.load(name)
    with pytest.raises(MissingInertiaError, match="no published inertia"):
        carpal.mass_matrix(model, model.q_home)
    assumed = carpal.load(name, inertia="assumed")
    assert any("assumed" in note for note in assumed.notes)
    assert np.linalg.eigvalsh(carpal.mass_matrix(assumed, assumed.q_home)).min() > 0
    assert np.array_equal(carpal.fk(assumed, assumed.q_home), carpal.fk(model, model.q_home))


def test_published_totals():
    assert carpal.load("sawyer").mass == pytest.approx(20.7345, abs=1e-12)
    assert carpal.load("catcher_arm").mass == pytest.approx(6.668, abs=1e-12)  # erratum E19: printed 6.667
    assert carpal.load("sia5", inertia="assumed").mass == pytest.approx(30.0, abs=1e-12)
    assert carpal.load("cuhk_hand").mass == pytest.approx(15 * 0.07, abs=1e-12)


def test_mountings_of_the_rover_arm():
    upright = carpal.load("k10")
    q = np.array([0.3, -0.4, 0.5, 0.6, -0.7])
    p = carpal.fk(upright, q)[:3, 3]
    down = carpal.fk(carpal.load("k10", mounting="upside_down"), q)[:3, 3]
    side = carpal.fk(carpal.load("k10", mounting="sideways"), q)[:3, 3]
    assert np.allclose(down, (p[0], -p[1], 0.4 - p[2]), atol=1e-15)
    assert np.allclose(side, (p[2], p[1], 0.4 - p[0]), atol=1e-15)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: carpal.load("sawyr"), "unknown robot 'sawyr'; did you mean 'sawyer'"),
        (lambda: carpal.load("k10", mounting="upsidedown"), "did you mean 'upside_down'"),
        (lambda: carpal.load("k10", mountin="sideways"), "unknown option of robot 'k10' 'mountin'"),
        (lambda: carpal.load("sia5", inertia="guessed"), "unknown inertia 'guessed'"),
        (lambda: describe("nobody"), "unknown robot 'nobody'"),
    ],
)
def test_wrong_names_are_answered_with_the_right_ones(call, sentence):
    with pytest.raises(UnknownNameError, match=sentence):
        call()

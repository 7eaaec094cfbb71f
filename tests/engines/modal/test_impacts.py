"""Single collisions at the edge: batches, threads, the gain of a free body, and what is refused."""

import numpy as np
import pytest
from impact_reference import POINT, random_hits, reference_gain

from carpal.engines import free_body_gain, single_impact
from carpal.errors import CarpalError

K = reference_gain()
U = [0.2, -0.1, -0.5]


def test_a_batch_is_its_members_bit_for_bit_on_any_number_of_threads():
    K, u, mu, e = random_hits(64, 3)
    both = single_impact(K, u, mu, e, threads=1)
    assert np.array_equal(both.numbers, single_impact(K, u, mu, e, threads=3).numbers)
    for i in range(0, 64, 7):
        assert np.array_equal(both.numbers[i], single_impact(K[i], u[i], mu[i], e[i]).numbers)


def test_shapes_broadcast():
    hit = single_impact(K, np.zeros((4, 1, 3)) + U, np.linspace(0, 1, 5), 0.5)
    assert hit.impulse.shape == (4, 5, 3) and hit.mode.shape == (4, 5) and hit.ok.all()
    assert single_impact(K, np.zeros((0, 3)), 0.5, 0.5).impulse.shape == (0, 3)


def test_the_gain_of_a_free_body_is_what_an_impulse_does():
    rng = np.random.default_rng(4)
    A = rng.normal(size=(3, 3))
    I, r, P = A @ A.T + np.eye(3), rng.normal(size=3), rng.normal(size=3)
    v, w = P / 0.7, np.linalg.solve(I, np.cross(r, P))
    assert np.allclose(free_body_gain(0.7, I, r) @ P, v + np.cross(w, r))
    R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    assert np.allclose(free_body_gain(0.7, I, r, R), R.T @ free_body_gain(0.7, I, r) @ R)
    assert np.allclose(20 * np.eye(3) + free_body_gain(0.1, 6e-5 * np.eye(3), POINT), K)


BAD = [
    ({"K": np.eye(2)}, "K needs shape"),
    ({"K": K + np.eye(3, k=1)}, "K is not symmetric"),
    ({"K": np.diag([1.0, -1.0, 1.0])}, "K has a negative eigenvalue"),
    ({"K": np.diag([1.0, 1.0, 0.0])}, "lets no impulse change the normal speed"),
    ({"K": np.stack([np.eye(3), -np.eye(3)])}, r"K at batch index \(1,\) has a negative"),
    ({"u": [0, 0, np.nan]}, r"u\[2\] is nan"),
    ({"u": [0, 0]}, "u needs shape"),
    ({"mu": -0.1}, "mu, the coefficient of friction, must be zero or above; got -0.1"),
    ({"mu": np.inf}, "mu.* is inf"),
    ({"e": 1.01}, "from 0 to 1; got 1.01"),
    ({"e": -0.5}, "from 0 to 1; got -0.5"),
    ({"law": "newton"}, "unknown law of restitution 'newton'.*stronge, poisson"),
    ({"device": "tpu"}, "unknown device 'tpu'"),
    ({"threads": 0}, "threads must be a whole number"),
]


@pytest.mark.parametrize(("wrong", "says"), BAD)
def test_bad_input_gets_one_clear_sentence(wrong, says):
    with pytest.raises(CarpalError, match=says):
        single_impact(**{"K": K, "u": U, "mu": 0.5, "e": 0.5, **wrong})


def test_bad_bodies_get_one_clear_sentence():
    with pytest.raises(CarpalError, match="mass must be above zero"):
        free_body_gain(0.0, np.eye(3), POINT)
    with pytest.raises(CarpalError, match="inertia must be positive definite"):
        free_body_gain(1.0, np.diag([1.0, 1.0, 0.0]), POINT)

"""Numeric inverse kinematics: solved targets are right, refused ones have a true reason, one equals many."""

import numpy as np
import pytest
from random_models import random_chain

import carpal
from carpal.errors import InputError, UnknownNameError
from carpal.kinematics import random_configurations

METHODS = {"sawyer": ("lm", "dls", "ccd"), "sia5": ("lm", "dls", "ccd"), "catcher_arm": ("lm", "newton", "dls", "ccd")}


def poses(name, count, seed=0):
    model = carpal.load(name)
    return model, carpal.fk(model, random_configurations(model, count, seed=seed))


def errors(model, q, X):
    """Position and rotation error by numpy alone."""
    Y = carpal.fk(model, q)
    dR = np.swapaxes(Y[..., :3, :3], -1, -2) @ X[..., :3, :3]
    sine = (
        np.stack([dR[..., 2, 1] - dR[..., 1, 2], dR[..., 0, 2] - dR[..., 2, 0], dR[..., 1, 0] - dR[..., 0, 1]], -1) / 2
    )
    cosine = (np.trace(dR, axis1=-2, axis2=-1) - 1) / 2
    return np.linalg.norm(Y[..., :3, 3] - X[..., :3, 3], axis=-1), np.arctan2(np.linalg.norm(sine, axis=-1), cosine)


def inside(model, q):
    return ((q >= model.q_min) & (q <= model.q_max)).all(-1)


@pytest.mark.parametrize(("name", "method"), [(n, m) for n, methods in METHODS.items() for m in methods])
def test_what_is_called_ok_is_right(name, method):
    model, X = poses(name, 60, seed=3)
    result = carpal.ik(model, X, method=method)
    p, r = errors(model, result.q, X)
    assert (p[result.ok] <= 1e-6 + 1e-12).all()
    assert (r[result.ok] <= 1e-6 + 1e-12).all()
    assert inside(model, result.q[result.ok]).all()
    assert result.ok.mean() > {"lm": 0.99, "newton": 0.9, "dls": 0.6, "ccd": 0.3}[method]


@pytest.mark.parametrize("name", METHODS)
def test_random_targets_inside_the_limits(name, figure):
    model, X = poses(name, 1000, seed=5)
    result = carpal.ik(model, X)
    p, r = errors(model, result.q, X)
    wrong = result.ok & ((p > 1e-6 + 1e-12) | (r > 1e-6 + 1e-12) | ~inside(model, result.q))
    figure(f"ik lm, {name}: solved of 1,000 in-limit random targets [%]", 100 * result.ok.mean(), 99.8, at_least=True)
    figure(f"ik lm, {name}: called ok and wrong", wrong.sum(), 0)


@pytest.mark.full
@pytest.mark.parametrize("name", METHODS)
def test_ten_thousand_targets(name, figure):
    model, X = poses(name, 10_000, seed=6)
    for method in METHODS[name]:
        result = carpal.ik(model, X[: 10_000 if method in ("lm", "newton") else 1000], method=method)
        part = X[: result.ok.size]
        p, r = errors(model, result.q, part)
        wrong = result.ok & ((p > 1e-6 + 1e-12) | (r > 1e-6 + 1e-12) | ~inside(model, result.q))
        note = f"{result.ok.size} targets, median {int(np.median(result.iterations))} iterations"
        bound = 99.9 if method == "lm" else 0.0
        figure(
            f"ik {method}, {name}: solved of in-limit random targets [%]",
            100 * result.ok.mean(),
            bound,
            at_least=True,
            note=note,
        )
        figure(f"ik {method}, {name}: called ok and wrong", wrong.sum(), 0, note=note)


def test_points_and_directions():
    model, X = poses("k10", 200, seed=7)
    point, direction = X[:, :3, 3], X[:, :3, 0]  # the K10 points along its x axis
    result = carpal.ik(model, (point, direction))
    assert result.ok.all()
    Y = carpal.fk(model, result.q)
    assert np.abs(Y[:, :3, 3] - point).max() <= 1e-6
    assert np.linalg.norm(Y[:, :3, 0] - direction, axis=1).max() <= 1e-6
    model, X = poses("sawyer", 200, seed=8)
    result = carpal.ik(model, X[:, :3, 3])
    assert result.ok.all()
    assert np.abs(carpal.fk(model, result.q)[:, :3, 3] - X[:, :3, 3]).max() <= 1e-6


def test_opposite_direction_is_not_a_trap():
    """The tool points exactly away from the asked direction: the error must not read zero."""
    model = carpal.load("srs7")
    down = carpal.fk(model, np.array([0.0, 1.0, 0.0, 1.2, 0.0, np.pi - 2.2, 0.0]))
    assert np.allclose(down[:3, 2], (0, 0, -1))  # and straight up at zero configuration
    result = carpal.ik(model, (down[:3, 3], down[:3, 2]), np.zeros(7))
    assert result.ok
    assert np.allclose(carpal.fk(model, result.q)[:3, 2], (0, 0, -1), atol=2e-6)


@pytest.mark.parametrize("miss", [1e-11, 1e-9, 1e-7])
def test_nearly_opposite_directions_are_not_called_reached(miss):
    """The tool stands at the point and points away but for a billionth: the cross product alone is small there."""
    model = carpal.load("srs7")
    q = np.array([0.3, 0.7, -0.4, 1.1, 0.5, -0.8, 0.2])
    X = carpal.fk(model, q)
    direction = -X[:3, 2] + miss * X[:3, 0]
    result = carpal.ik(model, (X[:3, 3], direction), q, attempts=1)
    assert not (result.ok and carpal.fk(model, result.q)[:3, 2] @ direction < 0.99)


def test_single_calls_from_many_threads_do_not_disturb_each_other():
    from concurrent.futures import ThreadPoolExecutor

    model, X = poses("sawyer", 400, seed=12)
    alone = [carpal.ik(model, x).q for x in X]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda x: carpal.ik(model, x).q, X))
    assert np.array_equal(alone, together)


@pytest.mark.parametrize("seed", range(6))
def test_random_arms_with_slides_and_balls(seed):
    model = random_chain(seed, 5, kinds=("revolute", "prismatic", "ball"))
    X = carpal.fk(model, random_configurations(model, 30, seed=1, unlimited=2.0))
    result = carpal.ik(model, X[:, :3, 3])
    p, _ = errors(model, result.q, X)
    assert result.ok.mean() > 0.9
    assert p[result.ok].max() <= 1e-6


def test_batch_equals_one_at_a_time_and_threads_do_not_matter():
    model, X = poses("sawyer", 40, seed=9)
    for method in METHODS["sawyer"]:
        many = carpal.ik(model, X, method=method, threads=1)
        assert np.array_equal(many.q, carpal.ik(model, X, method=method, threads=2).q)
        for i in (0, 7, 39):
            one = carpal.ik(model, X[i], method=method)
            assert np.array_equal(one.q, many.q[i])
            assert one.iterations == many.iterations[i]
    shaped = carpal.ik(model, X.reshape(5, 8, 4, 4))
    assert np.array_equal(shaped.q, carpal.ik(model, X).q.reshape(5, 8, 7))


def test_the_seed_decides_the_branch():
    model, X = poses("sawyer", 20, seed=10)  # no closed form gives its start
    a, b, again = (carpal.ik(model, X, seed=s).q for s in (0, 1, 0))
    assert np.array_equal(a, again)
    assert not np.array_equal(a, b)


def test_q0_is_where_it_starts():
    model, _ = poses("sawyer", 1)
    q = np.array([0.3, -0.5, 0.2, 0.9, -0.3, 0.4, 0.1])
    result = carpal.ik(model, carpal.fk(model, q + 1e-3), q)
    assert np.abs(result.q - q).max() < 0.02
    assert result.attempts == 1


class TestReasons:
    """Every refusal states a true reason."""

    def test_too_far(self):
        model = carpal.load("srs7")
        result = carpal.ik(model, np.array([0.0, 0.0, 0.31 + 0.685 + 0.12]))
        assert not result
        assert str(result).startswith("out of reach by 0.12 m for certain")

    def test_wrist_too_far(self):
        """The point is in reach, but not with this attitude."""
        model = carpal.load("srs7")
        X = np.eye(4)
        X[:3, 3] = 0.0, 0.0, 0.31 + 0.54 + 0.1
        X[:3, :3] = np.diag([1.0, -1.0, -1.0])  # pointing down: the wrist must be 0.145 m above
        result = carpal.ik(model, X)
        assert not result
        assert "out of reach by 0.245 m" in str(result)

    def test_held_by_a_limit(self):
        model = carpal.load("k10")
        X = carpal.fk(model, np.array([0.0, 0.4, 1.2, 0.0, 0.0]))  # the shoulder at its limit, the elbow bent
        result = carpal.ik(model, X[:3, 3] - (0.0, 0.0, 0.112))
        assert not result
        assert "q_max of shoulder" in str(result)
        assert result.q[1] == model.q_max[1]

    def test_singular(self):
        model = carpal.Model.from_dh([carpal.model.DHRow(a=0.3), carpal.model.DHRow(a=0.2)])
        result = carpal.ik(model, np.array([0.4, 0.0, 0.1]))
        assert not result
        assert "singular: one singular value below 1e-9" in str(result)

    def test_a_batch_says_how_many_and_why(self):
        model = carpal.load("sawyer")
        result = carpal.ik(model, np.array([[0.5, 0.2, 0.4], [3.0, 0.0, 0.0]]))
        assert str(result).startswith("1 of 2 targets solved; the first unsolved, (1,): out of reach by")
        assert list(result.ok) == [True, False]


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        (2 * np.eye(4), "must be a rotation"),
        (np.diag([1.0, 1.0, -1.0, 1.0]), "reflection"),
        (np.diag([1.0, 1.0, 1.0, 2.0]), "last row of a pose"),
        (np.full((4, 4), np.nan), "not finite"),
        (np.array([0.1, np.inf, 0.0]), "not finite"),
        ((np.ones(3), np.zeros(3)), "direction must not be zero"),
        ((np.ones(3), np.ones(4)), "3 numbers on its last axis"),
        ((np.ones((2, 3)), np.ones((3, 3))), "do not fit together"),
        (np.ones((2, 2)), "a target is a pose"),
        ("there", "real numbers"),
        (1j * np.ones(3), "real numbers"),
    ],
)
def test_targets_that_make_no_sense(target, sentence):
    with pytest.raises(InputError, match=sentence):
        carpal.ik(carpal.load("sawyer"), target)


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"method": "lmm"}, UnknownNameError, "did you mean 'lm'"),
        ({"frame": "tol"}, UnknownNameError, "did you mean 'tool'"),
        ({"attempts": 0}, InputError, "attempts must be a whole number"),
        ({"steps": [1]}, InputError, "steps must be a whole number"),
        ({"position_tolerance": -1.0}, InputError, "position_tolerance must be a number above zero"),
        ({"damping": np.nan}, InputError, "damping must be a number above zero"),
        ({"seed": -1}, InputError, "seed must be a whole number, zero or above; got -1"),
        ({"seed": "a"}, InputError, "seed must be a whole number"),
        ({"difference": np.ones(3)}, InputError, "difference must be a number above zero"),
        ({"threads": 0}, InputError, "threads must be a whole number"),
        ({"method": "newton"}, InputError, "exactly 6 joints"),
        ({"frame": "base"}, InputError, "no joint of model 'sawyer' moves frame 'base'"),
        ({"q0": np.zeros(3)}, InputError, "needs 7 numbers"),
        ({"q0": np.full(7, np.nan)}, InputError, "q\\[0\\] is nan"),
    ],
)
def test_options_that_make_no_sense(options, error, sentence):
    with pytest.raises(error, match=sentence):
        carpal.ik(carpal.load("sawyer"), np.array([0.5, 0.1, 0.4]), **options)


def test_limits_that_cross_are_refused():
    with pytest.raises(InputError, match=r"q_min 1\.0 above q_max -1\.0"):
        carpal.Model.from_dh([carpal.model.DHRow(a=0.3, q_min=1.0, q_max=-1.0)])

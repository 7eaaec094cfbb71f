"""`ik_all` of six joints: one equals many, a dense search finds nothing more, `ik` starts at its answers."""

import numpy as np
import pytest
from six_joint_robots import public_arm, six_joint_robot, wrap

import carpal
from carpal.errors import InputError
from carpal.kinematics import ik_all, random_configurations
from carpal.kinematics.inverse.arm_class import arm_class
from carpal.kinematics.inverse.six_joints import KERNELS, method_words


@pytest.mark.parametrize("name", ["puma560", "ur5", "gofa"])
def test_one_equals_many_and_threads_do_not_matter(name):
    model = public_arm(name)
    X = carpal.fk(model, random_configurations(model, 12, seed=3))
    many = ik_all(model, X, threads=1)
    assert np.array_equal(many.q, ik_all(model, X, threads=2).q, equal_nan=True)
    for i in range(12):
        for one in (ik_all(model, X[i]), ik_all(model, X[i].tolist())):
            assert np.array_equal(one.q, many.q[i], equal_nan=True) and one.count == many.count[i]
            assert np.array_equal(one.branch, many.branch[i]) and np.array_equal(one.in_limits, many.in_limits[i])
    shaped = ik_all(model, X.reshape(3, 4, 4, 4))
    assert np.array_equal(shaped.q, many.q.reshape(3, 4, -1, 6), equal_nan=True) and shaped.ok.shape == (3, 4)
    assert str(shaped[0][1]) == str(ik_all(model, X[1]))


def dense_search(model, X, starts, seed):
    """Distinct angles (k, 6) of the arm that Gauss-Newton by `fk` and `jacobian` alone finds from random starts."""
    columns = arm_class(model).axes.columns
    q = np.tile(np.asarray(model.q_home), (starts, 1))
    q[:, columns] = np.random.default_rng(seed).uniform(-np.pi, np.pi, (starts, 6))
    for _ in range(60):
        P = carpal.fk(model, q)
        miss = X[:3, 3] - P[:, :3, 3]
        turn = 0.5 * sum(np.cross(P[:, :3, k], X[:3, k]) for k in range(3))
        e = np.concatenate([miss, turn], axis=1)
        J = carpal.jacobian(model, q)[..., columns]
        step = np.linalg.solve(np.swapaxes(J, 1, 2) @ J + 1e-9 * np.eye(6), np.swapaxes(J, 1, 2) @ e[..., None])[..., 0]
        q[:, columns] += step / np.maximum(1.0, np.abs(step).max(1, keepdims=True) / 0.5)
    good = np.abs(carpal.fk(model, q) - X).max((1, 2)) < 1e-8
    kept = []
    for row in wrap(q[good][:, columns]):
        if all(np.abs(wrap(row - other)).max() > 1e-4 for other in kept):
            kept.append(row)
    return np.array(kept).reshape(-1, 6)


def no_more_than(model, poses, starts, figure, name):
    lacking = met = total = 0
    for i, q in enumerate(random_configurations(model, poses, seed=11)):
        X = carpal.fk(model, q)
        ours = np.array(list(ik_all(model, X)))[:, arm_class(model).axes.columns]
        theirs = dense_search(model, X, starts, i)
        off = np.abs(wrap(theirs[:, None] - ours)).max(-1)
        lacking += int((off.min(1) > 1e-3).sum())
        met += int((off.min(0) <= 1e-3).sum())
        total += len(ours)
    figure(f"{name}: configurations of a dense search that ik_all lacks", lacking, 0)
    figure(f"{name}: share of ik_all's solutions that the search met", met / total, 0.8, at_least=True)


@pytest.mark.parametrize("name", ["puma560", "ur5", "gofa"])
def test_a_dense_search_finds_nothing_more(name, figure):
    no_more_than(public_arm(name), 3, 400, figure, name)


@pytest.mark.full
@pytest.mark.parametrize("name", ["puma560", "irb6640", "ur5", "z1", "gofa", "crx10", "j2n6s200", "kinova"])
def test_a_dense_search_finds_nothing_more_in_full(name, figure):
    no_more_than(public_arm(name), 100, 2000, figure, name)


def test_sorted_by_distance_and_several_turns():
    model = public_arm("ur5")  # limits of two turns
    q = np.array([5.5, -1.0, 1.2, -5.0, 1.0, 4.0])
    found = ik_all(model, carpal.fk(model, q), q0=q)
    assert np.abs(found[0] - q).max() < 1e-9 and found.in_limits[0] and np.array_equal(found.best, found[0])
    home = ik_all(model, carpal.fk(model, q))
    assert np.abs(home.q[: len(home)]).max() <= 2 * np.pi


def test_ik_starts_at_an_answer():
    for name in ("puma560", "ur5"):
        model = public_arm(name)
        X = carpal.fk(model, random_configurations(model, 50, seed=9))
        found = carpal.ik(model, X)
        assert found.ok.all() and found.attempts.max() == 1 and found.iterations.max() <= 2
        closest = np.abs(found.q[:, None] - ik_all(model, X).q).max(-1)
        assert np.nanmin(closest, axis=1).max() < 1e-6


def test_what_makes_no_sense():
    model = public_arm("puma560")
    skewed, mirrored = np.eye(4), np.diag([1.0, 1.0, -1.0, 1.0])
    skewed[0, 1] = 0.3
    for target, options, sentence in (
        (((0.4, 0, 0.2), (0, 0, 1)), {}, "must be a pose X_WT \\(4, 4\\); got a point and direction"),
        (np.zeros(3), {}, "must be a pose"),
        (skewed, {}, "must be a rotation"),
        (mirrored, {}, "reflection"),
        (np.eye(4) * np.nan, {}, "not finite"),
        (np.eye(4), {"arm_angle": 0.1}, "arm_angle belongs to arms with seven joints"),
        (np.eye(4), {"roll": 0.1}, "roll belongs to arms with five joints"),
        (np.eye(4), {"q0": np.zeros(5)}, "needs 6 numbers"),
    ):
        with pytest.raises(InputError, match=sentence):
            ik_all(model, target, **options)


def test_a_method_has_words():
    arm = arm_class(six_joint_robot("spherical, axes 1 and 2 meet", 1))
    assert method_words(arm) == "closed form, spherical wrist, from the tool" and set(KERNELS) >= {arm.shape}

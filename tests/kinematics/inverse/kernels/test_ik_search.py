"""The search around the methods: restarts, limits, the best of all attempts, and what it refuses to check."""

import numpy as np
import pytest
from ik_inputs import numbers, twelve
from random_models import random_chain

import carpal
from carpal.kinematics import random_configurations
from carpal.kinematics.inverse.kernels.ik_search import (
    ATTEMPTS,
    LM,
    NEWTON,
    POSITION_ERROR,
    REPORT,
    ROTATION_ERROR,
    SOLVED,
    STEPS,
    ik_batch,
)
from carpal.kinematics.inverse.kernels.ik_task import REACH, WRIST_REACH

ARM = carpal.load("sawyer")
GOALS = random_configurations(ARM, 12, seed=1)
X = carpal.fk(ARM, GOALS)


def search(
    model=ARM, target=None, q0=None, *, method=LM, task=0, steps=50, attempts=20, limited=1, fill=np.nan, **more
):
    """(bad, q, report) with outputs and scratch full of `fill`: what a search reads before writing shows."""
    target = twelve(X) if target is None else target
    row, tables = model.frame_index(None), model.tables
    options = numbers(model, tol=1e-6)
    options[REACH] = options[WRIST_REACH] = more.get("reach", np.inf)
    samples = random_configurations(model, 30, seed=0)
    n = sum({1: 1, 2: 1, 3: 3, 4: 6}[int(tables.joints[body, 0])] for body in tables.chains[row])
    wide, worlds = max(n, 6), len(target)
    shapes = [(model.nq,), (model.nq,), (6, n), (n, n), (wide, wide), (wide,), (n,), (len(tables.joints), 12)]
    q, report = np.full((worlds, model.nq), fill), np.full((worlds, REPORT), fill)
    bad = ik_batch(
        tables.joints, tables.bodies, tables.frames, row, tables.chains[row], model.q_min.copy(), model.q_max.copy(),
        method, task, options, steps, attempts, limited, int(q0 is not None), samples, twelve(carpal.fk(model, samples)),
        target, np.tile(model.q_home, (worlds, 1)) if q0 is None else q0, q, report,
        *(np.full((2, *shape), fill) for shape in shapes), 0, worlds, 1, 1,
    )  # fmt: skip
    return bad, q, report


def test_what_it_reports_is_true() -> None:
    bad, q, report = search()
    assert bad == 0
    assert (report[:, SOLVED] == 1).all()
    Y = carpal.fk(ARM, q)
    assert np.abs(np.linalg.norm((Y - X)[:, :3, 3], axis=1) - report[:, POSITION_ERROR]).max() < 1e-13
    assert (report[:, POSITION_ERROR] <= 1e-6).all() and (report[:, ROTATION_ERROR] <= 1e-6).all()
    assert ((q >= ARM.q_min) & (q <= ARM.q_max)).all()
    assert (report[:, ATTEMPTS] >= 1).all() and (report[:, STEPS] >= 1).all()


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_read_before_it_is_written(seed: int) -> None:
    """Ball joints on the world read the world's axes from scratch: the answer may not depend on what lay there."""
    model = random_chain(seed, 4, kinds=("ball", "prismatic")) if seed else ARM
    target = twelve(carpal.fk(model, random_configurations(model, 6, seed=2, unlimited=1.0)))
    one, other = (search(model, target, fill=fill, task=1) for fill in (0.0, np.nan))
    assert one[0] == other[0] == 0
    assert np.array_equal(one[1], other[1])
    assert (one[2][:, SOLVED] == 1).all()


def test_more_attempts_solve_more_and_keep_the_best() -> None:
    hard = twelve(carpal.fk(ARM, random_configurations(ARM, 400, seed=3)))
    shares, misses = [], []
    for attempts in (1, 2, 10):
        _, _, report = search(target=hard, attempts=attempts, steps=12)
        shares.append(report[:, SOLVED].mean())
        misses.append(np.hypot(report[:, POSITION_ERROR], 0.2 * report[:, ROTATION_ERROR]))
        assert report[:, ATTEMPTS].max() == attempts
        assert report[:, STEPS].max() <= 12 * attempts
    assert shares[0] < shares[1] < shares[2]
    assert (misses[1] <= np.maximum(misses[0], 1.1e-6)).all()
    assert (misses[2] <= np.maximum(misses[1], 1.1e-6)).all()


def test_samples_run_out() -> None:
    far = X[:1].copy()
    far[:, :3, 3] = 5.0, 0.0, 0.0
    _, _, report = search(target=twelve(far), attempts=1000)
    assert report[0, ATTEMPTS] == 30
    _, _, report = search(target=twelve(far), q0=ARM.q_home[None].copy(), attempts=1000)
    assert report[0, ATTEMPTS] == 31  # the given start, then every sample


def test_certainly_unreachable_targets_get_four_attempts() -> None:
    far = X[:1].copy()
    far[:, :3, 3] = 5.0, 0.0, 0.0
    _, q, report = search(target=twelve(far), attempts=1000, reach=1.3)
    assert report[0, ATTEMPTS] == 4
    assert report[0, SOLVED] == 0
    assert np.isfinite(q).all()


def test_a_given_start_comes_first() -> None:
    _, q, report = search(q0=GOALS + 1e-4, attempts=1)
    assert (report[:, SOLVED] == 1).all()
    assert np.abs(q - GOALS).max() < 0.05


def test_whole_turns_are_taken_off() -> None:
    """Newton knows no limits: a solution that is a turn away from an allowed one is that one."""
    model = carpal.load("catcher_arm")
    goal = 0.5 * (np.maximum(model.q_min, -3.0) + np.minimum(model.q_max, 3.0)) + 0.2
    target = twelve(carpal.fk(model, goal)[None])
    turned = goal[None] + 2 * np.pi * np.array([1, 0, -1, 0, 2, 0])
    bad, q, report = search(model, target, turned, method=NEWTON, attempts=1)
    assert bad == 0 and report[0, SOLVED] == 1
    assert ((q >= model.q_min) & (q <= model.q_max)).all()
    assert np.abs(carpal.fk(model, q[0]) - carpal.fk(model, goal)).max() < 2e-6
    _, free, report = search(model, target, turned, method=NEWTON, attempts=1, limited=0)
    assert report[0, SOLVED] == 1
    assert np.abs(free - turned).max() < 1e-9  # without limits the joints stay where they are


def test_a_solution_outside_the_limits_is_none() -> None:
    model = carpal.load("catcher_arm")
    tight = model.replace(
        bodies=tuple(type(body)(body.name, body.parent, narrowed(body.joint), body.inertia) for body in model.bodies),
        q_home=np.zeros(6),
    )
    goal = np.full(6, 0.4)
    _, _, report = search(tight, twelve(carpal.fk(model, goal)[None]), goal[None] + 0.01, method=NEWTON, attempts=1)
    assert report[0, SOLVED] == 0
    assert report[0, POSITION_ERROR] <= 1e-6


def narrowed(joint):
    import dataclasses

    return dataclasses.replace(joint, q_min=-0.1, q_max=0.1) if joint.kind == "revolute" else joint


@pytest.mark.parametrize("spoil", ["NaN target", "NaN start", "no rotation", "reflection"])
def test_bad_worlds_are_named(spoil: str) -> None:
    target, q0 = twelve(X), GOALS.copy()
    if spoil == "NaN target":
        target[5, 11] = np.nan
    elif spoil == "NaN start":
        q0[5, 0] = np.inf
    elif spoil == "no rotation":
        target[5, 0] += 1e-5
    else:
        target[5, :3] *= -1.0
    bad, _, report = search(target=target, q0=q0)
    assert bad == 6
    assert (np.delete(report[:, SOLVED], 5) == 1).all()

"""Starts: nearest first, none twice, only the chain's joints, and a distance that orders like the true one."""

import numpy as np
import pytest
from ik_inputs import SLOT, WORLD, arm_of, numbers, twelve
from random_models import random_chain

import carpal
from carpal.kinematics import random_configurations
from carpal.kinematics.inverse.kernels.ik_starts import next_start, rough_distance
from carpal.kinematics.inverse.kernels.ik_task import POINTING, POSE, POSITION_ONLY, Goal

ARM = carpal.load("sawyer")
SAMPLES = random_configurations(ARM, 40, seed=1)
POSES = twelve(carpal.fk(ARM, SAMPLES))
GOAL = carpal.fk(ARM, random_configurations(ARM, 1, seed=2)[0])


def asked(task: int) -> Goal:
    target = np.full((2, 12), np.nan)
    target[WORLD] = twelve(GOAL)
    if task == POINTING:
        target[WORLD, :9] = [*(GOAL[:3, :3] @ ARM.tool_axis), *[np.nan] * 6]  # what it must not read
    return Goal(task, numbers(ARM), target)


def true_distances(task: int) -> np.ndarray:
    X = carpal.fk(ARM, SAMPLES)
    d = np.sum((X - GOAL)[:, :3, 3] ** 2, axis=-1)
    if task == POSE:  # |R - R'|^2 = 4 (1 - cos angle)
        d = d + 0.04 * np.sum((X - GOAL)[:, :3, :3] ** 2, axis=(-1, -2))
    elif task == POINTING:
        d = d + 0.04 * np.sum(((X - GOAL)[:, :3, :3] @ ARM.tool_axis) ** 2, axis=-1)
    return d


@pytest.mark.parametrize("task", [POSE, POSITION_ONLY, POINTING], ids=["pose", "point", "pointing"])
def test_the_distance_is_the_chord_s(task: int) -> None:
    """2 (1 - cos) of the angle between two directions is their chord squared; of a pose the sum over its three axes."""
    goal, expected = asked(task), true_distances(task)
    got = [rough_distance(goal, POSES, s, WORLD) for s in range(40)]
    assert np.abs(got - expected).max() < 1e-13


@pytest.mark.parametrize("task", [POSE, POSITION_ONLY, POINTING], ids=["pose", "point", "pointing"])
def test_all_samples_come_once_nearest_first(task: int) -> None:
    arm, goal, q = arm_of(ARM), asked(task), np.full((2, 7), np.nan)
    order, distance, index = [], -1.0, -1
    for _ in range(40):
        distance, index = next_start(arm, goal, SAMPLES, POSES, q, WORLD, SLOT, distance, index)
        order.append(index)
        assert np.array_equal(q[SLOT], SAMPLES[index])
    assert order == list(np.argsort(true_distances(task), kind="stable"))
    assert next_start(arm, goal, SAMPLES, POSES, q, WORLD, SLOT, distance, index)[1] == -1
    assert np.isnan(q[0]).all()


def test_equal_distances_are_not_skipped() -> None:
    """Two samples with the very same pose are two starts."""
    arm, goal, q = arm_of(ARM), asked(POSE), np.empty((2, 7))
    samples, poses = np.concatenate([SAMPLES[:3]] * 2), np.concatenate([POSES[:3]] * 2)
    seen, distance, index = [], -1.0, -1
    for _ in range(6):
        distance, index = next_start(arm, goal, samples, poses, q, WORLD, SLOT, distance, index)
        seen.append(index)
    assert sorted(seen) == list(range(6))


def test_joints_off_the_chain_are_left_alone() -> None:
    model = random_chain(2, 6, kinds=("revolute", "ball"))
    frame = model.bodies[3].name
    chain = arm_of(model, frame)
    samples = random_configurations(model, 4, seed=3)
    poses = twelve(carpal.fk(model, samples, frame))
    target = np.tile(twelve(np.eye(4)), (2, 1))
    q = np.full((2, model.nq), 7.0)
    _, index = next_start(chain, Goal(POSE, numbers(model), target), samples, poses, q, WORLD, SLOT, -1.0, -1)
    on_chain = np.zeros(model.nq, bool)
    for body in chain.chain:
        kind, _, first, _ = model.tables.joints[body]
        on_chain[first : first + {1: 1, 2: 1, 3: 4, 4: 7}[int(kind)]] = True
    assert 0 < on_chain.sum() < model.nq
    assert np.array_equal(q[SLOT, on_chain], samples[index, on_chain])
    assert (q[SLOT, ~on_chain] == 7.0).all()

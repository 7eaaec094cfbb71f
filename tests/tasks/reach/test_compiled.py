"""The compiled run loop and the Python policy loop are the same run, bit for bit."""

from dataclasses import replace

import numpy as np
import pytest

import carpal
from carpal.tasks import make_task
from carpal.tasks.reach.compiled import reference, run_compiled

ARMS = [
    {},
    {"duration": 0.3},
    {"robot": "srs7", "inertia": "assumed", "spread": 0.3},
    {"robot": "so101_old", "target": (0.1, -0.25, 0.2)},
]


@pytest.mark.parametrize("options", ARMS, ids=lambda options: options.get("robot", "sawyer"))
def test_both_loops_give_the_same_bits(options, figure):
    task = make_task("reach", **{"duration": 1.0, **options})
    compiled = run_compiled(task, [4, 9])
    for world, seed in enumerate((4, 9)):
        recording = task.run(seed).recording
        assert np.array_equal(compiled.time, recording.time)
        pairs = [(compiled.q, recording.q), (compiled.v, recording.v), (compiled.u, recording.u)]
        pairs += [(compiled.residual, recording.energy["residual"])]
        differences = [np.abs(ours[world] - theirs).max() for ours, theirs in pairs]
        figure("reach: compiled loop against policy loop, largest difference", max(differences), 0.0)


def _rubbing(folder, **joint):
    """A task with so101 whose joints have more damping, friction or springs."""
    arm = carpal.load("so101_old")
    bodies = [replace(body, joint=replace(body.joint, **joint)) for body in arm.bodies]
    (folder / "arm.xml").write_text(arm.replace(bodies=tuple(bodies)).to_mjcf())
    return make_task("reach", robot=str(folder / "arm.xml"), target=(0.1, -0.25, 0.2), duration=0.5)


def test_a_robot_with_damping_and_friction(tmp_path):
    task = _rubbing(tmp_path, damping=0.01, friction=0.0005)
    assert not task.only_step_by_step
    recording = task.run(1).recording
    assert recording.metadata["integrator"] == "rk4" and recording.energy["dissipated"][-1] > 1e-4
    assert np.array_equal(run_compiled(task, [1]).residual[0], recording.energy["residual"])


def test_stiff_joints_run_step_by_step(tmp_path):
    task = _rubbing(tmp_path, damping=0.05, friction=0.02)
    assert task.run(1).recording.metadata["integrator"] == "implicit"
    assert "general step" in task.only_step_by_step
    with pytest.raises(carpal.errors.InputError, match="needs the general step of the rigid engine"):
        run_compiled(task, [1])


def test_the_scores_are_the_same_too():
    task = make_task("reach", duration=1.0)
    assert task.score_seeds([3])[0] == task.run(3).score


def test_alone_or_among_many_worlds():
    task = make_task("reach", duration=0.2)
    alone, many = run_compiled(task, [7]), run_compiled(task, range(12), threads=2)
    assert np.array_equal(alone.q[0], many.q[7]) and np.array_equal(alone.residual[0], many.residual[7])


def test_a_world_that_diverges_says_why_and_spares_the_others():
    task = make_task("reach", robot="srs7", inertia="assumed", stiffness=900.0, spread=0.4)
    seeds = range(8)
    run = run_compiled(task, seeds)
    lost = [seed for seed in seeds if run.done[seed] < 3000]
    assert 0 < len(lost) < 8, lost
    scores = task.score_seeds(seeds)
    for seed, score in enumerate(scores):
        if seed in lost:
            assert not score and "diverged" in score.status and "try dt" in score.status
        else:
            assert "position_error_m" in score.numbers


def test_the_reference_is_at_rest_at_both_ends():
    start, goal = np.zeros(2), np.array([1.0, -2.0])
    for time, part in ((0.0, 0.0), (1.0, 0.5), (2.0, 1.0), (5.0, 1.0)):
        q, v, _ = reference(start, goal, 2.0, time)
        assert np.allclose(q, part * goal, atol=1e-15)
        assert np.allclose(v, 0.0 if part != 0.5 else goal * 1.875 / 2.0, atol=1e-15)

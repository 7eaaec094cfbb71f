"""The compiled run loop and the Python policy loop are the same run, bit for bit."""

import numpy as np
import pytest

from carpal.labs.mount.compiled import run_compiled
from carpal.tasks import make_task

NOISE = {"sensor_noise": 1e-5, "sensor_step": 1e-6, "delay": 2e-3, "command_noise": 1e-3, "torque_step": 1e-3}
RUNS = {
    "free": {"case": 1},
    "open": {"case": 3, "control": "open", "mass_spread": 0.1},
    "closed": {"case": 2, "control": "closed", "pulse": "default", "torque_max": 1.0, **NOISE},
    "measured": {"case": 4, "control": "open", "disturbance": "measured", "encoder_noise": 1e-6, "encoder_step": 1e-6},
    "felt": {"case": 2, "control": "closed", "feedback": "accelerometer", "sensor_noise": 1e-3, "sensor_bias": 1e-2},
    "torque": {"case": 3, "control": "open", "drive": "torque", "joint_damping": 0.5, "joint_friction": 0.3,
               "worn_joint": 2, "worn_rate": 2.0},
    "cables": {"case": 2, "control": "closed", "cable_stiffness": 4e4, "cable_damping": 20.0, "pulley_inertia": 1e-4,
               "table_mass": 5.0, "pulse": "default"},
    "floating": {"case": 2, "base": "floating"},
}  # fmt: skip


@pytest.mark.parametrize("kind", RUNS)
def test_both_loops_give_the_same_bits(kind, figure):
    task = make_task("mount", duration=0.25, **RUNS[kind])
    compiled = run_compiled(task, [4, 9])
    recording = task.run(9).recording
    assert np.array_equal(compiled.time, recording.time)
    pairs = [(compiled.q, recording.q), (compiled.v, recording.v), (compiled.residual, recording.energy["residual"])]
    differences = [np.abs(ours[1] - theirs).max() for ours, theirs in pairs]
    differences.append(np.abs(compiled.u[1][:-1] - recording.u[:-1]).max())
    figure(f"mount: compiled loop against policy loop, {kind}: largest difference", max(differences), 0.0)


def test_alone_or_among_many_and_seeds_differ():
    task = make_task("mount", duration=0.1, **RUNS["closed"])
    alone, many = run_compiled(task, [7]), run_compiled(task, range(9), threads=2)
    assert np.array_equal(alone.q[0], many.q[7]) and not np.array_equal(many.q[6], many.q[7])


def test_a_world_that_diverges_is_counted():
    task = make_task("mount", case=2, control="closed", bandwidth=5000.0, pulse="default", duration=0.3)
    run = run_compiled(task, [0])
    assert run.done[0] < run.steps
    score = task.score_seeds([0])[0]
    assert not score and "diverged" in score.status

"""The numbers and the sentence of a run."""

import numpy as np

from carpal.labs.mount.score import external_forces, score_run, tensions_of, torques_of
from carpal.tasks import make_task

KEYS = {
    "reached_m", "duration_s", "shift_m", "peak_displacement_m", "final_displacement_m", "final_speed_m_s", "cm_drift_m",
    "peak_force_N", "peak_torque_Nm", "settling_s",
}  # fmt: skip


def test_every_number_that_was_asked_for():
    task = make_task("mount", case=2, control="closed", pulse="default")
    score = task.score_seeds([0])[0]
    assert score and score.numbers.keys() >= KEYS
    told = task.summary(score)
    assert (told["case"], told["control"], told["law"]) == (2, "closed", "exact") and told.keys() >= KEYS
    assert "less than a nanometre" in score.status
    assert score.numbers["pid_gains"] == [task.gains.kp, task.gains.ki, task.gains.kd]
    assert score.numbers["damping_factor"] == 0.1
    assert make_task("mount", joints=(0.0,) * 7).summary(score)["case"] is None


def test_a_table_that_drifts_off_is_not_done():
    score = make_task("mount", case=2, control="open", pulse="default").score_seeds([0])[0]
    assert not score and "are allowed" in score.status
    late = make_task("mount", case=2, duration=0.4).score_seeds([0])[0]
    assert not late and "missed its target" in late.status and np.isnan(late.numbers["settling_s"])


def test_forces_from_outside_are_no_torques():
    task = make_task("mount", case=2, pulse="default")
    time = np.array([0.0, 0.05, 0.2])
    assert np.array_equal(external_forces(task.pulses, time, 1e-3), [[0, 0], [50, 150], [0, 0]])
    u = np.zeros((3, 9))
    u[1, :2] = 50, 150
    assert not torques_of(task, time, u).any()
    u[2, :2] = 10.0, 0.0  # pulley 6 pulls, pulley 5 gives way: 5 N on each of its two sides
    tension = tensions_of(task, time, np.zeros((3, 9)), np.zeros((3, 9)), u)
    assert np.allclose(tension[2], [97.5, 102.5, 102.5, 97.5]) and np.allclose(tension[1], 100.0)


def test_slack_cables_are_reported():
    numbers = make_task("mount", case=2, control="closed", pulse="default", pretension=10.0).score_seeds([0])[0].numbers
    assert numbers["slack"] and numbers["least_tension_N"] < 0


def test_settling_is_the_first_moment_after_the_last_excursion():
    task = make_task("mount", case=2, control="open")
    rows = np.arange(6)
    q, v = np.zeros((6, task.model.nq)), np.zeros((6, task.model.nv))
    q[:, 2:] = task.motion.q[rows]
    q[:, 0] = [0.0, 3e-6, 0.0, 2e-6, 9e-7, 0.0]  # away, back, away once more
    numbers = score_run(task, 0.1 * rows, q, v, np.zeros((6, task.model.nv)), np.zeros(6)).numbers
    assert numbers["settling_s"] == 0.4
    q[:, 0] = 0.0
    assert score_run(task, 0.1 * rows, q, v, np.zeros((6, task.model.nv)), np.zeros(6)).numbers["settling_s"] == 0.0

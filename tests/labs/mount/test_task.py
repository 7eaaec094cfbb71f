"""The mount as a whole: engines agree, seeds repeat, faults show."""

import numpy as np
import pytest

from carpal.tasks import make_task


def end(**options):
    return make_task("mount", **options).score_seeds([0])[0].numbers


def test_the_same_run_in_mujoco(figure):
    """Both engines get the same torques; with the same integrator they agree to the last digits."""
    common = {"case": 3, "drive": "torque", "duration": 0.5, "tolerance": 1.0}
    for control in ("none", "open", "closed"):
        ours, theirs = (
            make_task("mount", engine=engine, control=control, **common).run().recording
            for engine in ("rigid", "mujoco")
        )
        figure(
            f"mount: rigid against MuJoCo (rk4), control {control}: q [m, rad]", np.abs(ours.q - theirs.q).max(), 1e-8
        )


def test_mujoco_by_euler_comes_nearer_with_the_step(figure):
    def difference(dt):
        runs = [
            make_task("mount", case=2, drive="torque", duration=0.4, dt=dt, tolerance=1.0, **kind).run().recording
            for kind in ({"engine": "rigid"}, {"engine": "mujoco", "integrator": "euler"})
        ]
        return np.abs(runs[0].q[-1] - runs[1].q[-1]).max()

    coarse, fine = difference(2e-3), difference(1e-3)
    figure("mount: rigid against MuJoCo (euler, order 1): observed order", np.log2(coarse / fine), 0.9, at_least=True)


def test_a_floating_base_keeps_both_momenta(figure):
    from carpal.dynamics import angular_momentum, com

    task = make_task("mount", case=3, base="floating")
    recording = task.run().recording
    rows = slice(None, None, 50)
    drift = np.abs(com(task.model, recording.q[rows]) - com(task.model, recording.q[0])).max()
    spin = np.abs(angular_momentum(task.model, recording.q[rows], recording.v[rows])).max()
    figure("mount: floating base, travel of the whole centre of mass [m]", drift, 1e-8)
    figure("mount: floating base, angular momentum [kg m^2/s]", spin, 1e-7)
    assert abs(recording.q[-1, 3]) < 0.999  # the base has turned


def test_faults_show():
    calm = end(case=3, control="open")
    assert calm["peak_displacement_m"] < 1e-9
    assert end(case=3, control="open", dead_joint=2, dead_time=0.2)["final_displacement_m"] > 1e-2
    assert end(case=3, control="open", drive="torque", worn_joint=2, worn_rate=20.0)["peak_displacement_m"] > 1e-4
    friction = {"case": 3, "control": "open", "drive": "torque", "joint_friction": 1.0, "joint_damping": 1.0}
    assert end(**friction)["peak_displacement_m"] > 10 * end(**friction, friction_known=True)["peak_displacement_m"]
    assert end(case=2, control="open", torque_max=0.3)["final_displacement_m"] > 1e-3
    assert end(case=2, control="open", slip_torque=0.3)["final_displacement_m"] > 1e-3
    assert end(case=2, control="open", torque_step=0.01)["peak_displacement_m"] > 1e-6
    assert end(case=2, control="closed", feedback="accelerometer", sensor_bias=1e-3)["final_displacement_m"] > 1e-3
    assert end(case=2, control="open", table_friction=2.0)["peak_displacement_m"] < 1e-9  # it stands: nothing rubs
    assert end(case=2, table_friction=2.0, table_damping=5.0)["final_displacement_m"] < 0.36


def test_measured_joints_lag_a_little_behind_calculated_ones():
    calculated, measured = (end(case=3, control="open", disturbance=kind) for kind in ("calculated", "measured"))
    assert calculated["peak_displacement_m"] < 1e-9 < measured["peak_displacement_m"] < 1e-3


def test_a_tilted_table_is_held():
    tilted = {"case": 2, "tilt": 0.02, "tolerance": 1e-2}
    assert end(**tilted, control="open")["peak_displacement_m"] < 1e-9
    assert end(**tilted, control="none")["shift_m"][0] > 0.5


@pytest.mark.full
def test_reaction_aware_motion_arrives():
    plain = end(case=3, motion="quintic", move_time=1.5)
    aware = end(case=3, motion="reaction-aware", move_time=1.5)
    assert aware["reached_m"] < 1e-3 and aware["peak_force_N"] < 0.4 * plain["peak_force_N"]


def test_the_same_seed_the_same_bits():
    task = make_task("mount", case=2, control="closed", mass_spread=0.1, sensor_noise=1e-5, duration=1.5)
    scores = task.score_seeds([5, 6])
    assert scores[0] == task.score_seeds([5])[0] == task.run(5).score
    assert scores[0].numbers != scores[1].numbers


@pytest.mark.parametrize("count", [20, pytest.param(1000, marks=pytest.mark.full)])
def test_percentiles_with_wrong_masses_and_noise(count, figure):
    task = make_task("mount", case=3, control="closed", pulse="default", mass_spread=0.1, sensor_noise=1e-5,
                     sensor_step=1e-6, command_noise=1e-3)  # fmt: skip
    rows = [score.numbers for score in task.score_seeds(range(count))]
    peak = np.array([row["peak_displacement_m"] for row in rows])
    final = np.array([row["final_displacement_m"] for row in rows])
    for share in (5, 50, 95):
        figure(f"mount: {count} seeds, masses to 10 %, noise: peak displacement, {share} % of them below [m]",
               np.percentile(peak, share), 5e-3)  # fmt: skip
        figure(f"mount: {count} seeds, masses to 10 %, noise: final displacement, {share} % of them below [m]",
               np.percentile(final, share), 1e-4)  # fmt: skip

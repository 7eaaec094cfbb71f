"""Thesis 5's acceptance figures: free table, pulses, open and closed loop, the printed law's drift, table masses."""

import numpy as np
import pytest

import carpal
from carpal.dynamics import com
from carpal.labs.mount.compiled import run_compiled
from carpal.tasks import make_task

SHIFTS = {1: (0.194, 0.0), 2: (0.316, -0.175)}
MASS = 20.7345


def run(**options):
    task = make_task("mount", **options)
    return task, run_compiled(task, [0])


@pytest.mark.parametrize("robot", ["sawyer", "sawyer_dh"])
@pytest.mark.parametrize("case", [1, 2, 3, 4])
def test_a_free_table_shifts_by_what_the_centre_of_mass_moves(case, robot, figure):
    task, free = run(case=case, robot=robot)
    p, v = free.q[0, :, :2], free.v[0, :, :2]
    what = f"mount: case {case}, {robot}, free table"
    if case in SHIFTS:
        figure(f"{what}: shift against the sheet's [m]", np.abs(p[-1] - SHIFTS[case]).max(), 1e-3)
    figure(f"{what}: end speed [m/s]", np.linalg.norm(v[-1]), 1e-9)
    whole = com(task.model, free.q[0])[:, :2]
    figure(f"{what}: travel of the whole centre of mass [m]", np.abs(whole - whole[0]).max(), 1e-9)
    arm = carpal.load(robot)  # independent: the arm alone, on a mount that stands
    moved = (com(arm, free.q[0, 0, 2:]) - com(arm, free.q[0, -1, 2:]))[:2]
    figure(f"{what}: shift against minus the arm's own centre of mass [m]", np.abs(p[-1] - moved).max(), 1e-9)


@pytest.mark.parametrize(("case", "damping", "shift"), [
    (3, 0.1, (0.171, -0.124)), (3, 0.5, (0.152, -0.104)), (3, 1.0, (0.113, -0.117)),
    (4, 0.1, (0.026, 0.033)), (4, 0.5, (0.025, 0.034)), (4, 1.0, (0.028, 0.024)),
])  # fmt: skip
def test_the_damping_factor_decides_the_shift_of_cases_3_and_4(case, damping, shift, figure):
    task = make_task("mount", case=case, damping=damping, gain="unlimited", robot="sawyer_dh", duration=3.0)
    moved = (com(task.arm, task.motion.q[0]) - com(task.arm, task.motion.q[-1]))[:2]
    figure(f"mount: case {case}, a = {damping}, thesis's gain: shift against the sheet's [m]",
           np.abs(moved - shift).max(), 2.5e-3)  # fmt: skip


@pytest.mark.parametrize("extra", [5.0, 60.86])
def test_a_heavy_table_moves_less(extra, figure):
    free, heavy = (run(case=2, table_mass=mass)[1].q[0, -1, :2] for mass in (0.0, extra))
    error = np.abs(heavy - free * MASS / (MASS + extra)).max()
    figure(f"mount: a table of {extra} kg scales the shift, error [m]", error, 1e-9)


def test_pulses_on_a_locked_arm(figure):
    _, pushed = run(joints=(0.0,) * 7, pulse="default")
    x, y = pushed.q[0, 2000, :2]
    figure("mount: locked arm, 50 N on x: travel at 2 s against 0.232 m [m]", abs(x - 0.232), 1e-3)
    figure("mount: locked arm, 150 N on y: travel at 2 s against 0.696 m [m]", abs(y - 0.696), 1e-3)
    assert y / x == pytest.approx(3.0, rel=1e-9)


@pytest.mark.parametrize("case", [1, 2, 3, 4])
def test_open_loop_with_a_perfect_model(case, figure):
    _, held = run(case=case, control="open")
    figure(f"mount: case {case}, open loop: largest displacement [m]", np.abs(held.q[0, :, :2]).max(), 1e-9)
    _, printed = run(case=case, control="open", law="printed")
    drift = np.linalg.norm(printed.q[0, -1, :2])
    figure(f"mount: case {case}, open loop by the printed law: drift at 3 s [m]", drift, 1e-6, at_least=True)


def test_drift_grows_linearly_with_the_mass_error(figure):
    ends = [np.linalg.norm(run(case=3, control="open", mass_error=e)[1].q[0, -1, :2]) for e in (1e-3, 1e-2, 1e-1)]
    for error, end in zip((1e-3, 1e-2, 1e-1), ends, strict=True):
        figure(f"mount: case 3, open loop, masses {100 * error:g} % wrong: drift over error [m], against that of 0.1 %",
               abs(end / error / (ends[0] / 1e-3) - 1), 1e-6, note=f"drift {end:.3e} m")  # fmt: skip


@pytest.mark.parametrize("case", [1, 2, 3, 4])
def test_closed_loop_with_pulses(case, figure):
    task, closed = run(case=case, control="closed", pulse="default")
    p, v = np.linalg.norm(closed.q[0, :, :2], axis=1), np.linalg.norm(closed.v[0, :, :2], axis=1)
    numbers = task.score_seeds([0])[0].numbers
    what = f"mount: case {case}, closed loop with pulses"
    note = f"peak {numbers['peak_displacement_m']:.4g} m, settles at {numbers['settling_s']:.3f} s, peak torque {numbers['peak_torque_Nm']:.3g} N m"  # noqa: E501
    figure(f"{what}: displacement from 1.5 s after the pulses on [m]", p[1600:].max(), 1e-6, note=note)
    figure(f"{what}: speed from 1.5 s after the pulses on [m/s]", v[1600:].max(), 1e-6)


def test_a_constant_push_leaves_no_steady_error(figure):
    _, pushed = run(case=2, control="closed", push=(5.0, 0.0))
    assert np.abs(pushed.q[0, :, 0]).max() > 1e-5
    figure("mount: closed loop, constant 5 N: displacement at the end [m]", np.abs(pushed.q[0, -1, :2]).max(), 1e-9)

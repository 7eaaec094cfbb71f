"""Long runs: there and back without a step, one row a second, kept when interrupted."""

import numpy as np
import pytest

from carpal.labs.mount import endurance
from carpal.tasks import make_task


def test_there_and_back_closes():
    task = make_task("mount", case=3, endurance=10.0)
    motion = task.motion
    assert np.abs(motion.q[0] - motion.q[-1]).max() < 1e-12
    assert motion.broken_limit(task.arm, 10.0) is None


def test_rows_are_a_second_apart_and_the_ledger_is_closed():
    result = make_task("mount", case=2, endurance=130.5, control="closed", mass_error=0.01).run()
    assert result, result.status
    time = result.recording.time
    assert np.allclose(time, [*range(131), 130.5])
    assert np.abs(result.recording.energy["residual"]).max() < 1e-6


def test_open_loop_drifts_and_closed_loop_does_not(figure):
    ends = [
        make_task("mount", case=2, endurance=60.0, control=control, mass_error=0.01).run().score.numbers
        for control in ("open", "closed")
    ]
    assert ends[0]["peak_displacement_m"] > 2e-3
    figure("mount: 60 s of repeated moves, 1 % mass error, closed loop: peak [m]", ends[1]["peak_displacement_m"], 5e-4)


def test_ctrl_c_keeps_what_was_done(monkeypatch, tmp_path):
    task = make_task("mount", case=2, endurance=200.0)
    calls = []

    def run_segment(*arguments, **options):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return original(*arguments, **options)

    original = endurance.run_segment
    monkeypatch.setattr(endurance, "run_segment", run_segment)
    result = task.run(out=tmp_path)
    assert result.interrupted and len(result.recording.time) == 61
    assert (tmp_path / "recording.parquet").exists()


@pytest.mark.full
@pytest.mark.parametrize("control", ["open", "closed"])
def test_one_hour(control, figure):
    numbers = make_task("mount", case=3, endurance=3600.0, control=control, mass_error=0.001, sensor_noise=1e-5,
                        command_noise=1e-4).run().score.numbers  # fmt: skip
    what = f"mount: one hour of repeated moves, masses 0.1 % wrong, torque noise 1e-4 N m, {control} loop: largest drift [m]"
    drift = numbers["peak_displacement_m"]
    figure(what, drift, 1e-2, at_least=True) if control == "open" else figure(what, drift, 2e-4)

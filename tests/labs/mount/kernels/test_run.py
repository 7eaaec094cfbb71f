"""The run loop writes every so many rows and the last, and counts good steps."""

import numpy as np

from carpal.labs.mount.compiled import run_compiled, run_segment
from carpal.labs.mount.kernels.run import MountRows, write_row
from carpal.tasks import make_task


def test_write_row_fills_one_row() -> None:
    source = [np.arange(n, dtype=float)[None] for n in (3, 2, 6, 2)]
    out = [np.zeros((2, 4, n)) for n in (3, 2, 2, 2)]
    write_row(*source, MountRows(*out, np.zeros((2, 1)), np.zeros((2, 1))), 1, 2, 0)
    for there, n in zip(out, (3, 2, 2, 2), strict=True):
        assert np.array_equal(there[1, 2], np.arange(n)) and np.abs(there).sum() == np.arange(n).sum()


def test_fewer_rows_are_rows_of_the_whole() -> None:
    task = make_task("mount", case=2, control="closed", pulse="default", sensor_noise=1e-5, duration=0.2)
    whole, thin = run_compiled(task, [3]), run_compiled(task, [3], every=60)
    assert np.allclose(thin.time, [0.0, 0.06, 0.12, 0.18, 0.2], rtol=1e-15)
    assert np.array_equal(thin.q[0], whole.q[0][[0, 60, 120, 180, 200]])
    assert thin.done[0] == thin.steps == 200


def test_segments_are_the_whole_run_bit_for_bit() -> None:
    task = make_task("mount", case=2, control="closed", pulse="default", sensor_noise=1e-5, delay=3e-3, duration=0.2)
    whole = run_compiled(task, [3, 5])
    first, segment = run_segment(task, [3, 5], None, 70)
    second, segment = run_segment(task, [3, 5], segment, 130)
    assert segment.period == 200
    assert np.array_equal(np.concatenate([first.q, second.q[:, 1:]], axis=1), whole.q)
    assert np.allclose(np.concatenate([first.time, second.time[1:]]), whole.time)


def test_the_motion_begins_again() -> None:
    task = make_task("mount", case=2, duration=0.1)
    long, _ = run_segment(task, [0], None, 150)
    assert np.allclose(long.v[0, 120, 2] - long.v[0, 119, 2], 1e-3 * task.motion.vdot[19, 0])

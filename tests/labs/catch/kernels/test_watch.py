"""What a run keeps of itself equals what its recording says."""

import numpy as np
from catch_inputs import caught_recording

from carpal.kinematics import fk
from carpal.labs.catch import ball_in_hand
from carpal.labs.catch.compiled import CompiledCatch
from carpal.labs.catch.kernels import watch as w
from carpal.labs.catch.series import series_of
from carpal.model import load


def test_errors_are_those_of_the_measured_joints(figure):
    _, recording = caught_recording()
    watch = np.array(recording.metadata["catch"]["watch"])
    arm = load("catcher_arm")
    X, X_W = fk(arm, series_of(recording, "measured")), fk(arm, series_of(recording, "wanted"))
    far = np.linalg.norm(X[:, :3, 3] - X_W[:, :3, 3], axis=1)
    figure("catch: largest position error, in the loop against the recording [m]", abs(far.max() - watch[w.FAR]), 1e-6)
    mean = far[recording.time[: len(far)] <= 2.2].mean()
    figure(
        "catch: mean position error, in the loop against the recording [m]",
        abs(mean - watch[w.FAR_SUM] / watch[w.SAMPLES]),
        1e-6,
    )
    peaks = np.abs(series_of(recording, "torque")).max(0)
    assert (watch[w.PEAK : w.PEAK + 6] >= peaks - 1e-4).all()  # every step is watched, every 50th recorded


def test_the_ball_is_looked_at_in_the_hand_frame(figure):
    task, recording = caught_recording()
    watch = np.array(recording.metadata["catch"]["watch"])
    mechanism = CompiledCatch(task.numbers()).mechanism
    row = int(np.argmin(np.abs(recording.time - 1.0)))
    there = ball_in_hand(mechanism, recording.q[row])
    figure(
        "catch: ball in the hand at 1.0 s, in the loop against the recording [m]",
        np.abs(there - watch[w.CHECKED : w.CHECKED + 3]).max(),
        1e-12,
    )
    first = next(t for t, met in zip(recording.time, recording.contacts, strict=True) if met)
    assert 0 <= first - watch[w.TOUCHED] < 2e-3

"""Yesmunt's figures of one catch: drawn from what was recorded, and true to it."""

import numpy as np
import pytest
from catch_inputs import recorded_catch

from carpal.labs.catch import figures
from carpal.labs.catch.series import series_of
from carpal.tasks import make_task


@pytest.fixture(scope="module")
def run():
    return recorded_catch()


@pytest.fixture(scope="module")
def mechanism():
    return make_task("catch").compiled(1.0, 1.0).mechanism


def test_stills_are_at_the_thesis_moments(run):
    found = figures.moments(run.recording)
    assert [t for t, _ in found] == list(figures.STILLS)
    assert max(abs(t - ours) for t, ours in found) < 1e-3  # the default throw is the thesis's
    section = figures.stills_section(make_task("catch"), run.recording)
    times = np.array([float(still.title.partition(" ")[0]) for still in section.stills])
    rows = [int(np.argmin(np.abs(run.recording.time - t))) for t in times]
    np.testing.assert_allclose(times, [ours for _, ours in found], atol=1e-3)
    for still, row, t in zip(section.stills, rows, times, strict=True):
        assert abs(run.recording.time[row] - t) < 1e-6
        np.testing.assert_array_equal(still.q, run.recording.q[row])
    said = [still.title.partition(": ")[2] for still in section.stills]
    assert said[0] == "before the catch, ball in flight" and said[1].startswith("the catch, ball touched by palm")
    assert said[-2].startswith("the arm moves on, ball touched by ") and said[-1] == "the hand is open, ball in flight"
    ball = np.array([still.q[-7:-4] for still in section.stills])
    assert ball[0, 2] < ball[1, 2] and ball[-1, 1] < ball[-2, 1]  # it flies, and it falls


def test_the_profiles_differ_by_the_errors_that_the_run_itself_has_kept(run, figure):
    torque, far, turn, *_ = figures.motion_curves(run.recording)
    wanted, measured = figures.profiles(run.recording, far.time)
    apart = 1e3 * np.linalg.norm(measured[:, 3:] - wanted[:, 3:], axis=1)
    figure(
        "position error from the report's own profiles, difference [mm]", np.abs(apart - far.values[:, 0]).max(), 2e-3,
        note="angles are kept to 7 digits: 6 joints, 5e-7 rad, 0.6 m",
    )  # fmt: skip
    angle = np.degrees(np.abs(measured[:, :3] - wanted[:, :3]).max(1))
    assert np.abs(angle - turn.values[:, 0]).max() < 2e-4
    assert np.abs(torque.values).max() <= max(run.score.numbers["peak_torque_Nm"]) * (1 + 1e-6)
    assert far.values.max() == pytest.approx(run.score.numbers["max_position_error_mm"], rel=1e-5)


def test_contact_forces_are_the_balls_own(run, figure):
    forces, recording = figures.contact_forces(run.recording), run.recording
    touch, opened = run.score.numbers["first_touch_s"], recording.metadata["catch"]["open_time"]
    assert not forces[recording.time < touch - 1e-3].any()
    palm, bottom = forces[:, figures.PLACES.index("palm")], forces[:, figures.PLACES.index("bin")]
    assert palm.max() > 100 and not bottom[recording.time < opened].any() and bottom.max() > 1
    end = recording.time > recording.time[-1] - 0.05  # at rest the bin carries the weight
    figure(
        "force of the bin on the resting ball against its weight, relative",
        abs(bottom[end].mean() / (0.12 * 9.81) - 1),
        0.2,
    )


def test_the_hand_closes_in_time_and_crosses_no_toggle(run, mechanism, figure):
    section = figures.hand_section(mechanism, run.recording)
    closing = [float(row[1].split()[0]) for row in section.rows]
    figure("slowest digit of the default catch, signal to 90 % [ms]", max(closing), 120, note="ramp of 20 ms, E24")
    margin = next(c for c in section.curves if c.key == "catch.toggle").values.min()
    figure("least angle from a toggle in the default catch [deg]", margin, 5, at_least=True)
    assert "no digit crosses one" in section.text


def test_joint_gaps_are_those_that_the_run_watched(run, mechanism):
    widest = 1e3 * figures.joint_gaps(mechanism, run.recording.q).max()
    watched = run.score.numbers["widest_joint_gap_mm"]  # of every step, the stops of the fingers among them
    assert 0.01 < widest < watched * (1 + 1e-6)


def test_a_comparison_that_cannot_run_loses_its_section_alone(run, monkeypatch):
    from carpal.errors import InputError

    def refuse(*_):
        raise InputError("too long a step.")

    monkeypatch.setattr(figures, "torque_section", refuse)
    sections = figures.figures_of(make_task("catch", appendix=True), run.recording)
    assert [s.title for s in sections[:3]] == ["Stills", "Profiles, errors and torques", "Hand and ball"]
    assert sections[3].text == "The comparison could not be run: too long a step."


def test_the_comparison_is_simulated_only_with_the_option_appendix(run, monkeypatch):
    monkeypatch.setattr(figures, "torque_section", lambda *_: figures.Appendix("simulated", ""))
    assert "--appendix" in figures.comparison_section(make_task("catch"), run.recording).text
    assert figures.comparison_section(make_task("catch", appendix=True), run.recording).title == "simulated"


def test_the_studio_gets_whole_curves_only(run):
    found = make_task("catch").curves(run.recording)
    assert [c.key for c in found] == ["catch.torque", "catch.far", "catch.turn", "catch.angles", "catch.places"]
    assert all(len(c.time) == len(series_of(run.recording, "torque")) for c in found)

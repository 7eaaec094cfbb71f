"""The run loop: what is recorded, what ends it, and that nothing is lost when a policy goes wrong."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

import carpal
from carpal.control import GravityPD
from carpal.dynamics import mass_matrix
from carpal.engines import MuJoCoEngine, Recording, RigidEngine, simulate
from carpal.errors import DivergedError, InputError, PolicyError
from carpal.model import Plane, Scene, Sphere, State

MODEL = carpal.load("so101_old")
HOME = State.home(MODEL)


def engine(**options) -> RigidEngine:
    return RigidEngine(MODEL, dt=0.01, **options)


def law() -> GravityPD:
    """Every joint like a mass on a spring of 10 rad/s."""
    felt = np.diag(mass_matrix(MODEL, MODEL.q_home))
    return GravityPD(MODEL, 100 * felt, 20 * felt, MODEL.q_home + 0.3)


def test_rows_times_and_controls() -> None:
    seen = []

    def policy(time: float, state: State) -> np.ndarray:
        seen.append(time)
        return np.full(5, 1e-5 * time)

    start = HOME.replace(time=2.0)
    rec = simulate(engine(), start, policy, 0.1, seed=7, options={"gain": 3.0})
    assert rec.ok and not rec.interrupted and len(rec) == 11
    assert rec.time.tolist() == [2.0 + 0.01 * k for k in range(11)] and seen == rec.time[:-1].tolist()
    assert np.array_equal(rec.u[:-1, 0], 1e-5 * rec.time[:-1]) and np.array_equal(rec.u[-1], rec.u[-2])
    state = start
    for k in range(11):
        assert np.array_equal(rec.q[k], state.q) and np.array_equal(rec.v[k], state.v)
        state = engine().step(state, rec.u[k])
    kept = rec.metadata
    assert (kept["seed"], kept["engine"], kept["dt"], kept["integrator"]) == (7, "rigid", 0.01, "rk4")
    assert kept["options"] == {"gain": 3.0}
    assert kept["engine_options"] == {"prescribed": [], "damping": True, "friction_speed": 0.01, "device": "cpu"}


def test_every_keeps_the_first_and_the_last() -> None:
    rec = simulate(engine(), HOME, None, 0.1, every=4)
    assert rec.time.tolist() == pytest.approx([0, 0.04, 0.08, 0.1])
    whole = simulate(engine(), HOME, None, 0.1)
    assert np.array_equal(whole.q[-1], rec.q[-1])
    assert rec.energy["work_in"][-1] == whole.energy["work_in"][-1]
    assert len(simulate(engine(), HOME, None, 0.0)) == 1
    assert len(simulate(engine(), HOME, None, 0.095)) == 11  # rounded up to whole steps


def test_the_ledger_is_that_of_the_steps() -> None:
    bodies = [replace(body, joint=replace(body.joint, damping=1e-3)) for body in MODEL.bodies]
    damped = MODEL.replace(bodies=tuple(bodies))
    rec = simulate(RigidEngine(damped, dt=1e-3), HOME, law(), 0.2)
    assert abs(rec.energy["work_in"][-1]) > 1e-3 and rec.energy["dissipated"][-1] > 1e-4
    assert np.abs(rec.energy["residual"]).max() < 1e-9
    assert rec.energy["residual"][0] == 0.0


def test_the_same_run_twice_is_the_same_bytes(tmp_path) -> None:
    files = [simulate(engine(), HOME, law(), 0.2).save(tmp_path / f"{i}.parquet").read_bytes() for i in range(2)]
    assert files[0] == files[1]


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda: np.zeros(4), r"the policy returned shape \(4,\) at t = 0.05 s; u of model 'so101_old' must be \(5,\)"),
        (lambda: np.zeros((1, 5)), r"returned shape \(1, 5\)"),
        (lambda: [0, 0, np.nan, 0, 0], r"the policy returned u\[2\] = nan at t = 0.05 s; controls must be finite"),
        (lambda: [0, 0, 0, 0, -np.inf], r"u\[4\] = -inf"),
        (lambda: None, "the policy returned None at t = 0.05 s; u must be 5 real numbers"),
        (lambda: "abcde", "returned 'abcde'"),
        (lambda: [[1], [1, 2]], "rows of different lengths"),
        (lambda: np.zeros(5, complex), "5 real numbers"),
    ],
)
def test_a_bad_policy_is_told_and_nothing_is_lost(answer, says: str, tmp_path) -> None:
    def policy(time: float, state: State) -> object:
        return np.full(5, 1e-5) if time < 0.045 else answer()

    with pytest.raises(PolicyError, match=says) as caught:
        simulate(engine(), HOME, policy, 1.0, out=tmp_path / "run")
    assert "\n" not in str(caught.value)
    kept, loaded = caught.value.recording, Recording.load(tmp_path / "run")
    for rec in (kept, loaded):
        assert not rec.ok and len(rec) == 6 and rec.time[-1] == pytest.approx(0.05)
        assert rec.events[-1].name == "policy error" and str(caught.value) == rec.status


def test_a_policy_that_raises_leaves_its_record(tmp_path) -> None:
    def policy(time: float, state: State) -> np.ndarray:
        if time > 0.025:
            raise RuntimeError("no idea")
        return np.zeros(5)

    with pytest.raises(RuntimeError, match="no idea"):
        simulate(engine(), HOME, policy, 1.0, out=tmp_path / "run")
    rec = Recording.load(tmp_path / "run")
    assert not rec.ok and len(rec) == 4 and "RuntimeError" in rec.status


def test_divergence_keeps_the_record() -> None:
    with pytest.raises(DivergedError, match=r"the step at t = 0(\.\d+)? s diverged at joint 'wrist_roll'") as caught:
        simulate(engine(), HOME, lambda t, s: [0, 0, 0, 0, -3.0 * s.v[4] + 0.01], 1.0)
    rec = caught.value.recording
    assert 2 <= len(rec) <= 11 and np.isfinite(rec.q).all() and rec.events[-1].name == "diverged"


def test_ctrl_c_ends_cleanly(tmp_path) -> None:
    def policy(time: float, state: State) -> np.ndarray:
        if time > 0.055:
            raise KeyboardInterrupt
        return np.zeros(5)

    rec = simulate(engine(), HOME, policy, 1.0, out=tmp_path / "run")
    assert rec.interrupted and not rec.ok and len(rec) == 7
    assert Recording.load(tmp_path / "run").interrupted


def test_stop_ends_the_run_and_says_why() -> None:
    rec = simulate(engine(), HOME, None, 1.0, stop=lambda t, s: "far enough" if t > 0.035 else False)
    assert rec.ok and rec.time[-1] == pytest.approx(0.04)
    assert (rec.events[-1].name, rec.events[-1].text) == ("stopped", "far enough")
    assert len(simulate(engine(), HOME, None, 1.0, stop=lambda t, s: True)) == 1


def test_contacts_are_recorded() -> None:
    scene = Scene().add_fixed("floor", Plane()).add_object("ball", Sphere(0.1), mass=0.5, pose=[0, 0, 0.101])
    rec = simulate(MuJoCoEngine(scene.build()), scene.start(), None, 0.1, every=10)
    assert not rec.contacts[0] and rec.contacts[-1]
    assert rec.contacts[-1][0].b == "ball" and rec.contacts[-1][0].force[2] > 0


def test_a_bar_on_stderr_for_long_runs_only(monkeypatch, capsys) -> None:
    simulate(engine(), HOME, None, 0.05, progress=True)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    simulate(engine(), HOME, None, 0.05, progress=True)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("carpal._core.progress.QUIET_SECONDS", 0.0)
    simulate(engine(), HOME, lambda t, s: time.sleep(0.02) or np.zeros(5), 0.1, progress=True)
    heard = capsys.readouterr()
    assert "simulate" in heard.err and heard.out == ""


def test_bad_arguments_are_one_sentence() -> None:
    for match, call in [
        ("records one world", lambda: simulate(engine(), State.home(MODEL, batch=(2,)))),
        ("records one world", lambda: simulate(engine(), State(0.0, np.zeros(4), np.zeros(5)))),
        ("must be finite", lambda: simulate(engine(), HOME.replace(q=np.full(5, np.nan)))),
        ("duration must be a finite time", lambda: simulate(engine(), HOME, None, np.nan)),
        ("duration must be a finite time", lambda: simulate(engine(), HOME, None, -1)),
        ("every must be a whole number", lambda: simulate(engine(), HOME, None, 1.0, every=0)),
    ]:
        with pytest.raises(InputError, match=match):
            call()

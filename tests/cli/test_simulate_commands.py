"""`carpal simulate`: runs, recordings, set-up aids and bad input from the command line."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import setup_inputs as setup
from linkage_inputs import FOLDER, linkage

from carpal.cli.command_line import main
from carpal.engines import ENERGY_SHARES, Recording, checking
from carpal.model import Plane, Scene, Sphere

FINGER = str(FOLDER / "crossed_finger.toml")


def run(capsys, *words):
    status = main(["simulate", *words])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.fixture
def scene(tmp_path):
    made = Scene("table").add_robot(setup.chain(2), name="arm", pose=[0, 0, 1]).add_fixed("floor", Plane())
    made.add_object("ball", Sphere(0.03), mass=0.05, pose=[1, 0, 0.05])
    file = tmp_path / "scene.toml"
    file.write_text(made.to_toml())
    return str(file)


@pytest.mark.parametrize(
    ("robot", "more", "engine"), [("arm.urdf", (), "mujoco"), ("arm.xml", ("--engine", "rigid"), "rigid")]
)
def test_a_robot_file_runs_without_a_scene(capsys, tmp_path, monkeypatch, robot, more, engine):
    monkeypatch.chdir(tmp_path)
    inertia = '<inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/>'
    link = f'<link name="b"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>{inertia}</inertial></link>'
    joint = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/></joint>'
    urdf = f'<robot name="arm"><link name="a"/>{link}{joint}</robot>'
    body = '<body><inertial pos=".5 0 0" mass="1" diaginertia=".01 .01 .01"/><joint axis="0 1 0"/></body>'
    mjcf = f'<mujoco model="arm"><worldbody>{body}</worldbody></mujoco>'
    (tmp_path / robot).write_text(urdf if robot.endswith("urdf") else mjcf)
    status, out, err = run(capsys, robot, "--duration", "0.1", "--record", "run.parquet", "--json", *more)
    assert (status, err) == (0, "")
    assert json.loads(out)["engine"] == engine
    fallen = Recording.load(tmp_path / "run.parquet").q[-1, 0]
    expected = 0.5 * (9.81 * 0.5 / 0.26) * 0.1**2  # m g l / (I + m l^2), nearly level
    assert fallen == pytest.approx(expected, rel=2e-2)


@pytest.mark.parametrize("engine", ["penalty", "rigid", "modal", "mujoco"])
def test_a_scene_runs_in_every_engine(capsys, scene, engine, tmp_path):
    file = tmp_path / "run.parquet"
    status, out, err = run(
        capsys, scene, "--engine", engine, "--duration", "0.05", "--rows", "20", "--record", str(file)
    )
    assert (status, err) == (0, "") and out.startswith("'table' ran for 0.05 s in steps of")
    done = Recording.load(file)
    assert done.ok and done.metadata["engine"] == engine and done.time[-1] == pytest.approx(0.05)
    assert not (tmp_path / "run.parts").exists()
    answer = json.loads(run(capsys, scene, "--engine", engine, "--duration", "0.05", "--json")[1])
    assert answer["ok"] and answer["engine"] == engine and answer["time_s"] == pytest.approx(0.05)


def test_modal_surfaces_from_the_command_line(capsys, tmp_path):
    made = Scene("slope", gravity=(3.0, 0.0, -9.81)).add_object("ball", Sphere(0.05), mass=0.2, pose=[0, 0, 0.05])
    file, run_file = tmp_path / "slope.toml", tmp_path / "run.parquet"
    file.write_text(made.add_fixed("floor", Plane()).to_toml())
    ways = []
    for words in (("--mu", "0.0"), ("--mu", "0.6", "--restitution", "0.5"), ("--tip", "soft", "--torsion", "0.005")):
        base = (str(file), "--engine", "modal", "--duration", "0.1", "--rows", "5", "--record", str(run_file))
        assert run(capsys, *base, *words)[0] == 0
        ways.append(Recording.load(run_file).q[-1][0])
        run_file.unlink()
    assert ways[0] == pytest.approx(0.5 * 3.0 * 0.01, rel=1e-6)  # nothing holds it
    assert ways[1] == pytest.approx(5 / 7 * ways[0], rel=1e-6)  # it rolls
    for words, says in (
        (("--engine", "modal", "--mu", "-1"), "mu of a Surface must be finite and zero or above"),
        (("--engine", "modal", "--restitution", "2"), "restitution"),
        (("--engine", "modal", "--tip", "wet"), "tip of a Surface"),
        (
            ("--engine", "rigid", "--mu", "0.5"),
            "surface is for engines with contact (modal, mujoco, penalty); the engine is 'rigid'",
        ),
        (("--accurate",), "accurate is for the modal engine; the engine is 'penalty'"),
    ):
        status, out, err = run(capsys, str(file), *words)
        assert status == 2 and says in err and out == ""


def test_modal_surfaces_from_the_file(capsys, tmp_path):
    made = Scene("slope", gravity=(3.0, 0.0, -9.81)).add_fixed("floor", Plane())
    for name, y in (("rolls", 0.0), ("slips", 1.0)):
        made.add_object(name, Sphere(0.05), mass=0.2, pose=[0, y, 0.05])
    made.add_surface(mu=0.0).add_surface("rolls", "floor", mu=0.6)
    file, run_file = tmp_path / "slope.toml", tmp_path / "run.parquet"
    file.write_text(made.to_toml())
    words = (str(file), "--engine", "modal", "--duration", "0.1", "--rows", "5", "--record", str(run_file))
    assert run(capsys, *words)[0] == 0
    q = Recording.load(run_file).q[-1]
    assert q[7] == pytest.approx(0.5 * 3.0 * 0.01, rel=1e-6) and q[0] == pytest.approx(5 / 7 * q[7], rel=1e-6)
    run_file.unlink()
    assert run(capsys, *words, "--mu", "0.6")[0] == 0
    q = Recording.load(run_file).q[-1]
    assert q[0] == pytest.approx(q[7], rel=1e-12)
    file.write_text(made.to_toml().replace("mu = 0.6", "mu = -0.6"))
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "") and "the surface of rolls and floor: mu of a Surface must be finite" in err


def test_a_linkage_goes_through_its_stroke_with_a_report(capsys, tmp_path):
    report, parts = tmp_path / "run.html", tmp_path / "parts"
    words = (FINGER, "--duration", "0.2", "--rows", "50", "--report", str(report), "--record", str(parts))
    status, out, _ = run(capsys, *words)
    assert status == 0 and "the largest joint gap was" in out and "joint stiffness" in out
    assert "<title>" in report.read_text() and Recording.load(parts).ok
    assert run(capsys, *words)[0] == 2  # the folder holds a recording already
    answer = json.loads(run(capsys, FINGER, "--duration", "0.05", "--drive", "0.02", "--json")[1])
    assert answer["largest_gap_m"] < 1e-4 and answer["stable_step_s"] == pytest.approx(4e-5, rel=0.2)


def test_out_takes_the_recording_and_the_report(capsys, scene, tmp_path):
    status, out, _ = run(
        capsys, scene, "--duration", "0.02", "--rows", "10", "--sag", "0.01", "--out", str(tmp_path / "o")
    )
    assert status == 0 and sorted(path.name for path in (tmp_path / "o").iterdir()) == [
        "recording.parquet",
        "report.html",
    ]
    assert "P [/rad, /m]" in out


def test_parts_of_a_run_that_was_killed_are_not_lost(capsys, scene, tmp_path):
    file = tmp_path / "run.parquet"
    words = (scene, "--duration", "0.01", "--record")
    assert run(capsys, *words, str(tmp_path / "run.parts"))[0] == 0
    status, _, err = run(capsys, *words, str(file))
    assert status == 2 and "already holds a recording" in err and Recording.load(tmp_path / "run.parts").ok


def test_gravity_may_pull_in_a_linkages_plane(capsys):
    words = (str(FOLDER / "crank_slider.toml"), "--test", "hold", "--duration", "0.5", "--sag", "0.01", "--json")
    assert run(capsys, *words)[0] == 2  # nothing pulls at the drive
    held = json.loads(run(capsys, *words, "--gravity", "0", "-9.81", "0")[1])
    assert abs(held["sag"][0]) == pytest.approx(0.01, rel=0.02)


def test_a_mechanism_keeps_its_own_numbers(capsys, tmp_path):
    file = tmp_path / "m.toml"
    file.write_text(linkage("crossed_finger").mechanism(stiffness=1e4, damping=0.05).to_toml())
    answer = json.loads(run(capsys, str(file), "--duration", "0.02", "--json")[1])
    assert answer["stiffness_N_m"] == [1e4, 1e4]
    status, _, err = run(capsys, str(file), "--dt", "1e-2")
    assert status == 2 and "the largest stable step is" in err


def test_set_up_aids(capsys, scene, tmp_path):
    status, out, _ = run(
        capsys, scene, "--test", "fall", "--duration", "0.1", "--rows", "50", "--out", str(tmp_path / "o")
    )
    assert status == 0 and "largest gap [um]" in out and (tmp_path / "o" / "fall.png").stat().st_size > 10_000
    assert json.loads((tmp_path / "o" / "fall.json").read_text())["joints"][0] == "arm/j0/0"
    held = json.loads(run(capsys, scene, "--test", "hold", "--sag", "0.004", "--json")[1])
    assert held["tuning"]["P"][0] > held["tuning"]["P"][1] > 0
    assert held["ok"] and np.abs(held["sag"]) == pytest.approx([0.004, 0.004], rel=0.01)
    status, out, _ = run(capsys, scene, "--test", "hold", "--sag", "0.1", "--duration", "0.5")
    assert status == 1 and "more than the allowed 5 mm" in out
    words = ("--sag", "0.01", "--damping-ratio", "0.5", "--size", "0.01", "--duration", "0.6", "--json")
    step = json.loads(run(capsys, scene, "--test", "step", *words)[1])
    assert step["ok"] and len(step["overshoot"]) == 2
    study = json.loads(run(capsys, scene, "--step-study", "--duration", "0.02", "--json")[1])
    assert (
        study["ok"]
        and study["order"] == pytest.approx(2, abs=0.2)
        and study["recommended_dt_s"] < study["stable_step_s"]
    )
    finger = json.loads(run(capsys, FINGER, "--test", "hold", "--duration", "0.1", "--json")[1])
    assert finger["actuators"] == ["drive"]


def test_a_run_that_diverges_says_so_and_keeps_its_rows(capsys, tmp_path):
    made = Scene("hard").add_object("ball", Sphere(0.01), mass=0.01, pose=[0, 0, 0.02], twist=[0, 0, -2e4, 0, 0, 0])
    file, kept = tmp_path / "hard.toml", tmp_path / "run.parquet"
    file.write_text(made.add_fixed("floor", Plane()).to_toml())
    status, out, _ = run(capsys, str(file), "--duration", "0.01", "--record", str(kept), "--json")
    answer = json.loads(out)
    assert status == 1 and not answer["ok"] and "diverged" in answer["status"]
    assert Recording.load(kept).events[-1].name == "diverged"


def test_ctrl_c_ends_with_130_and_the_recording_is_kept(tmp_path):
    file = tmp_path / "run.parquet"
    words = [
        sys.executable,
        "-m",
        "carpal.cli.command_line",
        "simulate",
        FINGER,
        "--duration",
        "600",
        "--rows",
        "500000",
    ]
    started = subprocess.Popen(
        [*words, "--record", str(file)], stdout=subprocess.PIPE, text=True, env=os.environ.copy()
    )
    parts, until = tmp_path / "run.parts", time.monotonic() + 240
    while not list(parts.glob("part-*.parquet")) and time.monotonic() < until:
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    out, _ = started.communicate(timeout=60)
    assert started.returncode == 130 and "interrupted after" in out
    done = Recording.load(file)
    assert done.interrupted and len(done) > 100 and not parts.exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["none.toml"], "'none.toml' cannot be read"),
        (["scene.json"], "ends in .toml"),
        (["none.urdf"], "no file 'none.urdf'"),
        (["sawyer", "--tool", "nose"], "did you mean 'base'? valid: base, l0, head"),
        ([FINGER, "--tool", "nose"], "write tool = 'nose' under [robot.options]"),
        ([FINGER, "--engine", "rigid"], "is no tree of joints"),
        ([FINGER, "--engine", "penalti"], "did you mean 'penalty'"),
        ([FINGER, "--dt", "1"], "take a shorter dt"),
        ([FINGER, "--dt", "nan"], "dt must be a finite time"),
        ([FINGER, "--stiffness", "1e9"], "the largest stable step is"),
        ([FINGER, "--duration", "0"], "--duration must be above zero"),
        ([FINGER, "--duration", "nan"], "--duration must be above zero"),
        ([FINGER, "--rows", "1"], "--rows must be"),
        ([FINGER, "--test", "fell"], "did you mean 'fall'"),
        ([FINGER, "--test", "fall", "--step-study"], "not both"),
        ([FINGER, "--test", "fall", "--record", "a.parquet"], "are for runs"),
        ([FINGER, "--tolerance", "1"], "--tolerance is for"),
        ([FINGER, "--size", "1"], "--size is for --test step"),
        ([FINGER, "--report", "a.txt"], "ends in .html"),
        ([FINGER, "--record", "no/such/run.parquet"], "there is no folder"),
        ([FINGER, "--drive", "1.0"], "inside the stroke"),
        ([FINGER, "--test", "hold", "--engine", "rigid"], "set-up aids check joints of the penalty engine"),
        ([FINGER, "--device", "tpu"], "device"),
        ([FINGER, "--gravity", "0", "1"], "gravity must be 3 finite numbers"),
        ([FINGER, "--gravity", "down"], "--gravity must be numbers"),
    ],
)
def test_bad_input_is_one_clear_line_and_status_2(capsys, words, sentence):
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "")
    assert sentence in err and err.count("\n") == 1


def _second_mass_zero(text):
    mass = text.split("mass = ")[2].split(",")[0]
    return text.replace(f"mass = {mass}", "mass = 0.0")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda text: text.replace('a = "rod"', 'a = "rot"'), "did you mean 'rod'"),
        (lambda text: text.replace('a = "rod"', 'a = "middle"'), "joins body 'middle' to itself"),
        (_second_mass_zero, "needs mass and principal inertias above zero"),
    ],
)
def test_bad_mechanisms_are_one_clear_line(capsys, tmp_path, change, sentence):
    file = tmp_path / "bad.toml"
    file.write_text(change(linkage("crossed_finger").mechanism().to_toml()))
    status, out, err = run(capsys, str(file))
    assert (status, out) == (2, "") and sentence in err and err.count("\n") == 1


def test_a_linkage_that_cannot_close_is_refused(capsys, tmp_path):
    file = tmp_path / "bad.toml"
    file.write_text((FOLDER / "crossed_finger.toml").read_text().replace("Q = [0.0395, 0]", "Q = [0.9, 0]"))
    status, _, err = run(capsys, str(file))
    assert status == 2 and err.count("\n") == 1 and "close" in err


def test_a_scene_without_gains_is_told_about_sag(capsys, scene):
    status, _, err = run(capsys, scene, "--test", "hold")
    assert status == 2 and "see tune(), or --sag" in err


def test_a_run_that_breaks_a_bound_is_not_ok_and_names_it(capsys, tmp_path):
    arm = setup.chain(2)
    stiff = tuple(
        dataclasses.replace(body, joint=dataclasses.replace(body.joint, damping=20.0 if i else 0.0))
        for i, body in enumerate(arm.bodies)
    )
    file = tmp_path / "stiff.toml"
    made = Scene("stiff").add_robot(arm.replace(bodies=stiff), name="arm")
    file.write_text(made.to_toml())
    words = (str(file), "--engine", "modal", "--duration", "0.02")
    assert run(capsys, *words)[0] == 0
    with pytest.MonkeyPatch.context() as patch:  # a bound that no run keeps
        patch.setitem(ENERGY_SHARES, ("modal", "time stepping"), -1.0)
        status, out, err = run(capsys, *words, "--record", str(tmp_path / "run.parquet"))
        assert (status, err) == (1, "") and ", but the energy residual [J] is" in out and "above its bound" in out
        answer = json.loads(run(capsys, *words, "--json")[1])
    assert not answer["ok"] and "above its bound" in answer["status"]
    worst, bound = answer["residuals"]["residual"]
    assert worst > bound and answer["energy_residual_J"] == worst
    assert not Recording.load(tmp_path / "run.parquet").ok


def test_joints_that_open_too_far_are_not_ok(capsys, tmp_path):
    words = (FINGER, "--rows", "20", "--json", "--duration")
    fine = json.loads(run(capsys, *words, "0.2")[1])
    assert fine["ok"] and fine["residuals"]["joint_gap"][0] == pytest.approx(fine["largest_gap_m"], rel=1e-9)
    status, out, _ = run(capsys, *words, "0.008")  # the whole stroke in 8 ms
    answer = json.loads(out)
    assert status == 1 and not answer["ok"] and "gap of a joint [m] is" in answer["status"], answer["status"]


def test_a_modal_run_that_breaks_a_bound_of_its_certificate_is_not_ok(capsys, tmp_path, monkeypatch):
    made = Scene("drop").add_object("ball", Sphere(0.05), mass=0.2, pose=[0, 0, 0.05]).add_fixed("floor", Plane())
    file, run_file = tmp_path / "drop.toml", tmp_path / "run.parquet"
    file.write_text(made.to_toml())
    words = (str(file), "--engine", "modal", "--duration", "0.02", "--rows", "5", "--record", str(run_file))
    monkeypatch.setitem(checking.BOUNDS, "cone", -1.0)
    status, out, _ = run(capsys, *words)
    assert status == 1 and "but force outside its cone" in out
    done = Recording.load(run_file)
    assert not done.ok and "cone" in done.status and not done.check()

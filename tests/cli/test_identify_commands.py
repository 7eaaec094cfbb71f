"""`carpal identify`: from a file of a motion to a robot's file."""

from __future__ import annotations

import json

import numpy as np
from identification_inputs import recording, three_joints, with_secrets

import carpal
from carpal.cli.command_line import main
from carpal.dynamics import inertial_parameters


def write(path, model, motion, tau):
    names = ["time", *(f"q:{joint}" for joint in model.joint_names), *(f"tau:{joint}" for joint in model.joint_names)]
    rows = np.column_stack([motion.time, motion.q, tau])
    np.savetxt(path, rows, delimiter=",", header=",".join(names), comments="", fmt="%.12g")


def test_a_recording_becomes_a_robot(tmp_path, capsys):
    model = three_joints()
    secret = with_secrets(model, 5)
    motion, tau, viscous, coulomb = recording(secret, 7, noise=0.005)
    (tmp_path / "arm.urdf").write_text(model.to_urdf())
    write(tmp_path / "motion.csv", model, motion, tau)
    words = [
        "identify",
        str(tmp_path / "arm.urdf"),
        "--recording",
        str(tmp_path / "motion.csv"),
        "--out",
        str(tmp_path / "out"),
        "--json",
    ]
    assert main(words) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["ok"] and len(answer["base_parameters"]) > 10
    np.testing.assert_allclose(answer["viscous"], viscous, rtol=0.1)
    np.testing.assert_allclose(answer["coulomb"], coulomb, rtol=0.1)
    found = carpal.load(answer["urdf"])
    assert np.abs(inertial_parameters(found) - inertial_parameters(secret)).max() < 5.0
    np.testing.assert_allclose(inertial_parameters(found), answer["parameters"], atol=1e-6)


def test_bad_files_are_one_sentence(tmp_path, capsys):
    model = three_joints()
    (tmp_path / "arm.urdf").write_text(model.to_urdf())
    (tmp_path / "empty.csv").write_text("time\n")
    names = "time,q:turn,q:bend,q:slide,tau:turn,tau:bend,tau:slide\n"
    (tmp_path / "words.csv").write_text(names + "0,a,b,c,d,e,f\n")
    (tmp_path / "short.csv").write_text(names + "0,0,0,0,0,0,0\n0.1,0,0,0,0,0,0\n")
    (tmp_path / "none.csv").write_text(names)
    for file, said in (
        ("missing.csv", "cannot be read"),
        ("empty.csv", "has no column q:turn, q:bend"),
        ("words.csv", "has a row that is not 7 numbers"),
        ("none.csv", "has no rows"),
        ("short.csv", "cutoff must be above 0 and below 4 Hz"),
    ):
        assert main(["identify", str(tmp_path / "arm.urdf"), "--recording", str(tmp_path / file)]) == 2
        assert said in capsys.readouterr().err


def test_a_motion_is_written_and_a_rehearsal_finds_the_robot_itself(tmp_path, capsys):
    model = three_joints()
    (tmp_path / "arm.urdf").write_text(model.to_urdf())
    robot, folder = str(tmp_path / "arm.urdf"), str(tmp_path / "made")
    assert main(["excite", robot, "--out", folder, "--duration", "10", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == 2001
    assert main(["identify", robot, "--recording", f"{folder}/motion.csv", "--frictionless"]) == 0
    said = capsys.readouterr().out
    assert "combinations of 30 parameters are seen" in said and "+-" in said
    assert main(["excite", robot]) == 2
    assert "excite needs --out" in capsys.readouterr().err

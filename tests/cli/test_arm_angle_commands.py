import json

import numpy as np
import pytest

import carpal
from carpal.cli.command_line import main

JOINTS = ["--joints", "0.3", "0.6", "-0.4", "0.5", "0.3", "-0.6", "0.2"]
HEADER = "time,x,y,z,roll,pitch,yaw\n"


def run(capsys, *words):
    status = main(["arm-angle", *words])
    out, err = capsys.readouterr()
    return status, out, err


def test_intervals_of_a_pose(capsys, tmp_path):
    status, out, _ = run(capsys, "sia5", *JOINTS, "--psi", "0.5", "--json", "--out", str(tmp_path))
    answer = json.loads(out)
    assert status == 0 and answer["ok"]
    assert len(answer["intervals"]) == 6
    assert answer["psi_rad"] == pytest.approx(
        float(carpal.arm_angle(carpal.load("sia5"), [float(x) for x in JOINTS[1:]]))
    )
    X = carpal.fk(carpal.load("sia5"), answer["solutions"]["q"])
    assert np.abs(X - answer["X_WT"]).max() < 1e-9
    assert (tmp_path / "sia5_arm_angles.png").exists()


def test_the_same_pose_by_numbers_and_for_people(capsys):
    x, y, z = carpal.fk(carpal.load("srs7"), [0.3] * 7)[:3, 3]
    status, out, _ = run(capsys, "srs7", "--pose", str(x), str(y), str(z), "0.1", "0.2", "0.3")
    assert status == 0
    assert "from [deg]" in out and "elbow +, shoulder +, wrist +" in out


def test_an_arm_without_closed_form(capsys):
    status, out, _ = run(capsys, "sawyer", "--joints", "0.2", "-0.6", "0.1", "1.2", "0", "0.5", "0.3", "--json")
    answer = json.loads(out)
    assert status == 0 and "traced numerically" in answer["status"]
    assert answer["intervals"][0]["branch"].startswith("curve ")


def test_a_line_and_a_path_that_breaks(capsys, tmp_path):
    X = carpal.fk(carpal.load("sia5"), [float(x) for x in JOINTS[1:]])
    x, y, z = X[:3, 3]
    file = tmp_path / "path.csv"
    rows = [(0.0, x, y, z), (1.0, x - 0.05, y + 0.05, z)]
    file.write_text(HEADER + "".join(f"{t},{a},{b},{c},0,2.0,0.5\n" for t, a, b, c in rows))
    status, out, _ = run(capsys, "sia5", "--path", str(file), "--prefer", "speed", "--json", "--out", str(tmp_path))
    answer = json.loads(out)
    assert status == 0 and answer["ok"] and len(answer["psi_rad"]) == len(answer["time_s"]) > 2
    assert (tmp_path / "sia5_band.png").exists()
    status, out, _ = run(capsys, "sia5", *JOINTS, "--line", "1.5", "0", "0.5", "0", "2", "0.5", "--duration", "2")
    assert status == 1
    assert out.startswith("the band breaks at t = ") and "psi [deg]" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["sia5"], "give one of --pose and --joints"),
        (["sia5", "--pose", "1", "2", "3"], "--pose needs 6 numbers"),
        (["sia5", *JOINTS[:-1]], "needs 7 numbers"),
        (["k10", "--joints", "0", "0", "0", "0", "0"], "7"),
        (["sia5", *JOINTS, "--line", "1", "2"], "--line needs 6 numbers"),
        (["sia5", *JOINTS, "--line", "1", "0", "0", "0", "0", "0", "--psi", "1"], "--psi is for one pose"),
        (["sia5", "--path", "no.csv"], "the path 'no.csv' cannot be read"),
        (["sia5", "--path", "no.csv", *JOINTS], "--path has all poses"),
        (["sia5", *JOINTS, "--psi", "nan"], "arm_angle must be finite"),
    ],
)
def test_bad_input_is_one_clear_line_and_status_2(capsys, words, sentence):
    status, out, err = run(capsys, *words)
    assert status == 2 and out == ""
    assert sentence in err
    assert len([line for line in err.splitlines() if "compiling" not in line]) == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the first line of"),
        ("t,x\n1,2\n", "must be time,x,y,z,roll,pitch,yaw; got 't,x'"),
        (HEADER + "0,0,0,0,0,0,0\n1,a,0,0,0,0,0\n", "line 3 of"),
        (HEADER + "0,0,0,0\n", "needs 7 numbers; got 4"),
        (HEADER + "0,0,0,0,0,0,0\n", "needs two poses or more"),
        (HEADER + "1,0,0,0,0,0,0\n0,0,0,0,0,0,0\n", "each later than the one before"),
    ],
)
def test_bad_path_files(capsys, tmp_path, text, sentence):
    file = tmp_path / "path.csv"
    file.write_text(text)
    status, _, err = run(capsys, "sia5", "--path", str(file))
    assert status == 2 and sentence in err

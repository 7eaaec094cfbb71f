import json

import numpy as np
import pytest

import carpal
from carpal.cli.command_line import main


def run(capsys, *words):
    status = main(list(words))
    out, err = capsys.readouterr()
    return status, out, err


def test_ik_of_a_point_and_direction(capsys):
    status, out, _ = run(capsys, "ik", "k10", "--point", "0.4", "0.1", "0.2", "--direction", "0", "0", "-1", "--json")
    answer = json.loads(out)
    assert status == 0
    X = carpal.fk(carpal.load("k10"), answer["q"])
    assert np.allclose(X[:3, 3], (0.4, 0.1, 0.2), atol=1e-6)
    assert np.allclose(X[:3, 0], (0, 0, -1), atol=1e-6)


def test_ik_of_a_pose_draws_it(capsys, tmp_path):
    words = ["--point", "0.6", "0.2", "0.4", "--rpy", "3.1", "0", "0.2", "--out", str(tmp_path)]
    status, out, _ = run(capsys, "ik", "sawyer", *words)
    assert status == 0
    assert out.startswith("tool reaches its target within")
    assert (tmp_path / "sawyer_ik.png").exists()


def test_every_solution_is_listed_and_drawn(capsys, tmp_path):
    words = [
        "ik",
        "k10",
        "--point",
        "0.4",
        "0.1",
        "0.2",
        "--direction",
        "0",
        "0",
        "-1",
        "--all",
        "--out",
        str(tmp_path),
    ]
    status, out, _ = run(capsys, *words, "--json")
    answer = json.loads(out)
    assert status == 0 and len(answer["solutions"]) == 8
    assert sum(row["in_limits"] for row in answer["solutions"]) == 4 and answer["free"] is None
    assert len({row["branch"] for row in answer["solutions"]}) == 8
    for row in answer["solutions"]:
        X = carpal.fk(carpal.load("k10"), row["q"])
        assert np.allclose(X[:3, 3], (0.4, 0.1, 0.2), atol=1e-9) and np.allclose(X[:3, 0], (0, 0, -1), atol=1e-9)
    assert (tmp_path / "k10_solutions.png").stat().st_size > 20_000
    status, out, _ = run(capsys, *words)
    assert status == 0 and out.startswith("8 solutions, 4 of them inside the limits") and len(out.splitlines()) == 10


def test_roll_and_arm_angle_choose_among_every_solution(capsys):
    down = ["ik", "so101_old", "--point", "0.06", "-0.22", "0.05", "--direction", "0", "0", "-1"]
    status, out, _ = run(capsys, *down, "--all", "--roll", "0.5", "--json")
    answer = json.loads(out)
    assert status == 0 and answer["free"] == {"name": "roll", "joint": "wrist_roll", "value_rad": 0.5}
    assert all(abs(row["q"][4] - 0.5) < 1e-12 for row in answer["solutions"])
    status, _, err = run(capsys, *down, "--roll", "0.5")
    assert status == 2 and "--roll needs --all" in err
    pose = ["ik", "srs7", "--point", "0.3", "0.2", "0.7", "--rpy", "0.3", "1.2", "0.1", "--all", "--json"]
    status, out, _ = run(capsys, *pose, "--arm-angle", "0.4")
    assert status == 0 and json.loads(out)["free"]["value_rad"] == 0.4


def test_six_joints_and_a_held_joint(capsys):
    pose = ("--point", "0.3", "0.2", "0.3", "--rpy", "3.0", "0.1", "0.2", "--all")
    status, out, _ = run(capsys, "ik", "ur5", *pose, "--json")
    answer = json.loads(out)
    assert status == 0 and len(answer["solutions"]) in (2, 4, 6, 8) and "three parallel axes" in answer["method"]
    assert answer["solutions"][0]["branch"].startswith("wrist ")
    pose = ("ik", "srs7", "--point", "0.3", "0.2", "0.7", "--rpy", "0.3", "1.2", "0.1")
    status, out, _ = run(capsys, *pose, "--all", "--held", "q7=0.2", "--json")
    answer = json.loads(out)
    assert status == 0 and answer["method"].startswith("q7 held") and answer["solutions"][0]["q"][6] == 0.2
    for words, sentence in (
        (("--all", "--held", "q7"), "--held needs JOINT=ANGLE"),
        (("--all", "--held", "q9=0.1"), "unknown joint of the arm 'q9'"),
        (("--held", "q7=0.1"), "--held needs --all"),
    ):
        status, _, err = run(capsys, *pose, *words)
        assert status == 2 and sentence in err


def test_no_solution_says_why_and_what_is_nearest(capsys):
    status, _, err = run(capsys, "ik", "k10", "--point", "2", "0", "0", "--direction", "0", "0", "-1", "--all")
    assert status == 1 and "too far" in err and "nearest found" in err and err.count("\n") == 1


def test_ik_starts_from_q0_and_by_any_method(capsys):
    q0 = ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"]
    for method in ("lm", "dls", "ccd"):
        status, out, _ = run(
            capsys, "ik", "srs7", "--point", "0.3", "0.1", "0.6", "--q0", *q0, "--method", method, "--json"
        )
        assert status == 0
        assert np.allclose(carpal.fk(carpal.load("srs7"), json.loads(out)["q"])[:3, 3], (0.3, 0.1, 0.6), atol=1e-6)


def test_workspace_slice_and_cloud(capsys, tmp_path):
    words = ["--height", "0.1", "--half", "0.5", "--step", "0.1", "--json", "--out", str(tmp_path)]
    status, out, _ = run(capsys, "workspace", "so101_old", *words)
    assert status == 0
    assert json.loads(out)["points"] == 121
    assert (tmp_path / "so101_old_slice.png").exists()
    status, out, _ = run(capsys, "workspace", "so101_old", "--samples", "5000", "--out", str(tmp_path))
    assert status == 0
    assert "m^3 is reachable" in out
    assert (tmp_path / "so101_old_workspace.png").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["ik", "sawyer", "--point", "2", "0", "0"], "out of reach by 0.894 m"),
        (["ik", "sawyer", "--point", "1", "2"], "--point needs 3 numbers; got 2"),
        (["ik", "sawyer", "--point", "nan", "0", "0"], "not finite"),
        (["ik", "sawyer", "--point", "0.5", "0", "0.4", "--direction", "0", "0", "0"], "direction must not be zero"),
        (["ik", "sawyer", "--point", "0.5", "0", "0.4", "--method", "newtn"], "did you mean 'newton'"),
        (["ik", "sawyer", "--point", "0", "0", "0", "--rpy", "0", "0", "0", "--direction", "0", "0", "1"], "not both"),
        (["workspace", "sawyer", "--samples", "0"], "at least one sample"),
        (["workspace", "sawyer", "--height", "0.2", "--step", "0"], "step > 0"),
        (["workspace", "sawyer", "--device", "tpu", "--samples", "10"], "unknown device 'tpu'"),
    ],
)
def test_bad_input_is_one_clear_line_and_status_2(capsys, words, sentence):
    status, out, err = run(capsys, *words)
    assert status == (1 if "out of reach" in sentence else 2)
    assert out == ""
    assert sentence in err
    assert len([line for line in err.splitlines() if "compiling" not in line]) == 1  # a cold cache says so, once

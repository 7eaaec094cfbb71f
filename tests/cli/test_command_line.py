"""The command line as a user meets it: one true sentence, one JSON object, status 2 with one clear line."""

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest

import carpal
from carpal.cli.command_line import main


def run(capsys, *words):
    status = main(list(words))
    out, err = capsys.readouterr()
    return status, out, err


def test_robots_are_listed(capsys):
    status, out, _ = run(capsys, "robots")
    assert status == 0
    for name in carpal.robots():
        assert name in out


def test_fk_prints_one_true_sentence(capsys):
    q = [0.1, -0.2, 0.3, -0.4, 0.5, -0.6, 0.7]
    status, out, _ = run(capsys, "fk", "sawyer", "--q", *map(str, q))
    p = carpal.fk(carpal.load("sawyer"), q)[:3, 3]
    assert status == 0
    assert out.startswith(f"tool of sawyer is at ({p[0]:.6f}, {p[1]:.6f}, {p[2]:.6f}) m.")


def test_fk_json_is_one_object(capsys):
    status, out, _ = run(capsys, "fk", "k10", "--q=0.1,0.2,0.3,0.4,0.5", "--frame", "elbow_link", "--json")
    answer = json.loads(out)
    assert status == 0
    assert answer["ok"] is True
    X = carpal.fk(carpal.load("k10"), [0.1, 0.2, 0.3, 0.4, 0.5], "elbow_link")
    assert np.array_equal(answer["X_WF"], X)


def test_degrees_and_options(capsys):
    words = ["fk", "k10", "--q", "90", "0", "0", "0", "0", "--degrees", "--option", "mounting=upside_down", "--json"]
    _, out, _ = run(capsys, *words)
    model = carpal.load("k10", mounting="upside_down")
    assert np.allclose(json.loads(out)["X_WF"], carpal.fk(model, [np.pi / 2, 0, 0, 0, 0]), atol=1e-15)


def test_show_writes_table_picture_and_mjcf(capsys, tmp_path):
    status, out, _ = run(capsys, "show", "so101_old", "--out", str(tmp_path))
    assert status == 0
    assert "wrist_roll" in out
    assert (tmp_path / "so101_old.png").read_bytes().startswith(b"\x89PNG")
    assert "wrist_roll" in (tmp_path / "so101_old.txt").read_text()
    again = carpal.load(tmp_path / "so101_old.xml")
    assert again.joint_names == carpal.load("so101_old").joint_names


def test_show_reads_files(capsys, tmp_path):
    file = tmp_path / "one.urdf"
    file.write_text('<robot name="one"><link name="a"/></robot>')
    status, out, _ = run(capsys, "show", str(file), "--json")
    assert status == 0
    assert json.loads(out)["ok"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["fk", "sawyr"], "did you mean 'sawyer'"),
        (["fk", "sawyer", "--frame", "tol"], "did you mean 'tool'"),
        (["fk", "sawyer", "--q", "1", "2"], "needs 7 numbers"),
        (["fk", "sawyer", "--q", "1", "2", "nan", "0", "0", "0", "0"], "q[2] is nan"),
        (["fk", "sawyer", "--q", "a,b"], "must be numbers"),
        (["fk", "sawyer", "--q", "0", "a", "0"], "'a' in '0 a 0' is none"),
        (["fk", "sawyer", "--q", "x1", "0", "0", "--json"], "'x1' in 'x1 0 0' is none"),
        (["fk", "sawyer", "--q=0,1e,3"], "'1e' in '0,1e,3' is none"),
        (["fk", "sawyer", "--option", "mounting"], "name=value"),
        (["fk", "no/such.urdf"], "no file 'no/such.urdf'"),
        (["fk"], "robot"),
        (["fk", "sawyer", "--nonsense"], "--nonsense"),
        (["dance"], "dance"),
    ],
)
def test_bad_input_is_one_clear_line_and_status_2(capsys, words, sentence):
    status, out, err = run(capsys, *words)
    assert status == 2
    assert out == "" or "--json" in words
    assert sentence in err
    assert len([line for line in err.splitlines() if "compiling" not in line]) == 1  # a cold cache says so, once
    assert "Traceback" not in err


def test_bad_input_as_json(capsys):
    status, out, _ = run(capsys, "fk", "sawyr", "--json")
    assert status == 2
    assert json.loads(out)["ok"] is False


def test_the_program_is_installed_and_helps():
    done = subprocess.run(
        [sys.executable, "-m", "carpal.cli.command_line", "fk", "--help"], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "Example: carpal fk sawyer" in done.stdout


def test_it_says_that_it_compiles_when_the_cache_is_cold(tmp_path):
    import os

    done = subprocess.run(
        [sys.executable, "-m", "carpal.cli.command_line", "fk", "sawyer", "--json"],
        capture_output=True, text=True, env={**os.environ, "CARPAL_CACHE_DIR": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0
    said = [line for line in done.stderr.splitlines() if "compiling" in line]
    assert said == ["carpal: compiling kinematics.forward for this machine (once, up to a minute) ..."]
    assert json.loads(done.stdout)["ok"]
    again = subprocess.run(
        [sys.executable, "-m", "carpal.cli.command_line", "fk", "sawyer", "--json"],
        capture_output=True, text=True, env={**os.environ, "CARPAL_CACHE_DIR": str(tmp_path)},
    )  # fmt: skip
    assert "compiling" not in again.stderr
    assert again.stdout == done.stdout
    # the machine code is lost, its time is not
    kept = json.loads((tmp_path / "carpal" / "compile_seconds.json").read_text())["kinematics.forward"]
    assert 0 < kept["seconds"] <= kept["run_seconds"] + 1e-3
    for folder in (tmp_path / "carpal").iterdir():
        if folder.is_dir():
            shutil.rmtree(folder)
    cold = subprocess.run(
        [sys.executable, "-m", "carpal.cli.command_line", "fk", "sawyer", "--json"],
        capture_output=True, text=True, env={**os.environ, "CARPAL_CACHE_DIR": str(tmp_path)},
    )  # fmt: skip
    assert f"(once, {kept['run_seconds']:.0f} s the last time, with what followed)" in cold.stderr


def test_the_version(capsys):
    status, out, err = run(capsys, "--version")
    assert (status, out, err) == (0, f"carpal {carpal.__version__}\n", "")


def test_what_cannot_be_done_exits_with_1(capsys):
    """An unreachable point as a plan without a path; bad input is 2."""
    status, out, err = run(capsys, "ik", "k10", "--point", "2", "0", "0")
    assert (status, out) == (1, "") and "out of reach" in err
    status, out, _ = run(capsys, "ik", "k10", "--point", "2", "0", "0", "--json")
    assert status == 1 and json.loads(out)["ok"] is False
    assert run(capsys, "ik", "k10", "--point", "2", "0", "nan")[0] == 2

import json

import numpy as np
import pytest

from carpal.cli.command_line import main
from carpal.labs.finger import assumed_finger, read_finger, read_record


def run(capsys, *words):
    status = main(["finger", *words])
    out, err = capsys.readouterr()
    return status, out, err


def test_simulate_then_identify(capsys, tmp_path):
    words = (
        "--tension",
        "4",
        "--sweep",
        "0.5",
        "20",
        "--duration",
        "1",
        "--every",
        "8",
        "--noise",
        "0.1",
        "--seed",
        "3",
    )
    status, out, _ = run(capsys, "simulate", *words, "--out", str(tmp_path), "--json")
    answer = json.loads(out)
    assert status == 0 and answer["ok"] and answer["energy_error"] < 1e-8 and answer["step_s"] == pytest.approx(5e-4)
    record = read_record(answer["files"]["record"])
    assert len(record.time) == 251 == answer["samples"]
    status, out, _ = run(capsys, "identify", answer["files"]["record"], "--json", "--out", str(tmp_path / "fit"))
    fit = json.loads(out)
    assert status == 0 and fit["ok"] and fit["samples"] == 251 and fit["level"] == 0.95
    truth = dict(
        zip(("k1", "k2", "k3", "c1", "c2", "c3"), (*assumed_finger().stiffness, *assumed_finger().damping), strict=True)
    )
    for name, true in truth.items():
        got = fit["constants"][name]
        assert abs(got["value"] - true) < 4.5 * got["deviation"] and got["low"] < got["value"] < got["high"]
    made = read_finger(fit["files"]["identified"])
    assert np.allclose(made.stiffness, [fit["constants"][k]["value"] for k in ("k1", "k2", "k3")])
    status, out, _ = run(capsys, "identify", answer["files"]["record"], "--fit-neutral")
    assert status == 0 and " n3 " in out


def test_a_record_of_another_finger_is_reported(capsys, tmp_path):
    status, out, _ = run(
        capsys,
        "simulate",
        "--duration",
        "0.5",
        "--noise",
        "0.05",
        "--tension",
        "3",
        "--sweep",
        "1",
        "9",
        "--out",
        str(tmp_path),
    )
    assert status == 0 and "record: " in out
    heavy = tmp_path / "heavy.toml"
    heavy.write_text(
        "length = [0.045, 0.03, 0.025]\nmass = [0.03, 0.02, 0.016]\nstiffness = 0.03\n"
        "damping = 0.002\ntendon_arm = [0.008, 0.006, 0.005]\n"
    )
    status, out, _ = run(capsys, "identify", str(tmp_path / "record.csv"), "--finger", str(heavy), "--json")
    assert status == 1 and not json.loads(out)["ok"]


def test_design(capsys, tmp_path):
    words = ("design", "--rest", "5", "3", "2", "--order", "1", "2", "3", "--tension", "20")
    status, out, err = run(capsys, *words, "--out", str(tmp_path))
    assert (status, err) == (0, "") and "in the order 1-2-3" in out and "standard springs T" in out and "EUR" in out
    answer = json.loads(run(capsys, *words, "--json")[1])
    assert np.abs(answer["angle_error_rad"]).max() < 1e-6 and answer["order"] == [1, 2, 3]
    assert np.allclose(answer["closing_tension_n"], (20 / 3, 40 / 3, 20)) and len(answer["standard"]["springs"]) == 3
    assert np.allclose(read_finger(tmp_path / "designed.toml").stiffness, answer["stiffness"], rtol=1e-15)
    plain = json.loads(run(capsys, "design", "--rest", "10", "8", "6", "--gravity", "0", "-9.81", "0", "--json")[1])
    assert plain["closing_tension_n"] is None and plain["standard"]["angle_error_rad"] > 0


def test_a_shop_without_the_springs_leaves_the_design(capsys, tmp_path):
    words = ("design", "--rest", "5", "3", "2", "--order", "1", "2", "3", "--tension", "900")
    status, out, err = run(capsys, *words, "--out", str(tmp_path))
    assert (status, err) == (1, "") and "has no spring for joint 1" in out and (tmp_path / "finger_design.png").exists()
    answer = json.loads(run(capsys, *words, "--json")[1])
    assert not answer["ok"] and answer["standard"] is None and len(answer["stiffness"]) == 3


def test_the_printed_equations(capsys):
    answer = json.loads(run(capsys, "simulate", "--undamped", "--printed", "--duration", "0.5", "--json")[1])
    assert answer["energy_error"] < 1e-8 and answer["printed"]["wound_up"] and answer["printed"]["energy_gained_j"] > 1
    text = run(capsys, "simulate", "--undamped", "--printed", "--duration", "0.5")[1]
    assert "as printed: the energy changes by" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("design", "--rest", "5", "3"), "--rest needs 3 finite numbers"),
        (("design",), "Missing option '--rest'"),
        (("design", "--rest", "10", "-1", "5"), "joint 2 cannot be held"),
        (("design", "--rest", "10", "8", "6", "--order", "1", "2", "4", "--tension", "3"), "name the joints 1, 2 and 3"),
        (("design", "--rest", "10", "8", "6", "--catalogue", "none.toml"), "cannot be read"),
        (("design", "--rest", "nan", "8", "6"), "--rest needs 3 finite numbers"),
        (("design", "--rest", "10", "8", "6", "--tolerance", "-1"), "--tolerance must be above zero"),
        (("identify", "none.csv"), "cannot be read"),
        (("identify",), "Missing argument"),
        (("simulate", "--duration", "-1"), "must be above zero"),
        (("simulate", "--noise", "-1"), "--noise must be zero or above"),
        (("simulate", "--sweep", "1", "9"), "tension must be a number above zero"),
        (("simulate", "--tension", "-2"), "a tendon cannot push"),
        (("simulate", "--finger", "none.toml"), "cannot be read"),
        (("simulate", "--printed", "--tension", "2"), "leave out the loads"),
        (("simulate", "--seed", "-1"), "--seed must be"),
        (("simulate", "--step", "1e-9"), "samples are too many"),
        (("bend",), "No such command 'bend'"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_status_two(words, message, capsys):
    status, out, err = run(capsys, *words)
    assert status == 2 and out == "" and message in err and len(err.strip().splitlines()) == 1
    status, out, err = run(capsys, *words, "--json")
    assert status == 2 and message in json.loads(out)["status"]


def test_help_has_an_example(capsys):
    for name in ("design", "identify", "simulate"):
        status, out, _ = run(capsys, name, "--help")
        assert status == 0 and f"Example: carpal finger {name}" in " ".join(out.split())

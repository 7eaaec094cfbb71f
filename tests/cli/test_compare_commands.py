"""`carpal compare` from the command line."""

import json

import pytest

from carpal.cli.command_line import main
from carpal.engines.comparison import compare as comparing
from carpal.engines.comparison.engine_run import run_engine
from carpal.model import Scene, Sphere


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    """A process for each engine costs seconds of imports; test_supervision.py has one."""
    monkeypatch.setattr(comparing, "supervised", run_engine)


def run(capsys, *words):
    status = main(["compare", *words])
    out, err = capsys.readouterr()
    return status, out, err


def test_the_list_has_thirty_scenes_with_their_references(capsys):
    status, out, _ = run(capsys, "--list")
    assert status == 0 and "benchmark scenes" in out and "block_on_incline_slides" in out and "closed form" in out
    scenes = json.loads(run(capsys, "--list", "--json")[1])["scenes"]
    assert len(scenes) >= 30 and all(each["reference"] and each["about"] for each in scenes)


def test_a_benchmark_by_name_with_page_and_numbers(capsys, tmp_path):
    words = ("sphere_rolls", "--engines", "mujoco,rigid", "--duration", "0.1", "--samples", "20", "--once")
    status, out, err = run(capsys, *words, "--out", str(tmp_path / "o"))
    assert status == 0, err
    assert "reference / mujoco" in out and (tmp_path / "o" / "comparison.html").read_text().startswith(
        "<!doctype html>"
    )
    data = json.loads((tmp_path / "o" / "comparison.json").read_text())
    assert data["engines"]["mujoco"]["reference"]["largest_distance_m"] < 1e-3


def test_a_scene_from_a_file(capsys, tmp_path):
    file = tmp_path / "free.toml"
    file.write_text(Scene("free").add_object("ball", Sphere(0.05), mass=0.3).to_toml())
    words = (str(file), "--engines", "rigid, mujoco", "--duration", "0.05", "--samples", "5", "--json")
    answer = json.loads(run(capsys, *words)[1])
    assert answer["ok"] and answer["reference"] == "" and set(answer["engines"]) == {"rigid", "mujoco"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "give a scene, or --list"),
        (("no_such_scene",), "unknown benchmark scene 'no_such_scene'"),
        (("sphere_rolls", "--engines", "bullet"), "unknown engine 'bullet'"),
        (("sphere_rolls", "--limit", "0"), "limit must be a number above zero"),
        (("missing.toml",), "missing.toml"),
    ],
)
def test_bad_input_is_one_sentence(capsys, words, says):
    status, out, err = run(capsys, *words)
    assert status == 2 and says in err and out == ""

import json

import pytest
from collision_scenes import capsule_arm

from carpal.cli.command_line import main
from carpal.model import Box, Scene, Sphere

FREE = ["0"] * 7


@pytest.fixture
def scene_file(tmp_path):
    scene = Scene("cell").add_robot(capsule_arm(), name="arm")
    scene.add_object("cup", Sphere(0.04), mass=0.1, pose=[0.0, 0.0, 1.6])
    scene.add_fixed("shelf", Box((0.2, 0.6, 0.02)), pose=[0.5, 0.0, 0.9])
    path = tmp_path / "cell.toml"
    path.write_text(scene.to_toml())
    return str(path)


def run(capsys, *words):
    status = main(list(words))
    out, err = capsys.readouterr()
    return status, out, err


def q(*angles: str) -> list[str]:
    return [*angles, *["0", "0", "1.6", "1", "0", "0", "0"]]


def test_the_nearest_pair_is_named(capsys, scene_file):
    status, out, _ = run(capsys, "collide", scene_file)
    assert status == 0
    assert out.startswith("free: 'arm/capsule_4' and 'arm/capsule_6' are nearest, 60 mm apart")
    bent = q("0", "0.69", "0", "0", "0", "0", "0")
    status, out, _ = run(capsys, "collide", scene_file, "--q", *bent, "--json")
    answer = json.loads(out)
    assert status == 0 and answer["collides"] and answer["ok"]
    assert "shelf" in answer["pair"] and answer["depth_m"] == -answer["distance_m"] > 0
    assert answer["pair"][1] in answer["status"]


def test_a_way_and_what_is_met_on_it(capsys, scene_file):
    through = q("0", "1.9", "0", "0", "0", "0", "0")
    status, out, _ = run(capsys, "collide", scene_file, "--to", *through, "--json")
    answer = json.loads(out)
    assert status == 0 and not answer["collides"]
    assert not answer["sweep"]["free"] and "shelf" in answer["sweep"]["pair"] and 0 < answer["sweep"]["at"] < 1
    aside = q("1.5", "0.1", "0", "0", "0", "0", "0")
    status, out, _ = run(capsys, "collide", scene_file, "--to", *aside, "--resolution", "0.01")
    assert status == 0 and "the path is free (checked every 10 mm or closer" in out


def test_holding_and_excluding(capsys, scene_file):
    words = ["--hold", "cup=arm/link_6", "--exclude", "arm/capsule_4,arm/capsule_6", "--json"]
    status, out, _ = run(capsys, "collide", scene_file, *words)
    answer = json.loads(out)
    assert status == 0 and set(answer["pair"]) != {"arm/capsule_4", "arm/capsule_6"}


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (["--q", "1", "2"], "needs 14 numbers"),
        (["--hold", "cup"], "--hold takes OBJECT=BODY"),
        (["--hold", "cap=arm/link_6"], "did you mean 'cup'"),
        (["--exclude", "arm"], "--exclude takes A,B"),
        (["--resolution", "0.1"], "give --to as well"),
    ],
)
def test_wrong_input_is_one_line_and_status_2(capsys, scene_file, words, match):
    status, out, err = run(capsys, "collide", scene_file, *words)
    assert status == 2 and out == "" and match in err and err.count("\n") == 1


def test_a_file_that_is_no_scene(capsys, tmp_path):
    status, _, err = run(capsys, "collide", str(tmp_path / "none.toml"))
    assert status == 2 and "cannot be read" in err
    status, _, err = run(capsys, "collide", "robot.urdf")
    assert status == 2 and "no file 'robot.urdf'" in err
    status, _, err = run(capsys, "collide", "robot.json")
    assert status == 2 and "ends in .toml" in err
    status, _, err = run(capsys, "collide", str(tmp_path / "none.toml"), "--tool", "hand")
    assert status == 2 and "write tool = 'hand' under [robot.options]" in err

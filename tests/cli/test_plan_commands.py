"""`carpal plan`: one JSON object, files, exit status 0 only with a way, one line for bad input."""

import csv
import json

import numpy as np
import pytest
from planning_scenes import six_joint_arm

import carpal
from carpal.cli.command_line import main
from carpal.contact import collides
from carpal.model import Box, Scene, Sphere
from carpal.planning import Trajectory

pytestmark = pytest.mark.xdist_group("planners")
START, GOAL = [0.6, 0.3, 0.2, 0, 0.3, 0], [-0.6, 0.3, 0.2, 0, 0.3, 0]


@pytest.fixture
def scene_file(tmp_path):
    scene = Scene("cell").add_robot(six_joint_arm(), name="arm")
    scene.add_object("ball", Sphere(0.05), mass=0.1, pose=[0.5, 0.6, 0.9])
    scene.add_fixed("post", Box((0.05, 0.05, 0.9)), pose=[0.45, 0.0, 0.5])
    path = tmp_path / "cell.toml"
    path.write_text(scene.to_toml())
    return str(path)


def words(option, values):
    return [option, *(str(value) for value in values)]


def test_a_way_with_its_files(scene_file, tmp_path, capsys):
    out = tmp_path / "out"
    status = main(["plan", scene_file, *words("--start", START), *words("--goal", GOAL), "--json", "--out", str(out)])
    answer = json.loads(capsys.readouterr().out)
    assert (
        status == 0 and answer["ok"] and answer["checks"] > 0 and len(answer["path"]) > 2 and answer["duration_s"] > 0
    )
    assert np.allclose(answer["path"][0], START) and np.allclose(answer["path"][-1], GOAL)
    scene = Scene.from_toml(scene_file)
    model = scene.build()
    rows = np.array([[float(x) for x in row] for row in list(csv.reader((out / "samples.csv").open()))[1:]])
    q = np.tile(model.q_home, (len(rows), 1))
    q[:, :6] = rows[:, 1:7]
    assert not collides(scene, q) and np.allclose(np.diff(rows[:, 0]), 0.033)
    motion = Trajectory.load(out / "trajectory.npz")
    assert motion.duration == pytest.approx(answer["duration_s"])
    assert (out / "path.csv").exists() and (out / "trajectory.png").exists()


def test_for_people(scene_file, capsys):
    assert main(["plan", scene_file, *words("--start", START), *words("--goal", GOAL), "--planner", "sbl"]) == 0
    assert "a path of" in capsys.readouterr().out


def test_no_way_is_status_1(scene_file, capsys):
    inside = ["--goal", "0", "0.9", "-0.9", "0", "0", "0"]
    status = main(["plan", scene_file, *words("--start", START), *inside, "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert status == 1 and not answer["ok"] and "the goal touches" in answer["status"] and "post" in answer["status"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--goal", "1", "2"], "goal needs 6 numbers"),
        (["--goal", "nan", "0", "0", "0", "0", "0"], "not finite"),
        (["--goal", "9", "0", "0", "0", "0", "0"], "out of limits"),
        (["--goal", "0,0,0,0,0,zero"], "--goal must be numbers"),
        ([*words("--goal", GOAL), "--planner", "magic"], "unknown planner 'magic'"),
        ([*words("--goal", GOAL), "--joints", "leg"], "leg"),
        ([*words("--goal", GOAL), "--hold", "ball"], "OBJECT=BODY"),
    ],
)
def test_bad_input_is_one_line_and_status_2(scene_file, capsys, arguments, says):
    assert main(["plan", scene_file, *arguments]) == 2
    captured = capsys.readouterr()
    assert says in captured.err and captured.err.strip().count("\n") == 0 and not captured.out


def test_a_file_that_is_no_scene(tmp_path, capsys):
    assert main(["plan", str(tmp_path / "x.toml"), "--goal", "0"]) == 2
    assert main(["plan", str(tmp_path / "x.yaml"), "--goal", "0"]) == 2
    assert "ends in .toml" in capsys.readouterr().err


def test_goals_in_space_and_several_goals(scene_file, capsys):
    model = Scene.from_toml(scene_file).build()
    q = np.array(model.q_home)
    q[:6] = GOAL
    X = carpal.fk(model, q)
    start = words("--start", START)
    point = words("--point", X[:3, 3])
    direction = words("--direction", X[:3, :3] @ model.tool_axis)
    for goal in (
        point,
        [*point, *direction, "--within", "0.01", "--within-angle", "0.1"],
        words("--goal", [*GOAL, *START]),
    ):
        assert main(["plan", scene_file, *start, *goal, "--json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        end = np.array(model.q_home)
        end[:6] = answer["path"][-1]
        at = carpal.fk(model, end)[:3, 3]
        assert answer["proven"] and (answer["goal_index"] == 1 or np.linalg.norm(at - X[:3, 3]) < 0.02)
    q[:6] = START
    level = carpal.fk(model, q)[:3, 3] + [-0.1, 0.05, 0.0]
    kept = ["--keep-plane", "0", "0", "1", "--keep-within", "0.02"]
    assert main(["plan", scene_file, *start, *words("--point", level), *kept, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["planner"] == "constrained" and 0 < answer["kept"][0] <= 0.02
    assert main(["plan", scene_file, *start, *words("--point", [9, 9, 9])]) == 1
    assert "no configuration" in capsys.readouterr().out
    for bad, said in (
        ([], "give --goal"),
        ([*words("--goal", GOAL), "--within", "0.1"], "--within belongs to --point"),
    ):
        assert main(["plan", scene_file, *start, *bad]) == 2 and said in capsys.readouterr().err

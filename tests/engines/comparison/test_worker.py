"""The process of an engine: reads a folder, prints events, writes tracks."""

import dataclasses
import json

from carpal.engines.comparison.engine_run import RunPlan
from carpal.engines.comparison.track import Track
from carpal.engines.comparison.worker import main
from carpal.model import Scene, Sphere


def test_a_folder_is_answered(tmp_path, capsys):
    scene = Scene("ball").add_object("ball", Sphere(0.05), mass=0.3)
    (tmp_path / "scene.toml").write_text(scene.to_toml())
    (tmp_path / "request.json").write_text(json.dumps(dataclasses.asdict(RunPlan("mujoco", 0.1, 10))))
    main(tmp_path)
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert events[0]["event"] == "ready"
    answer = json.loads((tmp_path / "answer.json").read_text())
    assert answer["outcome"] == "ran" and answer["tracks"] == [1, 2, 4]
    assert len(Track.load(tmp_path / "track_2.npz").time) == 11

"""The page of a payload's set: one frame a look, states and lines of every possible cell, no plan without a payload."""

import json
import re

import numpy as np
import pytest
from payload_scenes import hanging, relay_scene

from carpal.errors import InputError
from carpal.planning import PlanResult, angles_along
from carpal.report.payload_replay import write_payload_replay


def made_result(**changes):
    scene = relay_scene()
    path = np.array([[0.0, -1.0, 0.6, 0.0, -0.3], [0.3, -1.0, 0.6, 0.0, -0.5]])
    numbers = {"seed": 0, "samples": 0, "checks": 0, "deleted": 0, "deletions_left": 0, "cost_found": 1.0, "cost": 1.0}
    given = {
        "ok": True, "status": "a way.", "path": path, "planner": "given", "tree_sizes": (1, 1), "resolution": 0.02,
        "margin": 0.0, "proven": True, "seconds": 0.0, "tables": scene.tables, "carried": scene,
        "grasp": (float(hanging(scene, path)[0]), 0.02), **numbers,
    }  # fmt: skip
    result = PlanResult(**(given | changes))
    result.__dict__["angles"] = angles_along(scene.model, scene.payload, path, angle=result.grasp[0])
    return result


def test_the_page_holds_every_look(tmp_path):
    result = made_result()
    path = write_payload_replay(result, tmp_path / "sub" / "payload.html")
    data = json.loads(re.search(r"const D=(\{.*\});\n", path.read_text()).group(1))
    assert len(data["frames"]) == len(result.angles) and data["looks"] == len(result.angles) - 1
    for frame, states in zip(data["frames"], result.angles.states, strict=True):
        assert frame["states"] == "".join(map(str, states)) and len(frame["held"]) == (states > 0).sum()
        assert 0 <= frame["tilt"] <= 180 and len(frame["arm"]) >= 3


def test_a_plan_without_a_payload_is_refused(tmp_path):
    with pytest.raises(InputError, match="no payload"):
        write_payload_replay(made_result(carried=None), tmp_path / "x.html")

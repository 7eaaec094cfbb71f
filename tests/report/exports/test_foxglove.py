"""Foxglove's messages of single rows; the whole file is read in test_mcap_file.py."""

import numpy as np
from export_inputs import matrix, recorded

from carpal.report.exports.cdr import encode
from carpal.report.exports.foxglove import LONGEST_ARROW, arrow_scale, contact_update, log_message, scene_update
from carpal.report.exports.motion import motion_of


def vector(message, names="xyz"):
    return tuple(message[name] for name in names)


def test_every_shape_but_a_plane_is_in_the_scene():
    scene = scene_update(motion_of(recorded()))
    assert len(encode("foxglove_msgs/SceneUpdate", scene)) > 10_000
    kinds = {entity["id"].split()[-1]: entity for entity in scene["entities"]}
    assert set(kinds) == {"box", "sphere", "cylinder", "capsule", "convex", "ellipsoid"}
    box, ellipsoid, cylinder = (
        kinds["box"]["cubes"][0],
        kinds["ellipsoid"]["spheres"][0],
        kinds["cylinder"]["cylinders"][0],
    )
    assert vector(box["size"]) == (0.1, 0.2, 0.3) and vector(box["color"], "rgba") == (0.2, 0.4, 0.6, 0.5)
    assert np.allclose(vector(ellipsoid["size"]), (0.2, 0.1, 0.04))
    assert vector(cylinder["size"]) == (0.08, 0.08, 0.2) and cylinder["bottom_scale"] == cylinder["top_scale"] == 1.0
    shape = next(s for s in recorded().model.shapes if s.shape.kind == "capsule")
    triangles = kinds["capsule"]["triangles"][0]
    points = triangles["points"]
    beyond = np.maximum(np.abs(points[:, 2]) - shape.shape.length / 2, 0.0)
    assert np.abs(np.hypot(np.hypot(points[:, 0], points[:, 1]), beyond) - shape.shape.radius).max() < 1e-9
    assert len(triangles["indices"]) % 3 == 0 and max(triangles["indices"]) < len(points)
    at = triangles["pose"]
    assert np.allclose(vector(at["position"]), shape.X_BS[:3, 3])
    assert np.abs(matrix(vector(at["orientation"], "wxyz")) - shape.X_BS[:3, :3]).max() < 1e-12
    assert kinds["capsule"]["frame_id"] == shape.body and kinds["capsule"]["frame_locked"]


def test_a_contact_is_an_arrow_along_its_force():
    motion = motion_of(recorded())
    update = contact_update(motion, 2, arrow_scale(motion))
    assert len(update["entities"]) == 2 and update["deletions"][0]["type"] == 1  # all that were shown before
    contact, entity = motion.contacts[2][0], update["entities"][0]
    arrow, written = entity["arrows"][0], {pair["key"]: pair["value"] for pair in entity["metadata"]}
    assert (written["a"], written["b"], written["mode"]) == (contact.a, contact.b, contact.mode)
    assert tuple(map(float, written["force"].split())) == contact.force and float(written["depth"]) == contact.depth
    assert vector(arrow["pose"]["position"]) == contact.point
    along = matrix(vector(arrow["pose"]["orientation"], "wxyz"))[:, 0]
    assert np.allclose(along, np.array(contact.force) / np.linalg.norm(contact.force))
    assert np.isclose(arrow["shaft_length"] + arrow["head_length"], LONGEST_ARROW)


def test_a_note_has_its_time_and_words():
    assert log_message(1.5, "touch", "row 7") == {
        "timestamp": {"sec": 1, "nanosec": 500_000_000}, "level": 2, "message": "row 7", "name": "touch",
    }  # fmt: skip

"""Every plot of every task's report is what its title says: recomputed from the recording's file with NumPy and compared.

A series is either recomputed here, or listed with the reason why the file alone does not give it.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

import numpy as np
import pytest
from recorded_series import (
    RecordedFile,
    body_poses,
    force_sizes,
    rotation,
    rows_of,
    shown_series,
    tool_place,
    turn,
    usual_series,
)

from carpal.report.report import report_html
from carpal.tasks import make_task

RUNS = {
    "reach": {"target": (0.9, 0.2, 0.4), "duration": 2.0},
    "mount": {"case": 3, "control": "closed", "pulse": "default"},
    "catch": {},
    "dexterity": {"example": 2},
    "retrieve": {"relay": (0.36, 0.35, -1.24)},
    "sign": {"text": "C"},
}
NOT_IN_THE_FILE = {
    r"f6\.": "runs of the same case under other control, made for the appendix",
    r"sign\.(travel|wrist|error)": "the plan, which the recording does not hold",
    r"catch\.(toggle|fingers|thumb|gap)": "the hand's mechanism, which the recording does not hold",
    r"catch\.(angles|places)": "the planned path and the arm's own chain",
    r"(closed|margin|zyz_rates|c_.*)": "grasp analysis and derived geometry, with tests of their own",
    r"retrieve\.(position|force)": "the gripper's own series, which are in the metadata as they are",
}
FINGERS = ("thumb", "index", "middle", "ring", "little")


@functools.cache
def shown_and_file(name: str, folder: Path) -> tuple[dict, RecordedFile]:
    result = make_task(name, **RUNS[name]).run(seed=0)
    path = result.recording.save(folder / f"{name}.parquet")
    return shown_series(report_html(result, replay=False)), RecordedFile(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("recorded")


def recomputed(name: str, file: RecordedFile) -> dict[str, tuple[str, np.ndarray]]:
    """Key to (unit, values) of what the file gives."""
    return {
        "reach": reach_series, "mount": mount_series, "catch": catch_series, "dexterity": dexterity_series,
        "retrieve": retrieve_series, "sign": sign_series,
    }[name](file)  # fmt: skip


def reach_series(file):
    away = np.linalg.norm(tool_place(file) - [0.9, 0.2, 0.4], axis=1)
    joints = [body["joint"] for body in file.bodies if body["joint"]["kind"] == "revolute"]
    v, u = (np.hstack([file.columns(x, j["name"]) for j in joints]) for x in "vu")
    return {
        "reach.away": ("mm", 1e3 * np.stack([away, np.full_like(away, 1e-3)], 1)),
        "reach.speed": ("%", 100 * np.abs(v) / [j["v_max"] for j in joints]),
        "reach.effort": ("%", 100 * np.abs(u) / [j["tau_max"] for j in joints]),
    }


def mount_series(file):
    """The pulleys' torques are virtual work: force on the table times its way for a turn of the pulley (erratum E8)."""
    slides = ["arm/slide_x", "arm/slide_y"]
    table = np.hstack([file.columns("q", name) for name in slides])
    force = np.hstack([file.columns("u", name) for name in slides])
    pushed = (file.time > 0.05 - 1e-6) & (file.time < 0.10 - 1e-6)  # the pulse of 50 N and 150 N
    force[pushed] -= [50.0, 150.0]
    radius = file.metadata["options"]["pulley_radius"]
    ways = 0.5 * radius * np.array([[-1.0, 1.0], [1.0, 1.0]])  # of the table (x, y) for one radian of pulley 5, of 6
    place = tool_place(file) - np.pad(table, ((0, 0), (0, 1)))
    return {
        "mount.table": ("mm", 1e3 * table),
        "mount.pulleys": ("N m", force @ ways.T),
        "mount.tool": ("mm", 1e3 * np.linalg.norm(place - place[-1], axis=1)[:, None]),  # it ends at its target
    }


def catch_series(file):
    series = file.metadata["catch"]["series"]
    places = ["palm", "index", "middle", "ring", "little", "thumb", "bin"]
    forces = force_sizes(file, places, "ball", lambda other: other.partition("/")[0] or "bin")
    torque, errors = np.array(series["torque"]), np.array(series["errors"])
    return {
        "catch.torque": ("N m", torque), "catch.torque_zoom": ("N m", torque), "catch.far": ("mm", 1e3 * errors[:, :1]),
        "catch.turn": ("deg", np.degrees(errors[:, 1:])), "catch.force": ("N", forces), "catch.force_zoom": ("N", forces),
    }  # fmt: skip


def dexterity_series(file):
    whose = lambda other: other.removeprefix("hand/").removesuffix("_link_3")  # noqa: E731
    q, v = file.columns("q", "object"), file.columns("v", "object")
    R = rotation(q[:, 3:])
    turned = np.arccos(np.clip(0.5 * (np.einsum("nij,ij->n", R, R[0]) - 1), -1, 1))
    levels = {"free": 0.0, "": 1.0, "sticking": 1.0, "rolling": 2.0, "sliding": 3.0}
    modes, vectors = np.zeros((len(file.time), 5)), np.zeros((len(file.time), 5, 3))
    for row, contacts in enumerate(file.contacts()):
        for contact in contacts:
            onto = 1 if contact["b"] == "object" else -1
            i = FINGERS.index(whose(contact["a"] if onto == 1 else contact["b"]))
            modes[row, i] = levels.get(contact["mode"], 1.0)
            vectors[row, i] += onto * np.array(contact["force"])
    forces = np.linalg.norm(vectors, axis=2)  # of one finger's contacts together
    touching = forces.any(0)
    found = {
        "force": ("N", forces[:, touching]), "modes": ("", modes), "turned": ("deg", np.degrees(turned)[:, None]),
        "place": ("m", q[:, :3]), "v_o": ("m/s", v[:, :3]), "w_o": ("rad/s", v[:, 3:]), "zyz": ("deg", R),
    }  # fmt: skip
    for i, finger in enumerate(FINGERS):
        joints = [f"hand/{finger}_{k}" for k in (1, 2, 3)]
        found[f"q_{finger}"] = ("deg", np.degrees(np.hstack([file.columns("q", j) for j in joints])))
        found[f"v_{finger}"] = ("rad/s", np.hstack([file.columns("v", j) for j in joints]))
        found[f"f_{finger}"] = ("N", vectors[:, i])
    return found


def retrieve_series(file):
    return {"retrieve.tool": ("m", tool_place(file))}


def sign_series(file):
    return {}


@pytest.mark.parametrize("name", RUNS)
def test_every_series_is_what_its_title_says(name, folder):
    shown, file = shown_and_file(name, folder)
    units = {key: ("", values) for key, values in usual_series(file).items()}
    found = units | recomputed(name, file)
    for key, (title, unit, names, time, values) in shown.items():
        if any(re.match(pattern, key) for pattern in NOT_IN_THE_FILE) and key not in found:
            continue
        if key in ("zyz", "retrieve.angle", "sign.tension"):
            continue  # below
        assert key in found, f"'{key}' ({title}) is neither recomputed nor listed"
        wanted_unit, wanted = found[key]
        assert not wanted_unit or unit == wanted_unit, (key, unit)
        wanted = wanted[rows_of(file, time)]
        assert wanted.shape == values.shape == (len(time), len(names)), key
        size = max(float(np.abs(wanted).max()), 1e-9)
        assert np.nanmax(np.abs(values - wanted)) <= 1e-5 * size + 1e-8, (key, title)


def test_titles_name_the_quantity(folder):
    """The titles that were wrong: accelerations under "Joint efforts", zeros under "Joint torques"."""
    shown, file = shown_and_file("mount", folder)
    assert "u" not in shown and shown["u:slide"][:2] == ("Joint forces", "N")
    title, unit, names, time, values = shown["a"]
    assert title.startswith("Commanded accelerations") and unit == "rad/s²"
    v = usual_series(file)["v"]
    speeds = shown["v"][4]
    commanded, measured = file.columns("u", "arm/j3")[500:520, 0], np.gradient(v[:, 3], file.time)[500:520]
    assert np.allclose(measured, commanded, atol=0.02 * np.abs(values).max())
    assert speeds.shape[1] == len(names) and len(time) > 100
    assert "u" not in shown_and_file("dexterity", folder)[0]
    assert shown_and_file("reach", folder)[0]["u"][:2] == ("Joint torques", "N m")


def test_angles_of_the_object_make_its_rotation(folder):
    shown, file = shown_and_file("dexterity", folder)
    _, unit, _, time, values = shown["zyz"]
    R = rotation(file.columns("q", "object")[:, 3:])[rows_of(file, time)]
    a, b, g = np.radians(values).T
    y, z = [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]
    assert unit == "deg" and np.abs(turn(z, a) @ turn(y, b) @ turn(z, g) - R).max() < 1e-5


def test_the_relays_angle_is_that_of_the_moved_relay(folder):
    """The angle in the gripper is the relay's turn about the gripper's axis: its changes are those of the recorded poses."""
    shown, file = shown_and_file("retrieve", folder)
    _, unit, names, time, values = shown["retrieve.angle"]
    poses = body_poses(file.bodies, lambda joint: file.columns("q", joint), len(file.time))
    hand = next(body["name"] for body in file.bodies if body["joint"]["name"] == "arm/wrist")
    relay = next(body["name"] for body in file.bodies if body["joint"]["name"] == "relay/free")
    relative = np.swapaxes(poses[hand][:, :3, :3], 1, 2) @ poses[relay][:, :3, :3]
    rows = rows_of(file, time)
    turned = np.arccos(np.clip(0.5 * (np.einsum("nij,ij->n", relative[rows], relative[rows[0]]) - 1), -1, 1))
    assert unit == "deg" and names[0] == "angle"
    assert np.abs(np.abs(values[:, 0] - values[0, 0]) - np.degrees(turned)).max() < 2.0  # rows are 0.25 s apart


def test_a_tendon_pulls_by_its_own_stretch(folder):
    """Tension is stiffness times what the drum has taken up beyond the joints' turns; a slack tendon pulls nothing."""
    shown, file = shown_and_file("sign", folder)
    _, unit, names, time, tension = shown["sign.tension"]
    _, _, _, _, travel = shown["sign.travel"]
    task = make_task("sign", **RUNS["sign"])
    rows = rows_of(file, time)
    for k, finger in enumerate(names):
        tendon = task.signer.hand.fingers[finger]
        moved = [n for n in file.joints("revolute") if n.startswith(f"hand/{finger}_")]
        turns = np.hstack([file.columns("q", name) for name in moved])[rows][:, -len(tendon.pulleys) :]
        wanted = tendon.stiffness * np.maximum(1e-3 * travel[:, k] - turns @ tendon.pulleys, 0.0)
        assert unit == "N" and np.abs(wanted - tension[:, k]).max() < 0.05, finger


def test_gripper_series_begin_with_the_closing(folder):
    """The gripper's own clock starts with its stage; the plots use the recording's."""
    shown, file = shown_and_file("retrieve", folder)
    facts = file.metadata["retrieve"]
    begin, end = next((a, b) for name, _, _, a, b in facts["stages"] if name == "close")
    _, _, _, time, values = shown["retrieve.force"]
    assert begin <= time[0] < begin + 0.1 and end - 0.1 < time[-1] <= end + 1e-3
    assert values[-1, 1] == pytest.approx(facts["gripper"]["force"][-1], rel=1e-5)


def test_the_header_tells_steps_from_rows(folder):
    from carpal.report.report import step_of

    _, file = shown_and_file("catch", folder)
    assert step_of(file.metadata) == file.metadata["engine_options"]["step"] < 1e-4 < np.diff(file.time).max()
    assert step_of({"integrator": "none", "dt": 0.25}) is None

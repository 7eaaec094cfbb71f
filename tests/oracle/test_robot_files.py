"""Robots' files as people publish them, beside Pinocchio (URDF) and native MuJoCo (MJCF).

A few files of example-robot-data in `make test`; all of them, and a folder of MJCF robots where CARPAL_MENAGERIE names one, in
`make verify`. With CARPAL_ROBOT_FILES set to a path, rows of all files are written there as JSON lines for
`tests/write_robot_files.py`.
"""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path

import pytest
import robot_file_checks as zoo

BOUND = 1e-9
EXACT = ("fk", "mass", "bias", "rigid_fall", "mujoco_fall", "home")
COUNTED = ("limits", "effort", "contacts")
FEW = ("panda.urdf", "double_pendulum_continuous.urdf", "so101.urdf", "solo12.urdf", "allegro_right_hand.urdf")
OUT = os.environ.get("CARPAL_ROBOT_FILES")
URDF = zoo.urdf_files()

MJCF = """<mujoco model="pair"><compiler angle="radian"/><option timestep="0.002"/><worldbody>
<geom type="plane" size="1 1 1"/><body name="base" pos="0 0 0.3">
<joint name="a" axis="0 1 0" range="-2 2" damping="0.3" armature="0.01"/>
<geom name="g1" type="capsule" fromto="0 0 0 0.2 0 0" size="0.02"/><body name="tip" pos="0.2 0 0"><joint name="b" axis="0 1 0"/>
<geom name="g2" type="capsule" fromto="0 0 0 0.2 0 0" size="0.02"/><site name="tool" pos="0.2 0 0"/></body></body>
<body name="puck" pos="0.5 0 0.0499"><freejoint/><geom name="p" type="sphere" size="0.05"/></body></worldbody>
<actuator><motor joint="a" ctrlrange="-1 1" forcerange="-3 3" gear="2"/></actuator></mujoco>"""


def check(row: zoo.Row, figure, names=EXACT) -> None:
    """Assert every figure of a row that was taken."""
    assert row.loaded == "yes", f"{row.file}: {row.loaded}"
    for name in names:
        value = row.figures.get(name)
        if isinstance(value, float):
            figure(f"robot files: {name} beside the oracle", value, BOUND, note=row.file)
    for name in COUNTED:
        value = row.figures.get(name)
        if isinstance(value, float):
            figure(f"robot files: {name} that differ", value, 0, note=row.file)


@pytest.mark.skipif(not URDF, reason="example-robot-data is not installed")
@pytest.mark.parametrize("name", FEW)
def test_some_urdf_files_beside_pinocchio(name, figure):
    path = next(path for path in URDF if path.name == name)
    row = zoo.check_file(path)
    check(row, figure)
    assert all(
        isinstance(row.figures[name], float)
        for name in ("fk", "mass", "bias", "limits", "effort", "contacts", "rigid_fall")
    )
    assert isinstance(row.figures["ik"], float), row.figures["ik"]


def test_an_mjcf_file_beside_native_mujoco(tmp_path, figure):
    path = tmp_path / "pair.xml"
    path.write_text(MJCF)
    row = zoo.check_file(path)
    check(row, figure)
    assert all(isinstance(row.figures[name], float) for name in (*EXACT, *COUNTED)), row.figures
    assert isinstance(row.figures["ik"], float), row.figures["ik"]


def test_a_file_that_lies_is_found(tmp_path, monkeypatch):
    path = tmp_path / "pair.xml"
    path.write_text(MJCF)
    load = zoo.carpal.load

    def heavier(file):
        model = load(file)
        last = model.bodies[1]
        more = dataclasses.replace(last, inertia=dataclasses.replace(last.inertia, mass=1.01 * last.inertia.mass))
        return model.replace(bodies=(model.bodies[0], more, *model.bodies[2:]))

    monkeypatch.setattr(zoo.carpal, "load", heavier)
    row = zoo.check_file(path)
    assert row.figures["mass"] > 1e-6 and row.figures["bias"] > 1e-6 and row.figures["fk"] < 1e-12


@pytest.mark.full
def test_every_robot_file(figure):
    rows = [
        (kind, zoo.check_file(path)) for kind, files in (("URDF", URDF), ("MJCF", zoo.mjcf_files())) for path in files
    ]
    if OUT:
        lines = (json.dumps({"kind": kind} | dataclasses.asdict(row)) for kind, row in rows)
        Path(OUT).write_text("".join(f"{line}\n" for line in lines))
    assert rows, "neither example-robot-data nor a folder of MJCF robots is there"
    loaded = [(kind, row) for kind, row in rows if row.loaded == "yes"]
    figure("robot files that load [share]", len(loaded) / len(rows), 0.98, at_least=True)
    for name in ("fk", "mass", "bias"):
        for kind, row in loaded:
            value = row.figures.get(name)
            if isinstance(value, float):
                figure(f"robot files: {name} beside the oracle ({kind})", value, BOUND, note=row.file)

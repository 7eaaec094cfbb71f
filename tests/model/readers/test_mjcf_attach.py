"""Attached models, frames, replicas and includes: kinematics and mass matrix as MuJoCo has them for the same files."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
import trimesh

import carpal
from carpal.contact import contact_tables
from carpal.errors import ModelError
from carpal.model.readers.reading import read_file, read_text
from carpal.model.readers.sandbox import read_untrusted

FINGER = """<mujoco model="finger"><compiler angle="degree" meshdir="assets"/>
<asset><material name="m" rgba="1 0 0 1"/><mesh name="tip" file="tip.stl" scale="0.1 0.1 0.1"/></asset>
<worldbody><geom name="plate" type="box" size="0.1 0.2 0.05" pos="0.1 0 0" material="m"/><frame euler="0 0 20"><geom name="rim" size="0.07" pos="0 0.3 0"/></frame>
<body name="link" pos="0 0 0.1" euler="10 0 0"><joint name="bend" axis="0 1 0" range="-20 90" damping="0.1"/><geom type="capsule" size="0.02" fromto="0 0 0 0 0 0.2"/>
<body name="end" pos="0 0 0.2"><joint name="curl" axis="1 0 0"/><inertial mass="0.2" pos="0 0.01 0" fullinertia="2e-3 3e-3 4e-3 1e-4 0 0"/>
<geom name="tip" type="mesh" mesh="tip"/><site name="touch"/></body></body></worldbody>
<contact><exclude body1="link" body2="end"/></contact><actuator><motor name="drive" joint="bend"/></actuator></mujoco>"""  # noqa: E501 - a robot file
HAND = """<mujoco><asset><model name="finger" file="parts/finger.xml"/></asset><worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body name="palm" pos="0 0 1"><freejoint/><geom name="palm" type="box" size="0.1 0.1 0.02"/>
<frame pos="0.1 0 0" euler="0 30 0"><attach model="finger" body="link" prefix="left_"/></frame>
<frame pos="-0.1 0 0" euler="0 0 180"><attach model="finger" prefix="right_"/></frame>
<replicate count="3" offset="0 0.1 0" euler="0 0 20"><body name="peg" pos="0 0 0.3"><joint axis="0 0 1"/><geom size="0.02" pos="0.01 0 0"/></body></replicate>
</body></worldbody></mujoco>"""  # noqa: E501 - a robot file


def folder(tmp_path):
    (tmp_path / "parts" / "assets").mkdir(parents=True)
    trimesh.creation.box((0.2, 0.3, 0.4)).export(tmp_path / "parts" / "assets" / "tip.stl")
    (tmp_path / "parts" / "finger.xml").write_text(FINGER)
    (tmp_path / "hand.xml").write_text(HAND)
    return tmp_path / "hand.xml"


def native(file):
    there = mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(there)
    rng = np.random.default_rng(0)
    data.qpos[:] = rng.normal(size=there.nq)
    data.qpos[3:7] /= np.linalg.norm(data.qpos[3:7])
    mujoco.mj_forward(there, data)
    return there, data


def test_attached_models_move_as_in_mujoco(tmp_path, figure) -> None:
    file = folder(tmp_path)
    model = read_file(file)
    there, data = native(file)
    assert [body.name for body in model.bodies] == [there.body(i).name for i in range(1, there.nbody)]
    q = np.array(data.qpos)
    worst = max(
        np.abs(carpal.fk(model, q, there.body(i).name)[:3, 3] - data.xpos[i]).max() for i in range(1, there.nbody)
    )
    for i in range(there.nsite):
        worst = max(worst, np.abs(carpal.fk(model, q, there.site(i).name)[:3, 3] - data.site_xpos[i]).max())
    figure("positions of bodies and sites of attached models against MuJoCo [m]", worst, 1e-12)
    M = np.zeros((there.nv, there.nv))
    mujoco.mj_fullM(there, data, M)
    # beyond the palm's six freedoms, which MuJoCo counts in other axes
    figure(
        "mass matrix of attached models against MuJoCo",
        np.abs(carpal.mass_matrix(model, q)[6:, 6:] - M[6:, 6:]).max(), 1e-12,
    )  # fmt: skip
    assert model.mass == pytest.approx(there.body_mass.sum(), rel=1e-12)
    assert [actuator.name for actuator in model.actuators] == ["left_drive", "right_drive"]


def test_shapes_contacts_and_visuals_of_attached_models(tmp_path) -> None:
    file = folder(tmp_path)
    model = read_file(file)
    there, _ = native(file)
    named = {there.geom(i).name for i in range(there.ngeom) if there.geom(i).name}
    assert len(model.shapes) == there.ngeom and named - {"palm"} <= {shape.name for shape in model.shapes}
    assert ("left_link", "left_end") in model.exclusions and ("right_link", "right_end") in model.exclusions
    assert {seen.mesh for seen in model.visuals if seen.mesh} == {str((tmp_path / "parts/assets/tip.stl").resolve())}
    assert next(shape for shape in model.shapes if shape.name == "right_plate").rgba == (1, 0, 0, 1)
    tables = contact_tables(model)
    assert all({"left_tip", "left_link_geom0"} != set(tables.pair_names(i)) for i in range(len(tables.pairs)))
    stranger = read_untrusted(file)
    assert [shape.name for shape in stranger.shapes] == [shape.name for shape in model.shapes]


def test_what_cannot_be_attached_is_one_sentence(tmp_path) -> None:
    file = folder(tmp_path)
    with pytest.raises(ModelError, match="without a folder"):
        read_text(HAND)
    for reference, sentence in (
        ("gone.xml", "attaches 'gone.xml', which was not found"),
        ("parts/r.urdf", "is no MJCF file"),
    ):
        (tmp_path / "parts" / "r.urdf").write_text('<robot name="r"><link name="l"/></robot>')
        file.write_text(HAND.replace("parts/finger.xml", reference))
        with pytest.raises(ModelError, match=sentence):
            read_file(file)
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "hand.xml").write_text(HAND.replace("parts/", "../parts/"))
    assert len(read_file(tmp_path / "inner" / "hand.xml").bodies) == 8
    with pytest.raises(ModelError, match="outside its own folder; refused"):
        read_file(tmp_path / "inner" / "hand.xml", confined=True)
    (tmp_path / "self.xml").write_text(
        '<mujoco><asset><model name="s" file="self.xml"/></asset><worldbody><body><attach model="s" prefix="p"/></body></worldbody></mujoco>'  # noqa: E501
    )
    with pytest.raises(ModelError, match="models within models"):
        read_file(tmp_path / "self.xml")

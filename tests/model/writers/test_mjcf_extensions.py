"""What stands beside the tree, written as MJCF: MuJoCo has the same constraints, and the reader gives the same model back."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from extended_models import extended_model

from carpal.errors import ModelError
from carpal.model import Actuator, Coupling, Loop, ModelTendon, PathStep, PlacedShape, Scene, Sphere
from carpal.model.readers.reading import read_text
from carpal.model.serialise import model_to_dict
from carpal.model.serialise_extensions import extensions_out
from carpal.model.writers.mjcf_extensions import Extensions, from_zero
from carpal.spatial import pose, rotation_about

KEPT = ("couplings", "loops", "tendons", "actuators")


def kept(model):
    """Everything that this file writes, as plain data."""
    return {what: value for what, value in extensions_out(model).items() if what in KEPT}


def rich_model():
    """The extended model with a weld, a wrapped cable on a body's own frame, and an actuator whose kind is not its numbers'."""
    base = extended_model()
    X = pose(rotation_about(np.array([2.0, 3.0, 6.0]) / 7, 0.7), [0.1, 0.2, 0.3])
    steps = PathStep("site", "a"), PathStep("sphere", "drum", side="b"), PathStep("site", "tip")
    return base.replace(
        shapes=(*base.shapes, PlacedShape("drum", None, Sphere(0.02), pose(p=np.array([0.5, 0, 0])), collides=False)),
        couplings=(*base.couplings, Coupling("still", "hinge_b", None, (0.1,), 0.2)),
        loops=(*base.loops, Loop("weld", "weld", "b", "a", X, np.eye(4))),
        tendons=(*base.tendons, ModelTendon("wrapped", {}, steps, damping=1.0, limits=(0.0, 3.0))),
        actuators=(*base.actuators, Actuator("plain", "general", tendon="wrapped", ctrl_range=(-1, 2))),
    )


@pytest.mark.parametrize("make", [extended_model, rich_model])
def test_read_back(make):
    model = make()
    again = read_text(model.to_mjcf())
    want, got = kept(model), kept(again)
    for what in ("couplings", "tendons", "actuators"):
        assert got[what] == want[what], what
    for a, b in zip(again.loops, model.loops, strict=True):
        assert (a.name, a.kind, a.body_a, a.body_b) == (b.name, b.kind, b.body_a, b.body_b)
        assert np.allclose(a.X_AL, b.X_AL, atol=1e-15)
        assert np.allclose(a.X_BL, b.X_BL, atol=1e-15)
    assert again.frames == model.frames
    for a, b in zip(again.bodies, model.bodies, strict=True):
        assert (a.gravity_compensation, a.joint.stiffness, a.joint.q_spring, a.joint.tau_max) == (
            b.gravity_compensation, b.joint.stiffness, b.joint.q_spring, b.joint.tau_max,
        )  # fmt: skip
    if make is extended_model:  # rotations go through quaternions and may change their last digit
        assert again.to_mjcf() == model.to_mjcf()


def test_scenes_keep_them_for_each_robot():
    scene = Scene("two")
    scene.add_robot(extended_model(), name="left")
    scene.add_robot(rich_model(), name="right", pose=[1.0, 0.0, 0.0])
    again = Scene.from_mjcf(scene.to_mjcf())
    assert [robot.name for robot in again.robots] == ["left", "right"]
    built, rebuilt = model_to_dict(scene.build()), model_to_dict(again.build())
    for what in ("couplings", "tendons", "actuators"):
        assert built[what] == rebuilt[what], what
    assert [loop["name"] for loop in built["loops"]] == [loop["name"] for loop in rebuilt["loops"]]
    assert rebuilt["bodies"][2]["gravity_compensation"] == 0.5


def test_mujoco_has_the_same_coupling():
    model = extended_model().replace(loops=(), tendons=(), actuators=())
    there = mujoco.MjModel.from_xml_string(model.to_mjcf())
    data = mujoco.MjData(there)
    data.qpos[:] = 0.4, 0.0, 0.9
    mujoco.mj_forward(there, data)
    x = 0.4 - 0.3
    missed = 0.9 - 0.2 - (0.1 - 2.0 * x + 0.5 * x * x)
    assert np.allclose(data.efc_pos[:1], missed, atol=1e-15)


def test_an_edit_by_hand_counts():
    text = extended_model().to_mjcf()
    line = next(line for line in text.splitlines() if "polycoef" in line)
    edited = text.replace(line, '<joint name="gear" joint1="hinge_c" joint2="hinge_a" polycoef="0 3 0 0 0"/>')
    assert read_text(edited).couplings[0].coefficients == (0.0, 3.0)


def test_custom_texts_that_are_not_ours_are_one_sentence():
    text = extended_model().to_mjcf().replace("&quot;refs&quot;: [0.2, 0.3]", "&quot;refs&quot;: 7")
    with pytest.raises(ModelError, match="custom texts"):
        read_text(text)


def test_a_shifted_polynomial_has_the_same_values():
    coefficients, x = (0.3, -2.0, 0.5, 1.5, -0.25), np.linspace(-1, 1, 7)
    shifted = from_zero(coefficients, 0.7, -0.4)
    value = 0.7 + np.polynomial.polynomial.polyval(x + 0.4, coefficients)
    assert np.allclose(np.polynomial.polynomial.polyval(x, shifted), value, atol=1e-14)
    assert from_zero(coefficients, 0.0, 0.0) == coefficients


def test_sites_beside_the_frames_have_free_names():
    model = extended_model()
    extensions = Extensions(model)
    assert not {site.name for site in extensions.sites} & set(model.frames)
    assert extensions.ends["closing"] == ("closing/a", "closing/b")

"""URDF that is written reads back as the same robot, here and in Pinocchio; what it cannot hold is named."""

import warnings

import numpy as np
import pinocchio
import pytest
from extended_models import extended_model
from random_models import random_tree

import carpal
from carpal.errors import ModelError
from carpal.kinematics import random_configurations
from carpal.model import Body, Box, Capsule, Coupling, Cylinder, Ellipsoid, Joint, Model, PlacedShape, Sphere
from carpal.model.readers.reading import read_text
from carpal.model.writers.urdf_writer import rpy_from_rotation, urdf_losses
from carpal.spatial import Inertia, pose, rotation_from_rpy

ROBOTS = ("sawyer", "so101", "k10", "catcher_arm", "cuhk_hand")


def written(model: Model) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.to_urdf()


def again(model: Model) -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_text(written(model))


@pytest.mark.parametrize("name", ROBOTS)
def test_catalogue_robots_read_back_and_agree_with_pinocchio(name, figure):
    model = carpal.load(name, **({"inertia": "assumed"} if name == "k10" else {}))
    other = again(model)
    assert other.joint_names == model.joint_names
    assert set(model.frames) <= set(other.frames)
    theirs = pinocchio.buildModelFromXML(written(model))
    data = theirs.createData()
    columns = [theirs.idx_qs[theirs.getJointId(joint)] for joint in model.joint_names]
    q = random_configurations(model, 10, seed=1)
    away = np.abs(carpal.fk(model, q) - carpal.fk(other, q, model.tool)).max()
    mass = np.abs(carpal.mass_matrix(model, q) - carpal.mass_matrix(other, q)).max() if model.has_inertia else 0.0
    for one in q:
        x = pinocchio.neutral(theirs)
        x[columns] = one
        pinocchio.framesForwardKinematics(theirs, data, x)
        tool = data.oMf[theirs.getFrameId(str(model.tool))].homogeneous
        away = max(away, np.abs(tool - carpal.fk(model, one)).max())
        if model.has_inertia:
            M = pinocchio.crba(theirs, data, x)
            M = (np.triu(M) + np.triu(M, 1).T)[np.ix_(columns, columns)] + np.diag(
                [b.joint.armature for b in moving(model)]
            )
            mass = max(mass, np.abs(M - carpal.mass_matrix(model, one)).max())
    figure(f"URDF of {name}: poses read back and in Pinocchio", away, 1e-9)
    figure(f"URDF of {name}: mass matrices read back and in Pinocchio", mass, 1e-9)


def moving(model: Model) -> list[Body]:
    return [body for body in model.bodies if body.joint.kind != "fixed"]


def test_random_trees_with_joints_off_their_bodies(figure):
    worst = 0.0
    for seed in range(12):
        model = random_tree(seed)
        if any(body.joint.kind == "ball" for body in model.bodies):
            with pytest.raises(ModelError, match=r"URDF has no ball joints; .* has "):
                model.to_urdf()
            continue
        other = again(model)
        q = random_configurations(model, 4, seed=seed)
        kinds = [kind for kind, _ in model.joint_slices()]
        order = [(model.q_index(j), other.q_index(j), kind) for j, kind in zip(model.joint_names, kinds, strict=True)]
        p = np.tile(np.asarray(other.q_home), (4, 1))
        for mine, its, kind in order:
            n = 7 if kind == "free" else 1
            p[:, its : its + n] = q[:, mine : mine + n]
        for body in model.bodies:
            worst = max(worst, np.abs(carpal.fk(model, q, body.name) - carpal.fk(other, p, body.name)).max())
    figure("URDF of random trees: poses read back", worst, 1e-9)


def test_limits_couplings_and_shapes():
    a = Body("a", None, Joint("mount"), Inertia.nothing())
    point = Inertia.point(1.0, np.ones(3))
    hinge = Joint("j", "revolute", q_min=-1.0, q_max=2.0, v_max=3.0, tau_max=4.0, damping=0.5, friction=0.25)
    b = Body("b", "a", hinge, point)
    c = Body("c", "b", Joint("k", "prismatic", axis=[1.0, 0, 0], q_min=0.0, q_max=0.5), point)
    shapes = (
        PlacedShape("box", "b", Box((0.1, 0.2, 0.3))), PlacedShape("ball", "c", Sphere(0.1), pose(p=[0.1, 0, 0])),
        PlacedShape("rod", "c", Cylinder(0.1, 0.4)), PlacedShape("pill", "b", Capsule(0.1, 0.4)),
    )  # fmt: skip
    follow = Coupling("f", "k", "j", (0.1, 0.25), follower_ref=0.05, leader_ref=0.2)
    model = Model("m", (a, b, c), shapes=shapes, couplings=(follow,))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        text = model.to_urdf()
    other = read_text(text)
    for what in ("q_min", "q_max"):
        assert np.array_equal(getattr(other, what), getattr(model, what))
    assert (other.v_max[0], other.tau_max[0]) == (3.0, 4.0)
    assert (other.body("b").joint.damping, other.body("b").joint.friction) == (0.5, 0.25)
    kinds = sorted(shape.shape.kind for shape in other.shapes if shape.body == "b")
    assert kinds == ["box", "cylinder", "sphere", "sphere"]
    got = other.couplings[0]
    for value in (0.0, 0.7):
        mine = 0.05 + 0.1 + 0.25 * (value - 0.2)
        its = got.follower_ref + got.coefficients[0] + got.coefficients[1] * (value - got.leader_ref)
        assert its == pytest.approx(mine, abs=1e-15)


def test_what_is_lost_is_named():
    model = extended_model()
    losses = " ".join(urdf_losses(model))
    for what in ("loops", "tendons", "actuators", "springs", "gravity compensation", "contact masks"):
        assert what in losses, what
    for loop in model.loops:
        assert loop.name in losses
    egg = PlacedShape("egg", None, Ellipsoid((0.1, 0.2, 0.3)))
    with pytest.warns(UserWarning, match=r"URDF of 'm': shapes cannot be held: egg\."):
        Model("m", (Body("a", None, Joint("j")),), shapes=(egg,)).to_urdf()


def test_angles_also_at_right_angles():
    rng = np.random.default_rng(0)
    worst = 0.0
    for pitch in (np.pi / 2, -np.pi / 2, np.pi / 2 - 1e-9, 0.3):
        for _ in range(20):
            R = rotation_from_rpy([rng.uniform(-3, 3), pitch, rng.uniform(-3, 3)])
            worst = max(worst, np.abs(rotation_from_rpy(rpy_from_rotation(R)) - R).max())
    assert worst < 1e-15 * 4

"""The path between two configurations, and the bound on what it moves."""

import numpy as np
from kernel_inputs import MODEL
from random_models import random_state
from scipy.spatial.transform import Rotation, Slerp

from carpal.contact import contact_tables
from carpal.contact.kernels.motion_bound import between, pair_speed
from carpal.kinematics import fk
from carpal.model import Body, Capsule, Joint, Model, PlacedShape, Sphere
from carpal.spatial import pose

SHAPES = tuple(
    PlacedShape(f"shape_{body.name}", body.name, Capsule(0.1, 0.3), pose(p=[0.1, 0.2, 0.3])) for body in MODEL.bodies
)
ROBOT = MODEL.replace(shapes=(*SHAPES, PlacedShape("standing", None, Capsule(0.1, 0.3))))
TABLES = contact_tables(ROBOT)
JOINTS, BODIES = TABLES.constants[:2]
RNG = np.random.default_rng(8)
Q0, Q1 = random_state(ROBOT, RNG, (2,))[0], random_state(ROBOT, RNG, (2,))[0]


def way(t: float) -> np.ndarray:
    q = np.full((3, ROBOT.nq), np.nan)
    between(JOINTS, Q0, Q1, t, q, 1, 2)
    assert np.isnan(q[:2]).all()
    return q[2]


def test_the_path_is_straight_and_turns_at_constant_speed():
    for t in (0.0, 0.25, 0.5, 0.9, 1.0):
        q = way(t)
        for kind, first in ROBOT.joint_slices():
            if kind in ("revolute", "prismatic"):
                assert np.isclose(q[first], (1 - t) * Q0[1, first] + t * Q1[1, first], atol=1e-14)
                continue
            if kind == "free":
                p = slice(first, first + 3)
                assert np.allclose(q[p], (1 - t) * Q0[1, p] + t * Q1[1, p], atol=1e-14)
                first += 3
            ends = Rotation.from_quat(np.array([Q0[1, first : first + 4], Q1[1, first : first + 4]]), scalar_first=True)
            R = Slerp([0, 1], ends)(t).as_matrix()
            got = Rotation.from_quat(q[first : first + 4], scalar_first=True).as_matrix()
            assert np.allclose(got, R, rtol=0, atol=1e-12)


def test_no_point_moves_faster_than_the_bound():
    steps = 400
    names, shapes = TABLES.names, {shape.name: shape for shape in ROBOT.shapes}
    path = np.array([way(t) for t in np.linspace(0, 1, steps + 1)])
    ends = np.array([[0, 0, 0.25, 1], [0, 0, -0.25, 1.0], [0.1, 0, 0.1, 1]])  # on the capsule's surface
    placed = {}
    for name, shape in shapes.items():
        X = np.broadcast_to(np.eye(4), (steps + 1, 4, 4)) if shape.body is None else fk(ROBOT, path, shape.body)
        placed[name] = X @ shape.X_BS
    nearest_to_bound = 0.0
    for pair in range(0, len(TABLES.pairs), 3):
        a, b = TABLES.pairs[pair, :2]
        bound = pair_speed(JOINTS, BODIES, TABLES.shapes, Q0, Q1, 1, a, b)
        seen_from_b = np.linalg.inv(placed[names[b]]) @ placed[names[a]]
        points = (seen_from_b @ ends.T)[:, :3]
        moved = np.linalg.norm(np.diff(points, axis=0), axis=1).max()
        # in b's frame b's own turning moves points of a as well, by at most their distance: compare in the world instead
        if shapes[names[b]].body is None:
            assert moved <= bound / steps * (1 + 1e-9)
            nearest_to_bound = max(nearest_to_bound, moved * steps / bound)
        gap = np.linalg.norm(placed[names[a]][:, :3, 3] - placed[names[b]][:, :3, 3], axis=1)
        assert np.abs(np.diff(gap)).max() <= bound / steps * (1 + 1e-9)
    assert nearest_to_bound > 0.1, "a bound that is never nearly reached bounds nothing"


def test_no_motion_no_bound():
    assert pair_speed(JOINTS, BODIES, TABLES.shapes, Q0, Q0, 1, 0, len(TABLES.names) - 1) < 1e-6


def test_a_slide_carries_what_turns_behind_it_farther_out():
    """A turning base, then a slide: the tip moves by the angle times its distance, which the slide's travel is part of."""
    bodies = (
        Body("base", None, Joint("turn", "revolute")),
        Body("arm", "base", Joint("slide", "prismatic", axis=[1, 0, 0])),
    )
    crane = Model(
        "crane", bodies, shapes=(PlacedShape("tip", "arm", Sphere(0.01)), PlacedShape("post", None, Sphere(0.01)))
    )
    tables = contact_tables(crane)
    joints, placed = tables.constants[:2]
    for q0, q1 in (([0.0, 2.0], [0.1, 2.0]), ([0.0, -0.5], [0.2, -3.0])):
        ends = np.array([q0]), np.array([q1])
        bound = pair_speed(joints, placed, tables.shapes, *ends, 0, 0, 1)
        t = np.linspace(0, 1, 2001)[:, None]
        path = (1 - t) * q0 + t * np.array(q1)
        tip = path[:, 1:] * np.column_stack([np.cos(path[:, 0]), np.sin(path[:, 0])])
        length = np.linalg.norm(np.diff(tip, axis=0), axis=1).sum()
        assert length <= bound <= 1.25 * length + 0.05

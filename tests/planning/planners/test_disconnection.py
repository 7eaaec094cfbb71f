"""Proofs that no path exists: walls by their closed form, gaps that a ball fits through, never where a path is known."""

import numpy as np
import pytest
from lane_inputs import carriage

from carpal.contact import collision_checker, lane_tables
from carpal.model import Body, Box, Capsule, Joint, Model, PlacedShape, Scene, Sphere
from carpal.planning import plan
from carpal.planning.planners.disconnection import shown_apart
from carpal.planning.planners.plan_options import PlanOptions
from carpal.planning.planners.planned_scene import planned_scene
from carpal.spatial import pose, rotation_about


def apart(scene: Scene | Model, start: np.ndarray, goal: np.ndarray) -> int:
    ready = planned_scene(scene, PlanOptions())
    return shown_apart(ready, lane_tables(ready.tables, 0.0), start, goal[None])


def walled(gap: float) -> Scene:
    """A wall with a slit of some width, through which a ball of diameter 0.1 may pass."""
    scene = Scene("slit").add_robot(carriage(), name="c")
    for side in (-1, 1):
        scene.add_fixed(f"half_{side}", Box((0.1, 2.0, 4.0)), pose=[0.3, side * (1.0 + 0.5 * gap), 0.0])
    return scene


def test_a_slit_is_closed_where_the_ball_does_not_fit():
    start, goal = np.zeros(3), np.array([0.8, 0.0, 0.0])
    assert apart(walled(0.0), start, goal) > 0
    assert apart(walled(0.12), start, goal) == 0  # it fits
    assert plan(walled(0.12), start, goal, planner="spheres", max_samples=20_000).ended_by != "proof that none exists"


def two_links() -> Model:
    turned = pose(rotation_about(np.array([0.0, 1.0, 0.0]), np.pi / 2), (0.2, 0, 0))
    bodies = [
        Body("a", None, Joint("q0", "revolute", axis=np.array([0, 0, 1.0]), q_min=-2.5, q_max=2.5)),
        Body(
            "b",
            "a",
            Joint("q1", "revolute", X_PJ=pose(p=[0.4, 0, 0]), axis=np.array([0, 0, 1.0]), q_min=-2.5, q_max=2.5),
        ),
    ]
    shapes = tuple(PlacedShape(f"link_{n}", n, Capsule(0.04, 0.4), turned) for n in "ab")
    return Model("two", tuple(bodies), shapes=shapes)


@pytest.mark.parametrize("seed", range(6))
def test_it_is_never_shown_where_a_path_is_known(seed):
    rng = np.random.default_rng(seed)
    scene = Scene("boxes").add_robot(two_links(), name="r")
    for i in range(4):
        angle, far = rng.uniform(-np.pi, np.pi), rng.uniform(0.3, 0.8)
        scene.add_fixed(
            f"box_{i}", Sphere(rng.uniform(0.03, 0.12)), pose=[far * np.cos(angle), far * np.sin(angle), 0.0]
        )
    checker = collision_checker(scene)
    q = rng.uniform(-2.4, 2.4, (60, 2))
    q = q[~checker.collides(q).hit]
    shown = found = 0
    for a, b in zip(q[::2], q[1::2], strict=False):
        cells = apart(scene, a, b)
        result = plan(checker, a, b, planner="rrt_connect", max_samples=1500)
        assert not (cells and result)
        shown, found = shown + (cells > 0), found + bool(result)
    assert shown + found >= 0.7 * (len(q) // 2)  # most questions are decided


def test_what_is_left_open():
    free = two_links()
    far = Scene("far").add_robot(free, name="r").add_fixed("ball", Sphere(0.1), pose=[3, 0, 0])
    assert apart(far, np.zeros(2), np.ones(2)) == 0
    model = Model(
        "free", tuple(Body(n, None if n == "a" else "a", Joint(f"q_{n}", "revolute")) for n in "ab"),
        shapes=(
            PlacedShape("ball", "b", Sphere(0.1), pose(p=[1, 0, 0])),
            PlacedShape("post", None, Sphere(0.1), pose(p=[0, 1, 0])),
        ),
    )  # fmt: skip
    assert apart(model, np.zeros(2), np.ones(2)) == 0  # without limits

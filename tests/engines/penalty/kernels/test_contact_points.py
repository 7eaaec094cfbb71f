"""Contacts: a flat punch whose force does not depend on the mesh, balls against balls, points against triangles."""

import numpy as np
import penalty_inputs as inputs
import pytest

from carpal.engines import ContactLaw, PenaltyEngine
from carpal.model import Box, Mechanism, MechanismBody, PlacedShape, PrescribedMotion, Sphere
from carpal.spatial import Inertia

LAW = ContactLaw(stiffness=1e9, damping=1e5, friction=0.3)


def cube(size, cells):
    """A closed box of triangles: vertices and triangles, every side cut into cells x cells squares."""
    steps = np.linspace(-0.5, 0.5, cells + 1)
    points, faces = [], []
    for axis in range(3):
        for sign in (-0.5, 0.5):
            u, v = np.meshgrid(steps, steps, indexing="ij")
            grid = np.empty((*u.shape, 3))
            grid[..., axis], grid[..., (axis + 1) % 3], grid[..., (axis + 2) % 3] = sign, u, v
            first, n = len(points), cells + 1
            points += list(grid.reshape(-1, 3))
            for i in range(cells):
                for j in range(cells):
                    a, b, c, d = (
                        first + i * n + j,
                        first + (i + 1) * n + j,
                        first + (i + 1) * n + j + 1,
                        first + i * n + j + 1,
                    )
                    faces += [(a, b, c), (a, c, d)] if sign > 0 else [(a, c, b), (a, d, c)]
    points, back = np.unique(np.round(points, 12), axis=0, return_inverse=True)
    return points * np.asarray(size), back.reshape(-1)[np.array(faces)].astype(np.int64)


def punch(points_per_side, cells, depth):
    """A punch of 40 x 40 mm pressed `depth` into a box of triangles; all its points are at centres of equal squares."""
    side = 0.04
    grid = (np.arange(points_per_side) + 0.5) / points_per_side * side - side / 2
    x, y = np.meshgrid(grid, grid)
    points = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    areas = np.full(len(points), side**2 / len(points))
    tool = MechanismBody(
        "punch", Inertia(1.0, np.zeros(3), np.eye(3) * 1e-3), inputs.pose((0, 0, -depth)), points=points, areas=areas
    )
    vertices, triangles = cube((0.1, 0.1, 0.05), cells)
    anvil = MechanismBody(
        "anvil",
        Inertia(1.0, np.zeros(3), np.eye(3) * 1e-3),
        inputs.pose((0, 0, -0.025)),
        vertices=vertices,
        triangles=triangles,
    )
    still = tuple(PrescribedMotion(b.name, [0.0], b.X_WB[None]) for b in (tool, anvil))
    return PenaltyEngine(Mechanism("punch", (tool, anvil), prescribed=still, gravity=np.zeros(3)), dt=1e-6, contact=LAW)


def test_a_flat_punch_presses_the_same_at_three_mesh_densities(figure):
    depth, forces = 1e-4, []
    for points_per_side, cells in ((4, 2), (8, 5), (16, 8)):
        engine = punch(points_per_side, cells, depth)
        found = engine.contacts(engine.start(), np.zeros(12))
        assert len(found) == points_per_side**2
        forces.append(-sum(c.force[2] for c in found))
    exact = 0.04**2 * LAW.stiffness * depth
    figure(
        "flat punch: force against A k d over three densities, relative", max(abs(f / exact - 1) for f in forces), 0.02
    )
    figure("flat punch: spread between the densities, relative", (max(forces) - min(forces)) / exact, 0.02)


def test_a_punch_of_points_falls_and_rests_on_triangles():
    resting = punch(4, 2, 0.0)
    tool, anvil = resting.mechanism.bodies
    still = (PrescribedMotion("anvil", [0.0], anvil.X_WB[None]),)
    engine = PenaltyEngine(Mechanism("rest", (tool, anvil), prescribed=still), dt=1e-5, contact=LAW)
    end = engine.run(engine.start(), steps=30_000).state
    assert end.q[2] == pytest.approx(-9.81 / (0.04**2 * LAW.stiffness), rel=0.02)
    assert sum(c.force[2] for c in engine.contacts(end, np.zeros(12))) == pytest.approx(-9.81, rel=0.02)


def _ball(name, x, speed, mass=0.1, radius=0.02):
    moments = (0.4 * mass * radius**2,) * 3
    v = np.array([speed, 0.0, 0.0, 0.0, 0.0, 0.0])
    skin = (PlacedShape(f"{name}/skin", name, Sphere(radius)),)
    return inputs.body(name, mass, moments=moments, X_WB=inputs.pose((x, 0, 0)), V_WB=v, shapes=skin)


def test_two_balls_exchange_their_speeds_and_keep_their_momentum():
    law = ContactLaw(stiffness=1e9, damping=0.0, friction=0.3)
    engine = PenaltyEngine(
        Mechanism("balls", (_ball("one", -0.025, 1.0), _ball("two", 0.025, 0.0)), gravity=np.zeros(3)),
        dt=2e-6,
        contact=law,
    )
    end = engine.run(engine.start(), steps=20_000).state
    assert end.v[[0, 6]] == pytest.approx([0.0, 1.0], abs=1e-5)
    assert engine.contacts(end, np.zeros(12)) == []


def test_untouched_pairs_pass_through_each_other():
    balls = (_ball("one", -0.025, 1.0), _ball("two", 0.025, 0.0))
    engine = PenaltyEngine(Mechanism("ghosts", balls, gravity=np.zeros(3), untouched=(("one", "two"),)), dt=1e-4)
    assert engine.run(engine.start(), steps=500).state.v[0] == 1.0


def test_a_rolling_ball_neither_slips_nor_slows():
    """A ball set rolling goes on rolling: a sphere on a plane has no rolling resistance here."""
    radius, speed, mass = 0.02, 0.5, 0.1
    sink = mass * 9.81 / (LAW.area * LAW.stiffness)
    ball = MechanismBody(
        "ball", Inertia(mass, np.zeros(3), np.eye(3) * 0.4 * mass * radius**2), inputs.pose((0, 0, radius - sink)),
        np.array([speed, 0, 0, 0, speed / radius, 0]), (PlacedShape("skin", "ball", Sphere(radius)),),
    )  # fmt: skip
    engine = PenaltyEngine(Mechanism("roll", (ball,), fixed=inputs.floor()), dt=1e-5, contact=LAW)
    end = engine.run(engine.start(), steps=20_000).state
    assert end.v[0] == pytest.approx(speed, rel=5e-3)
    assert end.v[0] == pytest.approx(end.v[4] * radius, rel=1e-2)


def test_box_against_box_is_one_contact_with_equal_and_opposite_forces():
    def cube_body(name, z):
        skin = (PlacedShape(f"{name}/skin", name, Box((0.1, 0.1, 0.1))),)
        return inputs.body(name, X_WB=inputs.pose((0, 0, z)), shapes=skin)

    engine = PenaltyEngine(Mechanism("boxes", (cube_body("low", 0.0), cube_body("high", 0.0999))), dt=1e-5, contact=LAW)
    (found,) = engine.contacts(engine.start(), np.zeros(12))
    assert (found.a, found.b) == ("low", "high")
    assert found.depth == pytest.approx(1e-4) and found.force[2] == pytest.approx(1e-4 * LAW.area * LAW.stiffness)

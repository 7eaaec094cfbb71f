"""What an actuator feels is the mass matrix and the gravity torque of a tree, and the exact curve's of a linkage."""

import dataclasses

import numpy as np
import pytest
import setup_inputs as setup
from linkage_inputs import linkage

import carpal
from carpal.engines import PenaltyEngine, mechanism_of, stiffened
from carpal.engines.penalty.setup.response import Response
from carpal.errors import ModelError
from carpal.model import RotarySpring, angle_lines, spring_force


def _at_start(mechanism):
    return Response(mechanism, PenaltyEngine(mechanism, dt=1e-9).start().q)


@pytest.mark.parametrize("name", ["so101_old", "chain"])
def test_a_trees_inertia_and_load_are_its_mass_matrix_and_gravity(name, figure):
    model = carpal.load("so101_old") if name == "so101_old" else setup.chain(3)
    q = np.linspace(0.4, -0.3, model.nq)
    felt = [_at_start(mechanism_of(model, q, drives=True).mechanism).felt(k) for k in range(model.nv)]
    M, zero = np.diag(carpal.mass_matrix(model, q)), np.zeros(model.nv)
    g = carpal.inverse_dynamics(model, q, zero, zero)
    figure(f"{name}: inertia felt against the mass matrix, relative", max(abs([f.inertia for f in felt] / M - 1)), 1e-9)
    figure(f"{name}: load felt against gravity [N m]", max(abs([f.load for f in felt] + g)), 1e-9)


@pytest.mark.parametrize("name", ["crank_slider", "crossed_finger", "six_bar_finger"])
def test_a_linkages_inertia_and_load_follow_from_its_exact_curve(name, figure):
    made = linkage(name)
    curve, d, h = made.curve(), 0.6 * made.drive.start + 0.4 * made.drive.stop, 1e-6
    mechanism = made.mechanism(drive=d)
    felt = _at_start(mechanism).felt(0)
    inertia = load = 0.0
    # the plane lies in world x, y and gravity along z pulls out of it: turn gravity into the plane
    flat = dataclasses.replace(mechanism, gravity=np.array([3.0, -9.0, 0.0]))
    felt = _at_start(flat).felt(0)
    before, after = curve.poses(d - h), curve.poses(d + h)
    for body in flat.bodies:
        i = made.index[body.name]

        def com(poses, com=body.inertia.com, i=i):
            x, y, a = poses[i]
            c, s = np.cos(a), np.sin(a)
            return np.array([x + c * com[0] - s * com[1], y + s * com[0] + c * com[1]])

        v, w = (com(after) - com(before)) / (2 * h), (after[i, 2] - before[i, 2]) / (2 * h)
        inertia += body.inertia.mass * v @ v + body.inertia.about_com[2, 2] * w * w
        load += body.inertia.mass * v @ [3.0, -9.0]
    load += -float(spring_force(curve, d)) if made.springs else 0.0
    figure(f"{name}: inertia felt against the curve's, relative", abs(felt.inertia / inertia - 1), 1e-7)
    figure(f"{name}: load felt against the curve's, relative", abs(felt.load / load - 1), 1e-6)


def test_springs_load_and_damp():
    tree = mechanism_of(setup.chain(1), q=[0.0], drives=True).mechanism
    lines = angle_lines(None, tree.bodies[0], [0, 1, 0])
    spring = RotarySpring("s", None, "rod0", **lines, stiffness=2.0, damping=0.3, rest=0.1)
    plain, sprung = (_at_start(dataclasses.replace(tree, springs=s)).felt(0) for s in ((), (spring,)))
    assert sprung.load - plain.load == pytest.approx(0.2)
    assert (plain.damping, sprung.damping) == (0.0, pytest.approx(0.3))


def test_a_moved_pose_has_the_moved_load():
    model = setup.chain(1)
    here = _at_start(stiffened(mechanism_of(model, drives=True).mechanism, 1e-4))
    there = here.moved(1e-3 * here.felt(0).motion).felt(0).load
    g = carpal.inverse_dynamics(model, model.q_home + 1e-3, np.zeros(1), np.zeros(1))
    assert there == pytest.approx(-g[0], rel=1e-6)


def test_an_actuator_that_moves_nothing_is_named():
    tree = mechanism_of(setup.chain(1), drives=True).mechanism
    twice = dataclasses.replace(tree.actuators[0], name="again", command=1)
    with pytest.raises(ModelError, match="actuator 'j0' of mechanism 'chain' cannot move anything"):
        _at_start(dataclasses.replace(tree, actuators=(*tree.actuators, twice))).felt(0)

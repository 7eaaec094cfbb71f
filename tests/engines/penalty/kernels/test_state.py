"""Full coordinates: loading and storing are inverse, rotation vectors of the body's own axes."""

import numpy as np
import penalty_inputs as inputs
import pytest

from carpal.engines import PenaltyEngine, PenaltyState
from carpal.engines.penalty.kernels.state import turned_in_body
from carpal.model import Mechanism
from carpal.spatial import rotation_about, rotation_from_wxyz


def test_a_turn_in_the_bodys_axes_multiplies_on_the_right():
    rng = np.random.default_rng(0)
    for _ in range(20):
        wxyz, turn = rng.normal(size=4), rng.normal(size=3) * rng.choice([1.0, 0.02])
        wxyz /= np.linalg.norm(wxyz)
        angle = float(np.linalg.norm(turn))
        found = rotation_from_wxyz(np.array(turned_in_body(*wxyz, *turn)))
        assert found == pytest.approx(rotation_from_wxyz(wxyz) @ rotation_about(turn / angle, angle), abs=1e-12)
    assert turned_in_body(1.0, 0.0, 0.0, 0.0, 1e-9, 0.0, 0.0)[1] == pytest.approx(5e-10)


def test_no_steps_give_the_state_back_and_its_energies():
    bodies = (inputs.body("a", com=(0.1, 0.2, -0.1)), inputs.body("b", com=(0.0, -0.3, 0.05)))
    engine = PenaltyEngine(Mechanism("two", bodies), dt=1e-3)
    rng = np.random.default_rng(1)
    q, v = rng.normal(size=14), rng.normal(size=12)
    for i in (3, 10):
        q[i : i + 4] /= np.linalg.norm(q[i : i + 4])
    state = PenaltyState(0.0, q, v)
    end = engine.run(state, steps=0).state
    assert end.q == pytest.approx(q, abs=1e-14) and end.v == pytest.approx(v, abs=1e-14)
    kinetic, potential = 0.0, 0.0
    for i, body in enumerate(bodies):
        R, w = rotation_from_wxyz(q[7 * i + 3 : 7 * i + 7]), v[6 * i + 3 : 6 * i + 6]
        arm = R @ body.inertia.com
        speed = v[6 * i : 6 * i + 3] + np.cross(w, arm)
        kinetic += 0.5 * speed @ speed + 0.5 * w @ R @ body.inertia.about_com @ R.T @ w
        potential += 9.81 * (q[7 * i + 2] + arm[2])
    assert engine.energies(state) == (pytest.approx(kinetic, rel=1e-12), pytest.approx(potential, rel=1e-12))

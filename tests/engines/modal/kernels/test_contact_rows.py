"""Contact velocities against finite differences of the bodies' motion, and W against NumPy."""

import modal_scenes as scenes
import numpy as np

from carpal.contact import contact_frame
from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels import ledger as columns
from carpal.kinematics import fk
from carpal.model import State


def test_slip_is_the_velocity_of_the_points_that_touch():
    """Fingers that are pushed against a cube without friction: the reported slip is that of the material points."""
    model, target = scenes.cross_fingers(2)
    engine = ModalEngine(model, surface=Surface(mu=0.0), target=target, **scenes.HAND_GAINS)
    v = np.random.default_rng(0).normal(size=model.nv) * 1e-3
    after, _, touch = engine.run_with_ledger(State.home(model, v=v), None, 1)
    assert touch[0, columns.T_PAIR] >= 0
    for row in touch:
        if row[columns.T_PAIR] < 0:
            break
        a, b = engine.tables.pair_bodies(int(row[columns.T_PAIR]))
        p, R = row[columns.T_POINT : columns.T_POINT + 3], contact_frame(row[columns.T_NORMAL : columns.T_NORMAL + 3])
        ways = []
        for name in (a, b):
            here = fk(model, model.q_home, name)
            local = here[:3, :3].T @ (p - here[:3, 3])
            eps = 1e-6
            moved = [fk(model, _moved(model, after.v, s * eps), name) for s in (1, -1)]
            ways.append(((moved[0][:3, :3] - moved[1][:3, :3]) @ local + moved[0][:3, 3] - moved[1][:3, 3]) / (2 * eps))
        relative = R.T @ (ways[1] - ways[0])
        assert np.abs(relative[:2] - row[columns.T_SLIP : columns.T_SLIP + 2]).max() < 1e-8


def _moved(model, v, dt):
    from carpal.kinematics import integrate

    return integrate(model, model.q_home, v, dt)

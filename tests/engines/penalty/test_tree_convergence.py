"""A random tree of 20 hinged bodies goes where the rigid engine takes it, the nearer the stiffer its joints are."""

import numpy as np
import penalty_inputs as inputs

from carpal.engines import PenaltyEngine, RigidEngine
from carpal.kinematics import fk
from carpal.model import State


def tree_errors(seed, duration, settings):
    """Largest distance [m] of a body's origin from where `rigid` has it, for each (stiffness, dt)."""
    errors = []
    for stiffness, dt in settings:
        mechanism, model = inputs.hinged_tree(seed, 20, stiffness)
        engine = PenaltyEngine(mechanism, dt=dt)
        found = engine.run(engine.start(), steps=round(duration / dt)).state.q.reshape(-1, 7)[:, :3]
        rigid = RigidEngine(model, dt=1e-4)
        q = rigid.run(State.home(model), np.zeros(model.nv), round(duration / 1e-4)).state.q
        true = np.array([fk(model, q, frame=body.name)[:3, 3] for body in model.bodies])
        errors.append(float(np.linalg.norm(found - true, axis=1).max()))
    return np.array(errors)


def test_a_tree_of_20_bodies_converges_to_rigid(figure):
    stiffness = np.array([1e5, 1e6, 1e7, 1e8])
    errors = tree_errors(4, 0.2, list(zip(stiffness, [8e-5, 4e-5, 2e-5, 1e-5], strict=True)))
    figure("tree of 20: farthest body from rigid after 0.2 s, k = 1e8 N/m [m]", errors[-1], 2e-5)
    slope = np.polyfit(np.log10(stiffness), np.log10(errors), 1)[0]
    figure("tree of 20: |exponent of the distance against stiffness + 1|", abs(slope + 1), 0.15)

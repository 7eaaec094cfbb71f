"""One contact: bodies too far apart to touch are dismissed by balls about their centres of mass, and none that touches is."""

import numpy as np
import penalty_inputs as inputs

from carpal.engines import PenaltyEngine
from carpal.model import Box, Capsule, Mechanism, PlacedShape


def _one(engine):
    return engine.contacts(engine.start(), np.zeros(engine.model.nv))


def test_a_shape_far_out_on_its_body_still_touches():
    tip = PlacedShape("tip", "arm", Capsule(0.01, 0.04), inputs.pose((0.5, 0, 0)))
    arm = inputs.body("arm", com=(-0.2, 0.0, 0.0), shapes=(tip,))
    for reach, touches in ((0.0149, True), (0.0151, False)):
        block = PlacedShape("block", None, Box((0.01, 0.01, 0.01)), inputs.pose((0.5 + reach, 0, 0)))
        assert bool(_one(PenaltyEngine(Mechanism("m", (arm,), fixed=(block,)), dt=1e-6))) is touches


def test_the_forces_on_both_bodies_balance():
    a = inputs.body(
        "a", shapes=(PlacedShape("a", "a", Box((0.1, 0.1, 0.1))),), V_WB=np.array([0.1, 0.2, 0.0, 0, 0, 1.0])
    )
    b = inputs.body("b", X_WB=inputs.pose((0.01, 0.02, 0.0999)), shapes=(PlacedShape("b", "b", Capsule(0.05, 0.1)),))
    engine = PenaltyEngine(Mechanism("m", (a, b), gravity=np.zeros(3)), dt=1e-6)
    start = engine.start()
    end = engine.run(start, steps=50).state
    inertias = [body.inertia for body in engine.mechanism.bodies]
    momentum = [sum(i.mass * state.v[6 * n : 6 * n + 3] for n, i in enumerate(inertias)) for state in (start, end)]
    assert np.abs(end.v - start.v).max() > 1e-3  # something pushed
    np.testing.assert_allclose(momentum[1], momentum[0], atol=1e-13)

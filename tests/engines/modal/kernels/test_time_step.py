"""The time stepper as a whole: it holds, and it converges with its order where surfaces curve."""

import modal_scenes as scenes
import numpy as np
from scipy.integrate import solve_ivp

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels import ledger as columns
from carpal.engines.modal.kernels.ledger import CERTIFICATE


def test_a_ball_on_a_ball_converges_with_order_one(figure):
    errors = []
    for dt in (4e-3, 2e-3, 1e-3):
        scene, truth = scenes.ball_on_ball(0.3)
        engine = ModalEngine(scene.build(), dt=dt, surface=Surface(mu=1.2))
        state, ledger, _ = engine.run_with_ledger(scene.start(), None, round(0.3 / dt))
        errors.append(abs(np.arctan2(state.q[0], state.q[2]) - truth))
        assert ledger[columns.CERTIFIED : columns.CERTIFIED + CERTIFICATE].max() < 1e-9
    order = np.log2(errors[0] / errors[2]) / 2
    figure(
        "ball rolling on a ball, time stepper: order",
        order,
        0.9,
        at_least=True,
        note=f"error {errors[2]:.2g} rad at 1 ms",
    )


def test_the_truth_of_that_test_is_a_rolling_ball():
    _, truth = scenes.ball_on_ball(0.3)
    found = solve_ivp(
        lambda t, y: [y[1], 5 / 7 * 9.81 / 0.25 * np.sin(y[0])], (0, 0.3), [0.1, 0], rtol=1e-11, atol=1e-13
    )
    assert abs(found.y[0, -1] - truth) < 1e-9

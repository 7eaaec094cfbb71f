"""The regressor: its product with any inertial parameters is inverse dynamics with those parameters."""

import numpy as np
from random_models import random_state, random_tree, relative_error

from carpal.dynamics import dynamics_regressor, inertial_parameters, inverse_dynamics


def test_it_gives_inverse_dynamics(figure):
    worst = 0.0
    for seed in range(15):
        model = random_tree(seed, free="anywhere")
        q, v, vdot = random_state(model, np.random.default_rng(seed))
        Y = dynamics_regressor(model, q, v, vdot)
        rotor = np.zeros(model.nv)
        for row, (_, _, _, first) in enumerate(model.tables.joints[1:], start=1):
            last = model.tables.joints[row + 1, 3] if row + 1 < len(model.tables.joints) else model.nv
            rotor[first:last] = model.tables.bodies[row, 22] * vdot[first:last]
        tau = Y @ inertial_parameters(model) + rotor
        worst = max(worst, relative_error(tau, inverse_dynamics(model, q, v, vdot)))
        assert Y.shape == (model.nv, 10 * (len(model.tables.joints) - 1))
    figure("regressor times parameters against inverse dynamics, 15 trees: relative error", worst, 1e-10)


def test_every_parameter_counts_as_it_does_in_inverse_dynamics(figure):
    """One parameter changed at a time, by the kernel of inverse dynamics itself."""
    from carpal.dynamics.kernels.rnea import COLUMNS, rnea_batch

    model = random_tree(2, joints=6, free="anywhere")
    q, v, vdot = (x[None].copy() for x in random_state(model, np.random.default_rng(2)))
    Y = dynamics_regressor(model, q[0], v[0], vdot[0])
    tables, worst = model.tables, 0.0

    def tau(bodies):
        out, scratch = np.empty((1, model.nv)), np.empty((1, len(tables.joints), COLUMNS))
        rnea_batch(tables.joints, bodies, q, v, vdot, out, scratch, 0, 1, 1, 0)
        return out[0]

    base = tau(tables.bodies.copy())
    for column in range(Y.shape[1]):
        changed = tables.bodies.copy()
        changed[1 + column // 10, 12 + column % 10] += 1.0
        worst = max(worst, relative_error(tau(changed) - base, Y[:, column]))
    figure("columns of the regressor against inverse dynamics: relative error", worst, 1e-9)

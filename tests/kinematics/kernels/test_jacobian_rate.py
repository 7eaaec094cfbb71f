"""Rate of the Jacobian: finite differences on trees of all joint kinds, and the product with v by another algorithm."""

import numpy as np
from random_models import random_state, random_tree, relative_error

from carpal.kinematics import integrate, jacobian, jacobian_rate, jacobian_rate_times_v


def test_rates(figure):
    worst, product, h = 0.0, 0.0, 1e-6
    for seed in range(8):
        model = random_tree(seed, free="anywhere")
        q, v, _ = random_state(model, np.random.default_rng(seed))
        frame = model.frames[-1]
        for axes in ("world", "frame"):
            rate = jacobian_rate(model, q, v, frame, axes=axes)
            ahead, behind = (jacobian(model, integrate(model, q, v, s * h), frame, axes=axes) for s in (1, -1))
            worst = max(worst, relative_error(rate, (ahead - behind) / (2 * h)))
            product = max(product, relative_error(rate @ v, jacobian_rate_times_v(model, q, v, frame, axes=axes)))
    figure("Jacobian rate against central differences, 8 trees: relative error", worst, 1e-6)
    figure("Jacobian rate times v against the frame's acceleration, 8 trees: relative error", product, 1e-11)


def test_batches_equal_single_calls():
    model = random_tree(3)
    states = [random_state(model, np.random.default_rng(i)) for i in range(4)]
    q, v = (np.array([s[k] for s in states]) for k in range(2))
    many = jacobian_rate(model, q, v)
    assert all(np.array_equal(many[i], jacobian_rate(model, q[i], v[i])) for i in range(4))

"""The network: slopes by differences, a grid that keeps bits, temperatures that are known."""

import numpy as np

from carpal.labs.sign.reading.network import (
    GRID,
    best_temperature,
    gradient,
    logits,
    new_layers,
    on_grid,
    softmax,
    train_layers,
)


def _cost(layers, x, label):
    p = softmax(logits(layers, x))
    return -np.log(p[np.arange(len(label)), label]).mean()


def test_slopes_are_those_of_difference_quotients(figure):
    rng = np.random.default_rng(0)
    layers = new_layers(rng, (7, 6, 5, 4))
    x, label = rng.standard_normal((20, 7)), rng.integers(0, 4, 20)
    worst = 0.0
    for k, pair in enumerate(gradient(layers, x, label)):
        for i, slope in enumerate(pair):
            flat = layers[k][i].reshape(-1)
            for j in rng.integers(0, flat.size, 8):
                kept, h = flat[j], 1e-5
                flat[j] = kept + h
                ahead = _cost(layers, x, label)
                flat[j] = kept - h
                behind = _cost(layers, x, label)
                flat[j] = kept
                worst = max(worst, abs((ahead - behind) / (2 * h) - slope.reshape(-1)[j]))
    figure("network: slope against difference quotients", worst, 1e-8)


def _blobs(seed=0):
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 3, 600)
    return np.array([[0, 0], [3, 0], [0, 3.0]])[label] + 0.5 * rng.standard_normal((600, 2)), label


def test_it_learns_and_stays_on_its_grid():
    x, label = _blobs()
    layers = train_layers(x, label, (2, 8, 3), seed=1, epochs=12, batch=32, rate=1e-2)
    assert (logits(layers, x).argmax(1) == label).mean() > 0.97
    for weights, offset in layers:
        assert np.array_equal(on_grid(weights), weights) and np.array_equal(on_grid(offset), offset)


def test_sums_in_another_order_give_the_same_weights():
    x, label = _blobs()
    shaken = x + 1e-14 * np.random.default_rng(5).standard_normal(x.shape)  # as large as rounding
    a, b = (train_layers(data, label, (2, 16, 3), seed=1, epochs=8, batch=32, rate=1e-2) for data in (x, shaken))
    assert all(np.array_equal(u, v) for one, two in zip(a, b, strict=True) for u, v in zip(one, two, strict=True))
    assert GRID == 65536


def test_temperature_undoes_what_was_multiplied():
    rng = np.random.default_rng(2)
    scores = 2.0 * rng.standard_normal((20_000, 4))
    p = softmax(scores)
    label = (p.cumsum(1) < rng.random((len(p), 1))).sum(1)
    assert abs(best_temperature(scores, label) - 1) < 0.05
    assert abs(best_temperature(3.0 * scores, label) - 3) < 0.15
    assert np.allclose(p.sum(1), 1) and np.isfinite(softmax(np.array([1e4, -1e4]))).all()

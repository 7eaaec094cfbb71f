"""Random grasps, pushes, drops and impacts: every step certified, nothing blows up."""

import numpy as np
import pytest
from modal_trials import random_trial

from carpal.engines.modal.certificate import COLUMNS
from carpal.engines.modal.kernels import ledger as columns
from carpal.errors import CarpalError

STEPS = 300
RELATIVE = ("gap_force", "cone", "direction")


def _run(seeds):
    """(certificates (trials, 6), ledger (trials, ...), blow-ups, fastest)."""
    certificates, ledger, broken, fastest = [], [], 0, 0.0
    for seed in seeds:
        trial = random_trial(seed)
        try:
            state, row, _ = trial.engine.run_with_ledger(trial.state, None, STEPS)
        except CarpalError:
            broken += 1
            continue
        fastest = max(fastest, float(np.abs(state.v).max()))
        certificates.append([row[columns.CERTIFIED + column] for column in COLUMNS.values()])
        ledger.append(row)
    return np.array(certificates), np.array(ledger), broken, fastest


def _judge(seeds, figure):
    certificates, ledger, broken, fastest = _run(seeds)
    worst = dict(zip(COLUMNS, certificates.max(axis=0), strict=True))
    n = len(certificates)
    figure(f"{n} random trials: blow-ups", broken, 0)
    for name in RELATIVE:
        figure(f"{n} random trials: worst relative residual, {name}", worst[name], 1e-9)
    deep = int((certificates[:, list(COLUMNS).index("overlap")] > 1e-9).sum())
    figure(f"{n} random trials: worst overlap [m]", worst["overlap"], 1e-9, note=f"{deep} trials above 1e-9 m")
    figure(f"{n} random trials: largest energy gain of contacts in a step [J]", worst["energy"], 1e-9)
    contacts = ledger[:, columns.SOLVES].sum()
    figure(
        f"{n} random trials: mode changes per 1,000 steps", 1e3 * ledger[:, columns.CHANGES].sum() / contacts, 100.0,
        note=f"{int(ledger[:, columns.HITS].sum())} collisions, fastest {fastest:.3g}",
    )  # fmt: skip


def test_forty_random_trials(figure):
    _judge(range(40), figure)


@pytest.mark.parametrize("seed", [478, 621, 1399, 1918])
def test_gaps_that_contradict_each_other_leave_no_overlap(seed):
    """Hulls and boxes whose manifold jumps from corner to corner within a step."""
    certificates, _, broken, _ = _run([seed])
    assert not broken
    assert certificates[0][list(COLUMNS).index("overlap")] < 1e-9


@pytest.mark.full
def test_two_thousand_random_trials(figure):
    _judge(range(2000), figure)


def test_the_same_seed_gives_the_same_bits():
    one, two = (random_trial(2) for _ in range(2))
    a, b = (trial.engine.run(trial.state, None, 100).state for trial in (one, two))
    assert np.array_equal(a.q, b.q)
    assert np.array_equal(a.v, b.v)

"""The entries: refusals, their own share of worlds, and moments that were reached."""

import numpy as np
from finger_inputs import facts_finger

from carpal.labs.finger.kernels.gauss import STAGE
from carpal.labs.finger.kernels.motion import LEDGER, finger_motion_batch

WORLDS, N = 3, 5
MOMENTS = np.linspace(0.0, 2e-3, N)


def call(q, v, start=0, stop=WORLDS, table=None, moments=MOMENTS):
    out = [
        np.full((WORLDS, N, 3), 7.0),
        np.full((WORLDS, N, 3), 7.0),
        np.full((WORLDS, N, LEDGER), 7.0),
        np.full((WORLDS, 2), 7.0),
    ]
    work = [np.full((2, *shape), np.nan) for shape in ((9, 9), (9,), (9,), (9, STAGE))]
    rows = np.repeat(facts_finger().row[None], WORLDS, 0)
    bad = finger_motion_batch(
        moments, np.zeros((N, 8)) if table is None else table, 2, rows, q, v, *out, *work, start, stop, 1, 1
    )
    return bad, out


def test_worlds_of_the_share_alone_are_touched():
    rng = np.random.default_rng(0)
    q, v = rng.uniform(-1, 1, (WORLDS, 3)), rng.normal(size=(WORLDS, 3))
    bad, (q_out, v_out, ledger, done) = call(q, v, 1, 2)
    assert bad == 0 and (q_out[[0, 2]] == 7.0).all() and (ledger[[0, 2]] == 7.0).all()
    assert np.allclose(q_out[1, 0], q[1]) and np.allclose(v_out[1, 0], v[1]) and done[1, 0] == N and 1 < done[1, 1] < 20
    assert np.array_equal(call(q, v)[1][0][1], q_out[1])


def test_bad_worlds_are_named():
    q, v = np.zeros((WORLDS, 3)), np.zeros((WORLDS, 3))
    for spoiled in (q, v):
        spoiled[1, 2] = np.nan
        assert call(q, v)[0] == 2
        spoiled[1, 2] = 0.0


def test_a_motion_that_stops_says_where():
    q, v = np.zeros((WORLDS, 3)), np.zeros((WORLDS, 3))
    table = np.zeros((N, 8))
    table[3:, 3] = np.nan
    bad, (_, _, _, done) = call(q, v, table=table)
    assert bad == 0 and (done[:, 0] == 3).all()

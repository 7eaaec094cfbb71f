"""Every pair of kinds against proofs by support functions, Coal and MuJoCo; degenerate placements; the fast form."""

import numpy as np
import pytest
from pair_oracles import (
    BOX,
    CAPSULE,
    CONVEX,
    KIND_PAIRS,
    PAIR_IDS,
    PLANE,
    POINTS,
    Pairs,
    coal_answers,
    mujoco_answers,
    outside,
    overlap,
    query,
    random_pairs,
    random_poses,
    reach,
    rows,
)  # fmt: skip

from carpal.contact.kernels import pair_queries
from carpal.contact.kernels.pair import NO_PAIR, PAIR_SCRATCH, nearest
from carpal.contact.kernels.pair_queries import DISTANCE, NORMAL, POINT_A, POINT_B, STATUS

DIGITS = 1e-6  # [m] what must agree


def check_proof(pairs: Pairs, answer: np.ndarray, figure, what: str) -> None:
    """What an answer claims, checked by support functions: no other program is trusted."""
    d, n = answer[:, DISTANCE], answer[:, NORMAL : NORMAL + 3]
    p_WA, p_WB = answer[:, POINT_A : POINT_A + 3], answer[:, POINT_B : POINT_B + 3]
    assert np.isfinite(answer).all()
    assert np.abs(np.linalg.norm(n, axis=1) - 1).max() < 1e-12
    assert np.abs(p_WB - p_WA - d[:, None] * n).max() < 1e-12
    figure(f"{what}: gap or overlap along the normal is the distance [m]", np.abs(overlap(pairs, n) + d).max(), DIGITS)
    off_a = outside(pairs.kind_a, pairs.size_a, False, pairs.X_WA, p_WA)
    off_b = outside(pairs.kind_b, pairs.size_b, True, pairs.X_WB, p_WB)
    apart = d >= 0  # then the points and the gap together prove the distance
    off = np.maximum(off_a, off_b)
    figure(f"{what}: nearest points of shapes apart lie in them [m]", off[apart].max(), 1e-5)
    figure(f"{what}: deepest points of overlapping shapes lie in them [m]", off[~apart].max(), 1e-5)
    assert apart.any() and (~apart).any()


def compare(pairs: Pairs, answer: np.ndarray, other: np.ndarray, figure, what: str) -> None:
    """Where another program differs, one of the two must be wrong: the support functions say which."""
    d, n = answer[:, DISTANCE], answer[:, NORMAL : NORMAL + 3]
    given = np.isfinite(other[:, 0])
    differs = given & (np.abs(other[:, 0] - d) > DIGITS)
    has_normal = np.isfinite(other[:, 1:]).all(1)
    theirs = np.where(has_normal[:, None], other[:, 1:], n)
    theirs = theirs / np.linalg.norm(theirs, axis=1)[:, None]
    along_theirs = overlap(pairs, theirs)
    # apart: points and gap prove ours. Overlapping: theirs is deeper than ours, or theirs along its own normal does not part them
    refuted = (d >= 0) | (other[:, 0] < d - DIGITS) | (along_theirs > -other[:, 0] + 0.5 * DIGITS)
    figure(f"{what}: answers that ours does not refute and that differ", int((differs & ~refuted).sum()), 0)
    same = given & ~differs
    wrong = int(differs.sum()) + int((~given).sum())
    note = f"{wrong} of {len(d)} answers of the other program are refuted or missing"
    worst = np.abs(other[same, 0] - d[same]).max() if same.any() else 0.0
    figure(f"{what}: distance [m]", worst, DIGITS, note=note)
    # normals: equal, or (corners, crossing axes) both of them part the shapes equally well
    far = same & has_normal & (np.abs(d) > 1e-4) & (np.einsum("ki,ki->k", n, theirs) < 1 - 1e-6)
    unexplained = far & (along_theirs + d > 2 * DIGITS)
    figure(f"{what}: normals that differ though only ours parts the shapes", int((unexplained & (d >= 0)).sum()), 0)
    figure(f"{what}: share of normals that differ", far.sum() / max(1, same.sum()), 0.02)


@pytest.mark.parametrize(("kind_a", "kind_b"), KIND_PAIRS, ids=PAIR_IDS)
def test_a_sample_of_pairs(kind_a: int, kind_b: int, figure) -> None:
    run_pairs(kind_a, kind_b, 450, 1, figure)


@pytest.mark.full
@pytest.mark.parametrize(("kind_a", "kind_b"), KIND_PAIRS, ids=PAIR_IDS)
def test_a_hundred_thousand_pairs(kind_a: int, kind_b: int, figure) -> None:
    run_pairs(kind_a, kind_b, 100_000, 2, figure)


def run_pairs(kind_a: int, kind_b: int, n: int, seed: int, figure) -> None:
    what = f"{n} pairs {PAIR_IDS[KIND_PAIRS.index((kind_a, kind_b))]}"
    pairs = random_pairs(kind_a, kind_b, n, seed)
    answer = query(pairs)
    check_proof(pairs, answer, figure, what)
    compare(pairs, answer, coal_answers(pairs), figure, f"{what}, Coal")
    compare(pairs, answer, mujoco_answers(pairs), figure, f"{what}, MuJoCo")
    figure(f"{what}: share not to full precision", float((answer[:, STATUS] != 0).mean()), 1e-3)


@pytest.mark.parametrize(("kind_a", "kind_b"), KIND_PAIRS, ids=PAIR_IDS)
def test_no_sampled_direction_parts_them_sooner(kind_a: int, kind_b: int, figure) -> None:
    """Depth is the least over all directions; 2,000 of them, and those around the answer, are tried on each pair."""
    if PLANE in (kind_a, kind_b):
        return  # only one direction ever parts a half-space from something
    pairs = random_pairs(kind_a, kind_b, 120, 3)
    answer = query(pairs)
    rng = np.random.default_rng(4)
    sooner = 0.0
    for k in range(2000):
        n = rng.normal(size=(len(pairs), 3))
        if k % 2:
            n = answer[:, NORMAL : NORMAL + 3] + 10.0 ** rng.uniform(-5, 0) * n
        n /= np.linalg.norm(n, axis=1)[:, None]
        sooner = max(sooner, float((-answer[:, DISTANCE] - overlap(pairs, n)).max()))
    figure(
        f"depth of {PAIR_IDS[KIND_PAIRS.index((kind_a, kind_b))]} less the least sampled overlap [m]", sooner, DIGITS
    )


@pytest.mark.parametrize(("kind_a", "kind_b"), KIND_PAIRS, ids=PAIR_IDS)
def test_the_other_way_round(kind_a: int, kind_b: int) -> None:
    pairs = random_pairs(kind_a, kind_b, 60, 5)
    one = query(pairs)
    if CONVEX in (kind_a, kind_b):  # the two hulls differ: name the rows in the other order
        n = len(pairs)
        two, scratch = np.empty_like(one), np.full((1, *PAIR_SCRATCH), np.nan)
        pair_queries.nearest_batch(
            kind_b, *rows(kind_b, True), kind_a, *rows(kind_a, False), POINTS,
            pairs.size_b, pairs.X_WB, pairs.size_a, pairs.X_WA, two, scratch, 0, n, 1, 0,
        )  # fmt: skip
    else:
        two = query(Pairs(kind_b, kind_a, pairs.size_b, pairs.size_a, pairs.X_WB, pairs.X_WA))
    assert np.abs(one[:, DISTANCE] - two[:, DISTANCE]).max() < 1e-9
    clear = one[:, DISTANCE] > 1e-5
    assert np.abs(one[clear, NORMAL : NORMAL + 3] + two[clear, NORMAL : NORMAL + 3]).max(initial=0) < 1e-4


@pytest.mark.parametrize(("kind_a", "kind_b"), KIND_PAIRS, ids=PAIR_IDS)
def test_the_fast_form_agrees(kind_a: int, kind_b: int) -> None:
    pairs = random_pairs(kind_a, kind_b, 300, 6)
    distance = query(pairs)[:, DISTANCE]
    for margin in (0.0, 0.05, -0.01):
        near, scratch = np.empty((len(pairs), 1)), np.full((1, *PAIR_SCRATCH), np.nan)
        pair_queries.nearer_batch(
            kind_a, *rows(kind_a, False), kind_b, *rows(kind_b, True), POINTS, margin,
            pairs.size_a, pairs.X_WA, pairs.size_b, pairs.X_WB, near, scratch, 0, len(pairs), 1, 0,
        )  # fmt: skip
        sure = np.abs(distance - margin) > DIGITS
        assert (near[sure, 0] == (distance[sure] <= margin)).all()
        assert 0 < near.sum() < len(near)


def aligned(kind_a: int, kind_b: int) -> Pairs:
    """Axes parallel, middles coincident or straight above each other, sizes equal: where determinants vanish."""
    quarter = np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])
    heights = [0.0, 1e-300, 1e-12, 0.1, 0.2, 0.2 + 1e-12, 0.3, 0.4, 0.7]
    X_WA, X_WB = [], []
    for R in (np.eye(3), quarter, quarter @ quarter, quarter.T):
        for axis in range(3):
            for h in heights:
                X, Y = np.eye(4), np.eye(4)
                Y[:3, :3] = R
                Y[axis, 3] = h
                X_WA.append(X)
                X_WB.append(Y)
    n = len(X_WA)
    sizes = np.array(
        [(0.2, 0, 0), (0.2, 0.2, 0), (0.2, 0.2, 0), (0.2, 0.2, 0.2), (0.1, 0.2, 0.2), (0, 0, 0), (0, 0, 0)]
    )
    size_a, size_b = np.tile(sizes[kind_a], (n, 1)), np.tile(sizes[kind_b], (n, 1))
    return Pairs(kind_a, kind_b, size_a, size_b, np.array(X_WA), np.array(X_WB))


@pytest.mark.parametrize(("kind_a", "kind_b"), KIND_PAIRS, ids=PAIR_IDS)
def test_aligned_and_coincident(kind_a: int, kind_b: int) -> None:
    pairs = aligned(kind_a, kind_b)
    answer = query(pairs)
    assert np.isfinite(answer).all()
    assert (
        answer[:, STATUS] == 0
    ).mean() > 0.8  # ties on all sides may leave the bounds apart; the answer is checked below
    n = answer[:, NORMAL : NORMAL + 3]
    assert np.abs(overlap(pairs, n) + answer[:, DISTANCE]).max() < 1e-7
    assert outside(kind_a, pairs.size_a, False, pairs.X_WA, answer[:, POINT_A : POINT_A + 3]).max() < 1e-5
    assert outside(kind_b, pairs.size_b, True, pairs.X_WB, answer[:, POINT_B : POINT_B + 3]).max() < 1e-5
    rng = np.random.default_rng(1)
    if PLANE not in (kind_a, kind_b):
        for _ in range(500):
            m = rng.normal(size=(len(pairs), 3)) * rng.choice([0.0, 1.0, 1e-3], (len(pairs), 3))
            m[:, 0] += 1e-9
            m /= np.linalg.norm(m, axis=1)[:, None]
            assert (overlap(pairs, m) + answer[:, DISTANCE]).min() > -1e-6


def test_two_planes_are_no_pair() -> None:
    scratch, points = np.empty((1, *PAIR_SCRATCH)), np.zeros((1, 3))
    one = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    zero = (0.0, 0.0, 0.0)
    assert nearest(PLANE, zero, 0, 0, one, zero, PLANE, zero, 0, 0, one, zero, points, scratch, 0)[0] == NO_PAIR
    assert nearest(7, zero, 0, 0, one, zero, BOX, zero, 0, 0, one, zero, points, scratch, 0)[0] == NO_PAIR


@pytest.mark.parametrize("kind", [CAPSULE, BOX, CONVEX])
def test_needle_triangles(kind: int) -> None:
    """A triangle is a hull of three points; ten thousand times longer than wide, or with two corners in one place."""
    rng = np.random.default_rng(8)
    worst = 0.0
    for width in (1e-3, 1e-6, 1e-9, 1e-12, 0.0):
        points = np.concatenate([POINTS, [[-0.3, 0, 0], [0.3, 0, 0], [0.1, width, 0]]])
        n = 60
        X_WA, X_WB = random_poses(n, rng), random_poses(n, rng)
        X_WB[:, :3, 3] = X_WA[:, :3, 3] + 0.15 * rng.normal(size=(n, 3))
        size_a, size_b = np.tile([0.1, 0.2, 0.15], (n, 1)), np.zeros((n, 3))
        answer, scratch = np.empty((n, pair_queries.ANSWER)), np.full((1, *PAIR_SCRATCH), np.nan)
        bad = pair_queries.nearest_batch(
            kind,
            *rows(kind, False),
            CONVEX,
            len(POINTS),
            3,
            points,
            size_a,
            X_WA,
            size_b,
            X_WB,
            answer,
            scratch,
            0,
            n,
            1,
            0,
        )
        assert bad == 0 and np.isfinite(answer).all()
        normal = answer[:, NORMAL : NORMAL + 3]
        pairs = Pairs(kind, CONVEX, size_a, size_b, X_WA, X_WB)
        d = -np.einsum("kji,kj->ki", X_WB[:, :3, :3], normal)
        h = (d @ points[-3:].T).max(1) - np.einsum("ki,ki->k", X_WB[:, :3, 3], normal)
        h += reach(kind, pairs.size_a, False, X_WA, normal)
        worst = max(worst, np.abs(h + answer[:, DISTANCE]).max())
    assert worst < 1e-7

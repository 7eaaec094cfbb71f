import numpy as np
import pytest

import carpal
from carpal.errors import InputError
from carpal.kinematics import PosePath
from carpal.kinematics.redundant.band_steps import BandOptions, best_path, follow_between, refine, self_motion_steps
from carpal.kinematics.redundant.self_motion_curves import wrap

SIA5 = carpal.load("sia5")
Q = np.array([0.3, 0.6, -0.4, 0.5, 0.3, -0.6, 0.2])
X = carpal.fk(SIA5, Q)
OPTIONS = BandOptions(SIA5, "tool", "speed", None, 0.005, 0.15)


def _path():
    Y = X.copy()
    Y[:3, 3] += (-0.06, 0.05, -0.03)
    return PosePath.line(X, Y, 1.0).denser()


def _nodes(q, code=0):
    return np.column_stack([q, np.full(len(q), code)])


def test_moves_are_the_near_pairs_inside_the_limits():
    rng = np.random.default_rng(3)
    before = rng.uniform(SIA5.q_min, SIA5.q_max, (40, 7))
    after = np.concatenate(
        [before[:20] + rng.uniform(-0.2, 0.2, (20, 7)), rng.uniform(SIA5.q_min, SIA5.q_max, (20, 7))]
    )
    i, j, turn = OPTIONS.moves(_nodes(before), _nodes(after))
    assert len(OPTIONS.moves(_nodes(before), _nodes(after, 1))[0]) == 0  # another branch is a flip
    near = (np.abs(wrap(after[None] - before[:, None])) <= 0.15).all(-1)
    reached = before[:, None] + wrap(after[None] - before[:, None])
    near &= ((reached >= SIA5.q_min) & (reached <= SIA5.q_max)).all(-1)
    assert sorted(zip(i, j, strict=True)) == sorted(map(tuple, np.argwhere(near)))
    assert np.allclose(before[i] + turn, reached[i, j])


def test_no_step_over_a_limit_even_if_it_is_short_on_the_circle():
    low, high = SIA5.q_max.copy() - 0.05, SIA5.q_min.copy() + 0.05
    low[1:] = high[1:] = 0.0
    assert (
        len(OPTIONS.moves(_nodes(low[None]), _nodes(high[None]))[0]) == 0
    )  # joint s: 180 to -180 deg is 0.1 rad through the limit


def test_the_best_path_is_the_best_by_brute_force():
    """On three coarse slices every path is tried."""
    path = _path()
    cuts = [OPTIONS.cut(x) for x in path.X_WT[:3]]
    short = PosePath(path.time[:3], path.X_WT[:3])
    chain, front = best_path(OPTIONS, short, cuts, Q)
    dt = np.diff(short.time)

    def cost(qs):
        return sum((((b - a) / OPTIONS.pace) ** 2).sum() / d for a, b, d in zip(qs[:-1], qs[1:], dt, strict=True))

    usable = [cut.q[OPTIONS.usable(cut) & (cut.code == cuts[0].code[chain[0][0]])] for cut in cuts]
    firsts = usable[0][(np.abs(wrap(usable[0] - Q)) <= 0.15).all(1)]
    best = np.inf
    for a in firsts:
        for b in usable[1][(np.abs(usable[1] - a) <= 0.15).all(1)]:
            for c in usable[2][(np.abs(usable[2] - b) <= 0.15).all(1)]:
                best = min(best, cost([a, b, c]))
    assert cost([q for _, q in chain]) == pytest.approx(best, rel=1e-12)
    assert len(front) > 1


def test_refining_lowers_the_cost_and_keeps_the_pose():
    path = _path()
    cuts = [OPTIONS.cut(x) for x in path.X_WT]
    chain, _ = best_path(OPTIONS, path, cuts, None)
    q, psi, low, high = refine(OPTIONS, path, cuts, chain, None)
    rough = np.array([c for _, c in chain])

    def cost(z):
        return float((((np.diff(z, axis=0)) / OPTIONS.pace) ** 2).sum() / np.diff(path.time)[0])

    assert cost(q) < cost(rough)
    assert np.abs(carpal.fk(SIA5, q) - path.X_WT).max() < 1e-10
    assert (psi >= low).all() and (psi <= high).all()
    # stationary: a smooth bump along self-motion does not lessen it by more than the last step's worth
    for sign in (1, -1):
        bumped = q.copy()
        for k in range(1, len(q) - 1):
            near, _ = self_motion_steps(OPTIONS, path.X_WT[k], q[k], 2e-3)
            bumped[k] = near[2 + sign]
        assert cost(bumped) > cost(q) - 1e-4 * cost(q)


def test_between_samples_the_pose_is_held():
    path = _path()
    cuts = [OPTIONS.cut(x) for x in path.X_WT]
    q = refine(OPTIONS, path, cuts, best_path(OPTIONS, path, cuts, None)[0], None)[0]
    t = np.linspace(0, 1, 41)
    dense = follow_between(SIA5, "tool", path, path.time, q, t)
    assert np.abs(carpal.fk(SIA5, dense) - path.at(t)).max() < 1e-10
    assert np.abs(np.diff(dense, axis=0)).max() < 0.05


def test_a_clearance_that_leaves_nothing():
    with pytest.raises(InputError, match="leaves nothing of joint 'l'"):
        _ = BandOptions(SIA5, "tool", "speed", None, 2.0, 0.15).tight

"""Two boxes by separating axes: the gap along the named axis, and points that lie in both after moving out."""

import numpy as np
import pytest
from pair_oracles import random_poses

from carpal.contact.kernels.box_pairs import box_axis, box_gap, overlapping_boxes


def boxes(rng: np.random.Generator, turn: np.ndarray | None = None):
    X = random_poses(1, rng)[0]
    R = X[:3, :3] if turn is None else turn
    size_a, size_b, p = rng.uniform(0.1, 0.5, 3), rng.uniform(0.1, 0.5, 3), rng.normal(size=3) * 0.3
    return size_a, size_b, R, p


def t(x: np.ndarray) -> tuple[float, ...]:
    return tuple(float(v) for v in np.ravel(x))


@pytest.mark.parametrize("turned", [False, True], ids=["any", "axes parallel"])
def test_the_named_axis_has_the_named_gap(turned: bool) -> None:
    rng = np.random.default_rng(7)
    seen = set()
    for _ in range(400):
        size_a, size_b, R, p = boxes(rng, np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]) if turned else None)
        gap, which = box_gap(t(size_a), t(size_b), t(R), t(p))
        n = np.array(box_axis(which, t(R), t(p)))
        assert abs(np.linalg.norm(n) - 1) < 1e-12 and n @ p >= 0
        assert n @ p - np.abs(n) @ size_a - np.abs(R.T @ n) @ size_b == pytest.approx(gap, abs=1e-12)
        seen.add(which)
        if gap <= 0:
            a, b, m = overlapping_boxes(t(size_a), t(size_b), t(R), t(p), gap, which)
            assert np.abs(np.array(b) - a - gap * np.array(m)).max() < 1e-12
            assert (np.abs(a) <= size_a + 1e-9).all()
            assert (np.abs(R.T @ (np.array(b) - p)) <= size_b + 1e-9).all()
    assert len(seen) >= (3 if turned else 10)


def test_faces_on_faces_share_a_point() -> None:
    one = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    gap, which = box_gap((1.0, 1.0, 1.0), (0.2, 0.2, 0.2), one, (1.1, 0.0, 1.19))
    a, b, n = overlapping_boxes((1.0, 1.0, 1.0), (0.2, 0.2, 0.2), one, (1.1, 0.0, 1.19), gap, which)
    assert n == (0.0, 0.0, 1.0) and gap == pytest.approx(-0.01)
    assert 0.9 <= a[0] <= 1.0 and a[2] == 1.0 and b[2] == pytest.approx(0.99)

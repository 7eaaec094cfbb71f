"""Laws of lines, one by one, against their formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest

from carpal.engines.rigid.kernels.lines import (
    CORD,
    DAMP,
    DRIVE,
    ELASTIC,
    FOUND_COLUMNS,
    LINE_COLUMNS,
    PULL,
    STIFF,
    add_line_stiffness,
    add_lines,
    evaluate_lines,
)  # fmt: skip

C = np.array([0.5, -2.0])
SMOOTH = 0.1


def line(law: int, *numbers: float) -> np.ndarray:
    row = np.zeros((1, 4 + LINE_COLUMNS))
    row[0, :2] = row[0, 2:4] = C
    row[0, 4] = law
    row[0, 5 : 5 + len(numbers)] = numbers
    return row


def found(row: np.ndarray, s: float, rate: float, ctrl: float = 0.0) -> np.ndarray:
    out = np.full((2, 1, FOUND_COLUMNS), np.nan)
    q, v = np.zeros((2, 2)), np.zeros((2, 2))
    q[1], v[1] = C * s / (C @ C), C * rate / (C @ C)
    evaluate_lines(row, np.array([[ctrl]]), SMOOTH, q, v, out, 0, 1)
    assert np.isnan(out[0]).all()
    return out[1, 0]


@pytest.mark.parametrize(("s", "spring"), [(0.5, 30.0), (0.1, 0.0), (-0.3, -20.0)])
def test_a_cord_pulls_outside_its_rest(s: float, spring: float) -> None:
    row = line(CORD, 100.0, 3.0, 2.0, -0.1, 0.2)
    for rate in (0.4, -0.4):
        got = found(row, s, rate)
        assert got[ELASTIC] == pytest.approx(spring, abs=1e-12)
        assert got[STIFF] == (100.0 if spring else 0.0)
        assert got[DAMP] * rate == pytest.approx(3.0 * rate + 2.0 * math.tanh(rate / SMOOTH))
    assert found(row, s, 0.0)[DAMP] == pytest.approx(3.0 + 2.0 / SMOOTH)


def test_a_pull_never_pushes() -> None:
    row = line(PULL, 100.0, 5.0, 2.0)
    assert found(row, 0.1, 1.0)[[ELASTIC, DAMP]] == pytest.approx([12.0, 5.0])
    assert found(row, -0.1, 1.0).tolist() == [0.0, 0.0, 0.0]
    slack = found(row, 0.0, -3.0)
    assert slack[ELASTIC] + slack[DAMP] * -3.0 == pytest.approx(0.0, abs=1e-14)


def test_a_drive_keeps_its_ranges() -> None:
    row = line(DRIVE, 50.0, 1.0, -40.0, -3.0, -20.0, 20.0, -1.0, 1.0, 0.0)
    for ctrl, s, rate in ((0.2, 0.1, 0.3), (5.0, 1.0, 0.0), (1.0, -1.0, 0.0), (-1.0, 1.0, 0.0)):
        got = found(row, s, rate, ctrl)
        force = 50.0 * min(max(ctrl, -1.0), 1.0) + 1.0 - 40.0 * s - 3.0 * rate
        assert -got[ELASTIC] - got[DAMP] * rate == pytest.approx(min(max(force, -20.0), 20.0))
        assert got[STIFF] == (40.0 if abs(force) < 20.0 else 0.0)


def test_forces_and_their_linear_part_agree() -> None:
    """The matrix of an implicit step is the derivative of the forces at its end."""
    lines = np.vstack(
        [line(CORD, 100.0, 3.0, 0.0, 0.1, 0.1), line(DRIVE, 50.0, 1.0, -40.0, -3.0, -90.0, 90.0, -1.0, 1.0)]
    )
    q, v, dt = np.array([[0.3, 0.2]]), np.array([[0.7, -0.4]]), 0.02
    state = np.zeros((1, 2, FOUND_COLUMNS))
    evaluate_lines(lines, np.array([[0.5]]), SMOOTH, q, v, state, 0, 0)

    def force(at: np.ndarray, ahead: float) -> np.ndarray:
        parts = np.zeros((3, 1, 2))
        add_lines(lines, state, 2, ahead, at[None], *parts, 0)
        return parts.sum(axis=0)[0]

    M, rhs, given = np.zeros((1, 2, 2)), np.zeros((1, 2)), np.array([[0.0, 1.5]])
    add_line_stiffness(lines, state, 2, dt, v, given, M, rhs, 0)
    M = np.tril(M[0]) + np.tril(M[0], -1).T
    for dv in (np.array([0.3, -0.8]), np.array([-1.0, 0.2])):
        ahead = force(v[0] + dv, dt)
        assert np.allclose(ahead, force(v[0], 0.0) + rhs[0] + M @ given[0] - M @ dv / dt, rtol=0, atol=1e-10)

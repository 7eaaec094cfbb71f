"""Closed forms of sliding against plain integration in small steps."""

import numpy as np
import pytest

from carpal.engines.comparison.references import sliding

T = np.linspace(0, 1, 11)


def _stepped(drive, friction, v0, n=200_000):
    h, x, v, out = T[-1] / n, 0.0, v0, [0.0]
    for k in range(n):
        push = drive - np.sign(v) * friction if v else drive - np.clip(drive, -friction, friction)
        new = v + h * push
        if v * new < 0 and abs(drive) <= friction:
            new = 0.0
        x, v = x + 0.5 * h * (v + new), new
        if (k + 1) % (n // 10) == 0:
            out.append(x)
    return np.array(out)


@pytest.mark.parametrize(
    ("drive", "friction", "v0"), [(3.0, 2.0, 0.0), (1.0, 2.0, 0.0), (3.0, 2.0, -1.0), (0.0, 4.0, 1.5)]
)
def test_coulomb_path(drive, friction, v0):
    assert sliding.coulomb_path(T, drive, friction, v0) == pytest.approx(
        _stepped(drive, friction, v0, 20_000), abs=2e-4
    )


def test_a_slipping_ball_keeps_its_moment_about_the_ground():
    """v + 2/5 r w is constant while it slips, so it rolls at 5/7 v0 + 2/7 r w0, whatever the friction."""
    fine = np.linspace(0, 2, 20001)
    for mu in (0.1, 0.3):
        x = sliding.rolling_ball(fine, 1.0, -100.0, mu, 0.05)
        assert (x[-1] - x[-2]) / (fine[-1] - fine[-2]) == pytest.approx(5 / 7 - 2 / 7 * 5.0, rel=1e-6)
        assert np.gradient(x, fine).max() == pytest.approx(1.0, rel=1e-3)


def test_a_ladder_slides_as_its_energy_says():
    """Without friction energy is kept; a thin ladder leaves the wall at two thirds of its height."""
    fine = np.linspace(0, 1.0, 4001)
    p = sliding.ladder_path(fine, 0.0, thick=1e-9)
    there = ~np.isnan(p[:, 0])
    start, last = p[0, 2], p[there][-1, 2]
    assert last == pytest.approx(2 / 3 * start, rel=2e-3)
    v = np.gradient(p[there], fine[there], axis=0)
    angle = np.arcsin(p[there][:, 2] / 0.5)
    w = np.gradient(angle, fine[there])
    energy = 0.5 * (v**2).sum(1) + 0.5 * w**2 / 12 + 9.81 * p[there][:, 2]
    assert energy[5:-5] == pytest.approx(9.81 * start, rel=1e-4)
    assert sliding.ladder_path(fine[:2], 0.2)[0] == pytest.approx(sliding.ladder_place(np.radians(60)))


def test_a_toppling_block_keeps_its_energy():
    fine = np.linspace(0, 0.4, 2001)
    p = sliding.toppling_path(fine, 25)
    v = np.gradient(p, fine, axis=0)
    arm = np.hypot(0.05, 0.15)
    kinetic = 0.5 * (v**2).sum(1) * (1 + (0.1**2 + 0.3**2) / 12 / arm**2)
    a = np.radians(25)
    potential = -9.81 * (np.sin(a) * p[:, 0] - np.cos(a) * p[:, 2])
    assert (kinetic + potential)[2:-2] == pytest.approx(potential[0], rel=1e-4)


def test_a_pushed_row_moves_as_one():
    row = sliding.pushed_row(T)
    assert row.paths["box_4"][-1, 0] - row.paths["box_0"][-1, 0] == pytest.approx(0.4)
    assert 2 * row.paths["box_0"][-1, 0] == pytest.approx((12 - 5 * 0.2 * 0.5 * 9.81) / 3.0)

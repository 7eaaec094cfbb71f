"""The K10's hollow, by closed form and by forward kinematics."""

import numpy as np
import pytest

import carpal
from carpal.errors import InputError
from carpal.kinematics import OffsetElbow, random_configurations


@pytest.fixture(scope="module")
def arm():
    return OffsetElbow.of(carpal.load("k10"))


def test_the_lengths_are_read_from_the_model(arm):
    assert (arm.w_s, arm.s_e, arm.e_e, arm.e_w) == (0.112, 0.325, 0.0692, 0.311)
    assert OffsetElbow.of(carpal.load("k10", mounting="upside_down")) == arm


def test_every_reachable_point_is_called_reachable(arm):
    model = carpal.load("k10")
    q = random_configurations(model, 20_000, seed=1)
    p = carpal.fk(model, q)[:, :3, 3]
    rho = np.hypot(p[:, 0], p[:, 1])
    assert arm.reachable(rho, p[:, 2]).all()
    assert np.abs(np.stack(arm.wrist(q[:, 1], q[:, 2])) - (rho, p[:, 2])).max() < 1e-12


def test_what_is_called_unreachable_is_refused_by_ik(arm):
    model = carpal.load("k10")
    rng = np.random.default_rng(2)
    p = rng.uniform((-0.7, -0.7, -0.2), (0.7, 0.7, 0.8), (400, 3))
    claimed = arm.reachable(np.hypot(p[:, 0], p[:, 1]), p[:, 2])
    solved = carpal.ik(model, p).ok
    assert not (solved & ~claimed).any()
    assert (solved == claimed).mean() > 0.99
    assert 0.1 < claimed.mean() < 0.9


def test_the_hollow_of_the_fact_sheet(arm, figure):
    published = {
        (0.2, 0.3): 0.154,
        (0.3, 0.4): 0.272,
        (0.4, 0.5): 0.306,
        (0.5, 0.6): 0.268,
        (0.6, 0.7): 0.172,
        (0.7, 0.8): 0.0,
    }
    worst = max(abs(arm.least_rho(*band) - rho) for band, rho in published.items())
    figure("Leutenegger (2008): least wrist distance from the waist's axis by height, six bands [m]", worst, 1e-3)
    z, rho = arm.lowest()
    figure("Leutenegger (2008): lowest wrist point against z = -0.072 m", abs(z + 0.072), 1e-3)
    assert rho == pytest.approx(0.61, abs=5e-3)


def test_without_the_offset_the_hollow_is_a_sphere():
    plain = OffsetElbow(0.112, 0.325, 0.0, 0.311)
    z = np.linspace(0.437 - 0.3, 0.437 + 0.3, 50)
    assert np.allclose(plain.hollow_radius(z), np.sqrt(0.311**2 - (z - 0.437) ** 2), atol=1e-12)


def test_other_arms_are_refused():
    for name in ("sawyer", "so101_old", "cuhk_hand"):
        with pytest.raises(InputError, match=r"not an arm with waist|does not begin"):
            OffsetElbow.of(carpal.load(name))

"""Cones, margins to slipping, and support functions by sampling."""

from __future__ import annotations

import numpy as np
import pytest

from carpal.contact import Grasp, inside_cones, slip_margins
from carpal.contact.grasp.friction_cones import support_of
from carpal.contact.grasp.grasp_contacts import grasp_matrix
from carpal.errors import CarpalError

ONE = {"points": [[0, 0, 0]], "normals": [[0, 0, 1]]}


@pytest.mark.parametrize(
    ("tip", "force", "holds"),
    [
        ("hard", [0.59, 0, 1], True), ("hard", [0.43, 0.43, 1], False), ("hard", [0, 0, -1], False),
        ("soft", [0.59, 0, 1, 0.0099], True), ("soft", [0, 0, 1, 0.0101], False),
        ("elliptic", [0.5, 0, 1, 0.0099], False), ("elliptic", [0.3, 0, 1, 0.008], True),
    ],
)  # fmt: skip
def test_who_holds(tip, force, holds):
    grasp = Grasp(**ONE, mu=0.6, tip=tip, torsion=0.0 if tip == "hard" else 0.01)
    assert inside_cones(grasp, force) == holds


def test_margins():
    hard = slip_margins(Grasp(**ONE, mu=0.5), [0.3, 0.4, 2.0])
    assert np.allclose([hard.force[0], hard.share[0]], [0.5, 0.5])
    soft = slip_margins(Grasp(**ONE, mu=0.5, tip="soft", torsion=0.01), [0.3, 0.4, 2.0, 0.016])
    assert np.allclose([soft.force[0], soft.share[0]], [0.5, 0.2])
    assert np.isnan(slip_margins(Grasp(**ONE, mu=0.5), [0.1, 0.0, 0.0]).share[0])
    with pytest.raises(CarpalError):
        slip_margins(Grasp(**ONE), [0.0, np.nan, 1.0])


@pytest.mark.parametrize("tip", ["frictionless", "hard", "soft", "elliptic"])
def test_the_support_by_sampling(tip):
    rng = np.random.default_rng(0)
    mu, torsion = 0.7, 0.02 if tip in ("soft", "elliptic") else 0.0
    grasp = Grasp([[0.1, 0.2, 0.3]], [[0.3, -0.2, 0.5]], mu=mu, tip=tip, torsion=torsion, centre=[0, 0, 0])
    G, d = grasp_matrix(grasp), rng.normal(size=6)
    reach, wrench = support_of(grasp, G, d)
    angle = np.linspace(0, 2 * np.pi, 721)
    best = -np.inf
    for spin in np.linspace(-1, 1, 201):
        side = np.sqrt(1 - spin**2) if tip == "elliptic" else 1.0
        f = np.array(
            [mu * side * np.cos(angle), mu * side * np.sin(angle), np.ones_like(angle), torsion * spin + 0 * angle]
        )
        best = max(best, (d @ G @ f[: grasp.width] if grasp.width > 1 else d @ G @ f[2:3]).max())
    assert reach[0] >= best - 1e-12
    assert reach[0] - best < 1e-3 * abs(best)
    assert abs(d @ wrench[0] - reach[0]) < 1e-12

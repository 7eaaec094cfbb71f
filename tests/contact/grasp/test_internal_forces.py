"""Internal forces make no wrench; two fingers have one way to squeeze, n hard ones 3 n - 6."""

from __future__ import annotations

import numpy as np
from grasp_oracles import random_grasp

from carpal.contact import Grasp, grasp_matrix, internal_basis, split_forces


def test_number_of_internal_forces():
    pair = Grasp([[-0.03, 0, 0], [0.03, 0, 0]], [[1, 0, 0], [-1, 0, 0]])
    basis = internal_basis(pair)
    assert basis.shape == (6, 1)
    assert np.allclose(np.abs(basis[[2, 5], 0]), np.sqrt(0.5))  # both press, nothing else
    for n in (3, 4, 6):
        points, normals, mu = random_grasp(np.random.default_rng(n), n)
        assert internal_basis(Grasp(points, normals, mu=mu)).shape[1] == 3 * n - 6
    assert internal_basis(Grasp([[0, 0, 0]], [[0, 0, 1]])).shape[1] == 0


def test_the_parts_add_up(figure):
    rng = np.random.default_rng(1)
    worst = 0.0
    for n in (2, 3, 5):
        points, normals, mu = random_grasp(rng, n)
        grasp = Grasp(points, normals, mu=mu)
        f = rng.normal(size=grasp.width)
        parts = split_forces(grasp, f)
        G = grasp_matrix(grasp)
        worst = max(worst, np.abs(G @ parts.internal).max(), np.abs(parts.external + parts.internal - f).max())
        worst = max(worst, np.abs(G @ f - parts.wrench).max(), abs(parts.external @ parts.internal))
    figure("internal forces: wrench, sum, orthogonality", worst, 1e-12)

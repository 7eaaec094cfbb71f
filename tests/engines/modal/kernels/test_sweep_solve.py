"""Sweeps contact by contact come to the solution by themselves, slowly."""

import numpy as np
from contact_problems import complementarity_errors, random_problem

from carpal.engines.modal.kernels.contact_table import IMPULSE
from carpal.engines.modal.kernels.sweep_solve import sweep


def test_sweeps_converge_on_grasps():
    rng = np.random.default_rng(7)
    for _ in range(10):
        W, con, mu, torsion = random_problem(rng, 3, "grasp")
        before = con.copy()
        for _ in range(3000):
            sweep(W, con, 0, 3)
        assert max(complementarity_errors(W[0], before[0], con[0, :, IMPULSE : IMPULSE + 4], mu, torsion)) < 1e-6

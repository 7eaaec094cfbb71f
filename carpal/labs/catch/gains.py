"""Gains of the arm: the thesis's, or critically damped ones for the same stiffness."""

from __future__ import annotations

import functools
import math

import numpy as np

from carpal.dynamics import mass_matrix
from carpal.labs.catch.arm_tables import follow_plans
from carpal.labs.catch.catcher_numbers import THESIS_P, CatcherNumbers
from carpal.labs.catch.flight import launch, meeting
from carpal.labs.catch.plan import catch_plan, start_coordinates
from carpal.labs.catch.tree_model import catcher_tree

MIDDLE = (0.2, 0.14)
"""Point of the grid at whose catch pose the tuned gains are taken."""


@functools.cache
def tuned_damping() -> tuple[float, ...]:
    """D = 2 sqrt(P M_ii) (6) [N m s/rad], M the arm's mass matrix in the catch pose of the grid's middle (erratum E11)."""
    p, v = launch(*MIDDLE, 5.2, math.radians(45.0))
    meet = meeting(p, v, start_coordinates()[:3])
    plan = catch_plan(meet, close_early=0.0, approach=1.0, how="ramp", dt=1e-3)
    q = follow_plans([plan], meet.time, meet.time / 500)[0][0, -1]
    tree = catcher_tree(q, numbers=CatcherNumbers())
    M = mass_matrix(tree, np.asarray(tree.q_home))
    return tuple(float(2.0 * np.sqrt(P * M[i, i])) for i, P in enumerate(THESIS_P))

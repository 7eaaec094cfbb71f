"""Analytic derivatives of the dynamics: against finite differences on trees of all joint kinds, and against Pinocchio."""

import numpy as np
import pinocchio as pin
import pytest
from oracle.converters import Pinocchio
from random_models import random_chain, random_state, random_tree, relative_error

import carpal
from carpal.dynamics import (
    forward_dynamics,
    forward_dynamics_derivatives,
    inverse_dynamics,
    inverse_dynamics_derivatives,
    mass_matrix,
)
from carpal.errors import InputError
from carpal.kinematics import integrate

STEP = 1e-6


def differences(function, model, q, v, third):
    """Central differences of function(q, v, third) by q (along `integrate`) and by v, columns last."""
    by_q, by_v = [], []
    for k in range(model.nv):
        e = np.zeros(model.nv)
        e[k] = STEP
        ahead, behind = (function(model, integrate(model, q, s * e, 1.0), v, third) for s in (1, -1))
        by_q.append((ahead - behind) / (2 * STEP))
        by_v.append((function(model, q, v + e, third) - function(model, q, v - e, third)) / (2 * STEP))
    return np.stack(by_q, -1), np.stack(by_v, -1)


def against_differences(seeds, figure):
    worst = {"dtau/dq": 0.0, "dtau/dv": 0.0, "M": 0.0}
    for seed in seeds:
        model = random_tree(seed, free="anywhere")
        q, v, vdot = random_state(model, np.random.default_rng(seed))
        got = inverse_dynamics_derivatives(model, q, v, vdot)
        by_q, by_v = differences(inverse_dynamics, model, q, v, vdot)
        worst["dtau/dq"] = max(worst["dtau/dq"], relative_error(got.dtau_dq, by_q))
        worst["dtau/dv"] = max(worst["dtau/dv"], relative_error(got.dtau_dv, by_v))
        worst["M"] = max(worst["M"], relative_error(got.dtau_dvdot, mass_matrix(model, q)))
    for what in ("dtau/dq", "dtau/dv"):
        figure(
            f"{what} against central differences, {len(seeds)} trees of all joints: relative error", worst[what], 1e-6
        )
    figure(f"dtau/dvdot against the mass matrix, {len(seeds)} trees: relative error", worst["M"], 1e-12)


def against_pinocchio(seeds, figure):
    worst = {}

    def see(what, got, expected, bound=1.0):
        worst[what] = max(worst.get(what, 0.0), relative_error(got, expected) / bound)

    for seed in seeds:
        model = random_chain(seed, 2 + seed % 12, kinds=("revolute", "prismatic"))
        oracle = Pinocchio(model)
        m, d = oracle.model, oracle.data
        q, v, vdot = random_state(model, np.random.default_rng(seed))
        T = oracle.rates(q)  # a permutation
        qp, vp, ap = oracle.q(q), T @ v, T @ vdot
        ours = inverse_dynamics_derivatives(model, q, v, vdot)
        dq, dv, M = pin.computeRNEADerivatives(m, d, qp, vp, ap)
        M = np.triu(M) + np.triu(M, 1).T
        see("dtau/dq", ours.dtau_dq, T.T @ dq @ T)
        see("dtau/dv", ours.dtau_dv, T.T @ dv @ T)
        see("M", ours.dtau_dvdot, T.T @ M @ T)
        tau = pin.rnea(m, d, qp, vp, ap)
        dq, dv, Minv = pin.computeABADerivatives(m, d, qp, vp, tau)
        Minv = np.triu(Minv) + np.triu(Minv, 1).T
        ours = forward_dynamics_derivatives(model, q, v, T.T @ tau)
        bound = max(1.0, 50 * np.finfo(float).eps * np.linalg.cond(ours.dvdot_dtau) / 1e-9)
        see("dvdot/dq / bound", ours.dvdot_dq, T.T @ dq @ T, bound)
        see("dvdot/dv / bound", ours.dvdot_dv, T.T @ dv @ T, bound)
        see("dvdot/dtau / bound", ours.dvdot_dtau, T.T @ Minv @ T, bound)
        see("vdot / bound", ours.vdot, vdot, bound)
    for what, error in worst.items():
        figure(f"{what} against Pinocchio, {len(seeds)} chains: relative error", error, 1e-9)


def test_against_differences_on_trees_of_all_joints(figure):
    against_differences(range(12), figure)


@pytest.mark.full
def test_against_differences_on_three_hundred_trees(figure):
    against_differences(range(300), figure)


def test_against_pinocchio(figure):
    against_pinocchio(range(25), figure)


@pytest.mark.full
def test_against_pinocchio_on_three_hundred_chains(figure):
    against_pinocchio(range(300), figure)


def test_forward_dynamics_on_a_tree_of_all_joints(figure):
    worst = 0.0
    for seed in (1, 4):
        model = random_tree(seed, joints=6, free="anywhere")
        q, v, vdot = random_state(model, np.random.default_rng(seed))
        tau = inverse_dynamics(model, q, v, vdot)
        got = forward_dynamics_derivatives(model, q, v, tau)
        by_q, by_v = differences(forward_dynamics, model, q, v, tau)
        worst = max(worst, relative_error(got.dvdot_dq, by_q), relative_error(got.dvdot_dv, by_v))
        assert relative_error(got.dvdot_dtau @ mass_matrix(model, q), np.eye(model.nv)) < 1e-8
    figure("forward dynamics' derivatives against central differences: relative error", worst, 1e-5)


def test_batches_equal_single_calls():
    model = random_tree(3, free="anywhere")
    states = [random_state(model, np.random.default_rng(i)) for i in range(6)]
    q, v, vdot = (np.array([s[k] for s in states]) for k in range(3))
    many = inverse_dynamics_derivatives(model, q.reshape(2, 3, -1), v.reshape(2, 3, -1), vdot.reshape(2, 3, -1))
    for i in range(6):
        one = inverse_dynamics_derivatives(model, q[i], v[i], vdot[i])
        assert np.array_equal(many.dtau_dq.reshape(6, model.nv, model.nv)[i], one.dtau_dq)
        assert np.array_equal(many.dtau_dv.reshape(6, model.nv, model.nv)[i], one.dtau_dv)


def test_bad_input():
    with pytest.raises(InputError, match="v\\[1\\] is nan"):
        inverse_dynamics_derivatives(carpal.load("sawyer"), np.zeros(7), [0, np.nan, 0, 0, 0, 0, 0], np.zeros(7))
    with pytest.raises(InputError, match="needs 7 numbers"):
        forward_dynamics_derivatives(carpal.load("sawyer"), np.zeros(7), np.zeros(6), np.zeros(7))

"""No branch of a 5-joint arm is missing: a dense Newton search from random starts, which knows nothing but `fk`.

The search is this file's own (NumPy only); what it finds must be among the solutions of `ik_all`.
"""

import numpy as np
import pytest
from closed_form_robots import robot

import carpal
from carpal.kinematics import fk, ik_all

LENGTH = 0.3  # [m] that counts as much as a radian


def residual(model, axis, q, p, d):
    X = fk(model, q)
    return np.concatenate([(X[..., :3, 3] - p) / LENGTH, X[..., :3, :3] @ axis - d], axis=-1)


def newton(model, axis, columns, p, d, starts, rng, steps=40):
    """All roots met from random starts: arrays (targets, starts, nq) and whether each has converged."""
    q = np.zeros((len(p), starts, model.nq))
    q[..., columns] = rng.uniform(-np.pi, np.pi, (len(p), starts, len(columns)))
    p, d = p[:, None], d[:, None]
    damping = np.full((*q.shape[:2], 1, 1), 1e-3)
    r = residual(model, axis, q, p, d)
    for _ in range(steps):
        J = np.empty((*q.shape[:2], 6, len(columns)))
        for k, column in enumerate(columns):  # central differences: the search must not lean on the package's Jacobian
            step = np.zeros(model.nq)
            step[column] = 1e-6
            J[..., k] = (residual(model, axis, q + step, p, d) - residual(model, axis, q - step, p, d)) / 2e-6
        JT = np.swapaxes(J, -1, -2)
        H = JT @ J + damping * np.eye(len(columns))
        dq = -np.linalg.solve(H, JT @ r[..., None])[..., 0]
        trial = q.copy()
        trial[..., columns] += np.clip(dq, -0.5, 0.5)
        after = residual(model, axis, trial, p, d)
        better = ((after**2).sum(-1) < (r**2).sum(-1))[..., None]
        q, r = np.where(better, trial, q), np.where(better, after, r)
        damping = np.clip(np.where(better[..., None], damping * 0.2, damping * 5.0), 1e-14, 1e3)
    return q, np.abs(r).max(-1) < 1e-10


def search(model, axis, columns, compared, count, starts, seed):
    """(roots that `ik_all` lacks, roots met, share of `ik_all`'s solutions that the search met)."""
    rng = np.random.default_rng(seed)
    span = np.minimum(np.abs(model.q_min), np.abs(model.q_max)).clip(0.4, 3.0)
    X = fk(model, rng.uniform(-span, span, (count, model.nq)))
    p, d = X[:, :3, 3], X[:, :3, :3] @ axis
    q, found = newton(model, axis, columns, p, d, starts, rng)
    known = ik_all(model, (p, d)).q
    missing = met = solutions = hit = 0
    for i in range(count):
        rows = known[i][~np.isnan(known[i, :, 0])][:, compared]
        roots = q[i][found[i]][:, compared]
        off = np.abs((roots[:, None] - rows + np.pi) % (2 * np.pi) - np.pi).max(-1)
        missing += int((off.min(axis=1) > 1e-4).sum())  # near a fold a search ends where its steps get too small
        met += len(roots)
        solutions += len(rows)
        hit += int((off.min(axis=0) < 1e-4).sum())
    return missing, met, hit / solutions


CASES = {
    "k10": (lambda: carpal.load("k10"), 5),
    "so101_old": (lambda: carpal.load("so101_old"), 5),
    "planar arm, tool on its roll axis": (lambda: robot("planar", 11), 4),
    "planar arm, tool off its roll axis": (lambda: robot("planar, tool off the axis", 12), 5),
    "offset elbow at odd angles": (lambda: robot("offset elbow", 14), 5),
    "offset elbow, tool off its line": (lambda: robot("offset elbow, tool off its line", 13), 5),
}


def check(name, count, starts, figure, note):
    build, width = CASES[name]
    model = build()
    columns = np.arange(5)  # in all of these the arm's joints come first
    missing, met, share = search(model, model.tool_axis, columns, columns[:width], count, starts, seed=7)
    figure(f"{name}: roots of a dense search that ik_all lacks", missing, 0, note=f"{met} roots, {note}")
    figure(f"{name}: share of ik_all's solutions that the search met [%]", 100 * share, 90.0, at_least=True, note=note)


@pytest.mark.parametrize("name", CASES)
def test_a_search_finds_nothing_new(name, figure):
    check(name, 6, 60, figure, "6 poses, 60 starts each")


@pytest.mark.full
@pytest.mark.parametrize("name", CASES)
def test_a_search_finds_nothing_new_for_two_hundred_poses(name, figure):
    check(name, 200, 150, figure, "200 poses, 150 starts each")

"""Random targets, reachable or not, for each class of 5-joint arm: nothing wrong is called ok, every refusal is true.

Refusals are checked without the closed form: by a numeric search inside the limits, and the amounts by grids of `fk`.
"""

import numpy as np
import pytest
from closed_form_robots import robot
from pointing_checks import pointing_axis

import carpal
from carpal.kinematics import fk, ik_all, random_configurations
from carpal.kinematics.inverse.ik_target import read_target
from carpal.kinematics.inverse.numeric import search

CASES = {
    "k10": lambda: carpal.load("k10"),
    "so101_old": lambda: carpal.load("so101_old"),
    "planar, tool on its axis": lambda: robot("planar", 21),
    "offset elbow, tool off its line": lambda: robot("offset elbow, tool off its line", 22),
}


def random_targets(model, count, seed):
    """A third reachable by construction, a third near that, a third anywhere in the box of reach."""
    rng = np.random.default_rng(seed)
    X = fk(model, random_configurations(model, count, seed=seed))
    p, d = X[:, :3, 3].copy(), X[:, :3, :3] @ pointing_axis(model)
    low, high = p.min(0) - 0.2, p.max(0) + 0.2
    third = np.arange(count) % 3
    d[third == 1] += 0.05 * rng.normal(size=(np.sum(third == 1), 3))
    p[third == 1] += 0.03 * rng.normal(size=(np.sum(third == 1), 3))
    p[third == 2] = rng.uniform(low, high, (np.sum(third == 2), 3))
    d[third == 2] = rng.normal(size=(np.sum(third == 2), 3))
    return p, d / np.linalg.norm(d, axis=1, keepdims=True), third


def check(name, count, spots, figure):
    model = CASES[name]()
    axis = pointing_axis(model)
    worst, outside, refused_wrongly, refusals, right = 0.0, 0, 0, [], 0
    for block in range(0, count, 50_000):
        p, d, third = random_targets(model, min(50_000, count - block), 100 + block)
        result = ik_all(model, (p, d))
        used = ~np.isnan(result.q[..., 0])
        assert (used.sum(-1) == result.count).all()
        X = fk(model, result.q[used])
        rows = used.shape[1]
        worst = max(worst, np.abs(X[:, :3, 3] - np.repeat(p[:, None], rows, 1)[used]).max(initial=0))
        worst = max(worst, np.abs(X[:, :3, :3] @ axis - np.repeat(d[:, None], rows, 1)[used]).max(initial=0))
        inside = ((result.q >= model.q_min) & (result.q <= model.q_max)).all(-1)
        outside += int((result.in_limits & ~inside).sum())
        refused_wrongly += int((~result.ok & (third == 0)).sum())
        right += int(result.ok.sum())
        if len(refusals) < spots:
            refusals += [
                (p[i], d[i], result.explain((i,))) for i in np.flatnonzero(~result.ok)[: spots - len(refusals)]
            ]
    note = f"{count} targets, {right} with a solution inside the limits"
    figure(f"{name}: worst error of anything returned [m, rad]", worst, 1e-9, note=note)
    figure(f"{name}: rows called inside the limits that are not", outside, 0, note=note)
    figure(f"{name}: reachable targets refused", refused_wrongly, 0, note=note)
    contradicted = 0
    for p, d, text in refusals:
        q = search(model, model.tool, read_target((p, d)), axis, weight=0.3)
        X = fk(model, q)
        reached = np.abs(X[:3, 3] - p).max() < 1e-8 and np.abs(X[:3, :3] @ axis - d).max() < 1e-8
        contradicted += bool(reached) or not text
    figure(f"{name}: refusals that a numeric search contradicts", contradicted, 0, note=f"{len(refusals)} refusals")
    return refusals


@pytest.mark.parametrize("name", CASES)
def test_some_targets(name, figure):
    check(name, 200 if "off its line" in name else 6000, 10, figure)


@pytest.mark.full
@pytest.mark.parametrize("name", CASES)
def test_a_million_targets(name, figure):
    check(name, 1_000_000, 200, figure)


def test_out_of_plane_angles_by_a_grid(figure):
    """so101_old: every pan angle that lets some roll put the tool on the point, by `fk` on a grid; the least angle of them."""
    model = carpal.load("so101_old")
    axis = pointing_axis(model)
    pans = np.linspace(-np.pi, np.pi, 7201)
    q = np.zeros((len(pans), 5))
    q[:, 0] = pans
    bent = q.copy()
    bent[:, 3] = 1.0
    normal = np.cross(fk(model, q)[:, :3, :3] @ axis, fk(model, bent)[:, :3, :3] @ axis)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    rolled = np.zeros((720, 5))
    rolled[:, 4] = np.linspace(-np.pi, np.pi, 720)
    X0 = fk(model, rolled)
    n0 = np.cross(fk(model, np.zeros(5))[:3, :3] @ axis, fk(model, np.array([0, 0, 0, 1.0, 0]))[:3, :3] @ axis)
    n0 /= np.linalg.norm(n0)
    # a pan turns the tool's place about the pan axis, so its distance along the plane's normal from that axis is constant
    home = fk(model, q)[:, :3, 3]
    centre = home[:-1].mean(0)  # of the circle that the tool draws as the pan turns
    aside = (X0[:, :3, 3] - centre) @ n0
    p, d, _ = random_targets(model, 900, 5)
    result = ik_all(model, (p, d))
    checked, worst = 0, 0.0
    for i in range(900):
        text = result.explain((i,))
        if result.count[i] or "out of the arm's plane" not in text:
            continue
        claimed = float(text.split("plane by ")[1].split(" deg")[0])
        along = normal @ (p[i] - centre)
        allowed = (along >= aside.min() - 2e-5) & (along <= aside.max() + 2e-5)
        angle = np.degrees(np.arcsin(np.abs(normal[allowed] @ d[i])).min())
        worst, checked = max(worst, abs(angle - claimed)), checked + 1
    assert checked > 100
    figure(
        "so101_old: angle out of the plane against a grid of fk [deg]",
        worst,
        0.2,
        note=f"{checked} refusals, grid of 0.05 deg",
    )

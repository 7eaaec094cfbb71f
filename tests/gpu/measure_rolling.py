"""Part of `measure_contact.py`: rolling, curvatures, contact frames on GPU and CPU from the same source."""

from __future__ import annotations

import numpy as np
from collision_scenes import random_rotation

from carpal.contact import contact_frame, grasp_rows, hand_jacobian_rows, principal_curvatures, relative_twist, roll
from carpal.kinematics import random_configurations
from carpal.model import Cylinder, Ellipsoid, Plane, Shape, Sphere, load

EGG = Ellipsoid((0.5, 0.35, 0.25))
PAIRS: tuple[tuple[Shape, Shape], ...] = (
    (Plane(), Sphere(0.2)), (Cylinder(0.3, 90.0), Sphere(0.2)), (EGG, Sphere(0.2)), (Sphere(0.4), EGG), (EGG, EGG),
)  # fmt: skip


def compare_rolling(worlds: int) -> dict[str, float]:
    """Worst difference of path, curvature, frame and rows; every pair is rolled for 500 steps."""
    rng = np.random.default_rng(5)
    out: dict[str, float] = {"worlds": worlds}
    for a, b in PAIRS:
        start = rng.uniform(-0.9, 0.9, (worlds, 7)) * [0, 1, 1, 0, 1, 1, 1]
        twists = np.cumsum(rng.normal(size=(worlds, 1001, 6)), axis=1) * 0.01
        cpu, gpu = (roll(a, b, start, twists, dt=2e-3, device=device) for device in ("cpu", "cuda"))
        out[f"{b.kind} on {a.kind}: path"] = float(np.abs(cpu.X_AB - gpu.X_AB).max())
        out[f"{b.kind} on {a.kind}: other steps"] = float((cpu.steps != gpu.steps).sum())
    e = rng.normal(size=(worlds, 3))
    p = np.array(EGG.radii) * e / np.linalg.norm(e, axis=1, keepdims=True)
    bends = [principal_curvatures(EGG, p, device=device) for device in ("cpu", "cuda")]
    out["curvature"] = float(np.abs(bends[0].values - bends[1].values).max())
    out["frame"] = float(np.abs(contact_frame(e) - contact_frame(e, device="cuda")).max())
    R = np.array([random_rotation(rng) for _ in range(worlds)])
    out["grasp rows"] = float(np.abs(grasp_rows(R, p, e) - grasp_rows(R, p, e, device="cuda")).max())
    V = rng.normal(size=(2, worlds, 6))
    twist = [relative_twist(R, p, e, V[0], -e, V[1], device=device) for device in ("cpu", "cuda")]
    out["relative twist"] = float(np.abs(twist[0] - twist[1]).max())
    hand = load("cuhk_hand")
    q = random_configurations(hand, worlds, seed=6)
    rows = [hand_jacobian_rows(hand, q, None, R, p, device=device) for device in ("cpu", "cuda")]
    out["hand Jacobian rows"] = float(np.abs(rows[0] - rows[1]).max())
    return out

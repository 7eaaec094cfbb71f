"""Motions that make inertial parameters visible: finite Fourier series inside the limits (Swevers et al. 1997)."""

from __future__ import annotations

import numpy as np

from carpal.dynamics.regressor import dynamics_regressor
from carpal.errors import InputError
from carpal.kinematics import JointMotion
from carpal.model import Model, need_model
from carpal.spatial import Array

_FALLBACK_SPEED = 1.5  # [rad/s, m/s] where a joint has no highest speed
_FALLBACK_RANGE = 1.5  # [rad, m] either side of home where it has no limits


def exciting_motion(
    model: Model,
    duration: float = 20.0,
    dt: float = 0.005,
    *,
    harmonics: int = 5,
    share: float = 0.8,
    tries: int = 40,
    seed: int = 0,
) -> JointMotion:
    """A periodic motion that starts and ends at rest, the best conditioned for identification of some random ones.

    It knows nothing of collisions: check it in its scene before a robot makes it.

    Args:
        model: the robot; revolute and prismatic joints only.
        duration: of the period [s].
        dt: time between samples [s].
        harmonics: of the base frequency.
        share: of the joints' ranges and speeds that it may use.
        tries: how many random series are compared.
        seed: of the series.

    Returns:
        Positions, velocities and accelerations at the samples.
    """
    need_model(model, "exciting_motion")
    model.require_inertia()
    if any(kind not in ("revolute", "prismatic") for kind, _ in model.joint_slices()):
        raise InputError(f"exciting_motion moves revolute and prismatic joints; model '{model.name}' has others.")
    if not (0 < dt < duration < np.inf and 0 < share <= 1 and harmonics >= 2 and tries >= 1):
        raise InputError(
            f"exciting_motion needs 0 < dt < duration, 0 < share <= 1, two harmonics and one try at least; got dt {dt}, duration "
            f"{duration}, share {share}, harmonics {harmonics}, tries {tries}."
        )
    rng = np.random.default_rng(seed)
    time: Array = dt * np.arange(round(duration / dt) + 1, dtype=np.float64)
    best: tuple[float, tuple[Array, Array, Array]] | None = None
    for _ in range(tries):
        motion = _series(model, time, duration, harmonics, share, rng)
        rows = slice(None, None, max(1, len(time) // 200))
        Y = dynamics_regressor(model, *(part[rows] for part in motion)).reshape(-1, 10 * model.nv)
        R = np.linalg.qr(Y / np.maximum(np.linalg.norm(Y, axis=0), 1e-12), mode="r")
        values = np.linalg.svd(R, compute_uv=False)
        seen = values[values > 1e-8 * values[0]]
        merit = float(seen[0] / seen[-1]) - 1e6 * len(seen)  # what is seen at all counts before how well
        if best is None or merit < best[0]:
            best = merit, motion
    assert best is not None
    q, v, vdot = best[1]
    return JointMotion(dt, q, v, vdot)


def _series(
    model: Model, time: Array, duration: float, harmonics: int, share: float, rng: np.random.Generator
) -> tuple[Array, Array, Array]:
    """Each joint a sum of harmonics with zero speed and acceleration at the ends, scaled to the joint's range and speed."""
    w = 2.0 * np.pi / duration * np.arange(1, harmonics + 1)
    wt = np.outer(time, w)
    q, v, vdot = (np.empty((len(time), model.nv)) for _ in range(3))
    home = np.asarray(model.q_home)
    for j in range(model.nv):
        sine, cosine = rng.normal(size=(2, harmonics))
        sine[-1] -= (sine @ w) / w[-1]  # rest: sum of sine amplitudes times frequencies
        cosine[-1] -= (cosine @ w**2) / w[-1] ** 2  # no jump of acceleration
        x = np.sin(wt) @ sine + np.cos(wt) @ cosine
        rate = np.cos(wt) @ (w * sine) - np.sin(wt) @ (w * cosine)
        second = -np.sin(wt) @ (w**2 * sine) - np.cos(wt) @ (w**2 * cosine)
        low = max(model.q_min[j], home[j] - _FALLBACK_RANGE) if np.isinf(model.q_min[j]) else model.q_min[j]
        high = min(model.q_max[j], home[j] + _FALLBACK_RANGE) if np.isinf(model.q_max[j]) else model.q_max[j]
        speed = model.v_max[j] if np.isfinite(model.v_max[j]) else _FALLBACK_SPEED
        scale = share * min((high - low) / (x.max() - x.min()), speed / np.abs(rate).max())
        middle = rng.uniform(low - scale * x.min(), high - scale * x.max())
        q[:, j], v[:, j], vdot[:, j] = middle + scale * x, scale * rate, scale * second
    return q, v, vdot

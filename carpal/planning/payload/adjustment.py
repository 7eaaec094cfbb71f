"""Does a payload turn in its gripper: `adjust`, and the map of the answer (Leutenegger 2008, section 7.5.1, figure 34)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import KernelInput, run_batch
from carpal.errors import InputError
from carpal.planning.payload.kernels import three_contacts
from carpal.planning.payload.payload import Payload
from carpal.spatial import Array

WORDS = {0: "stays", 1: "turns", 2: "maybe"}


@dataclass(frozen=True, eq=False)
class Adjustment:
    """Whether payloads turn; arrays have the batch's shape.

    Args:
        outcome: (*batch) 0 stays, 1 turns, 2 maybe.
        pull: (*batch) share of gravity that pulls across the flap [m/s^2].
        holding: (*batch) the pull that unit friction holds [m/s^2]; it stays with friction mu where pull <= mu holding.
        normal_forces: (*batch, 3) of the three contacts [N], positive where contacts 1 and 2 press as in figure 32.
        pressed: (*batch) bool: no contact would have to pull; else the answer is maybe.
    """

    outcome: np.ndarray
    pull: Array
    holding: Array
    normal_forces: Array
    pressed: np.ndarray

    def __str__(self) -> str:
        if self.outcome.ndim == 0:
            need = float(self.pull / self.holding) if self.holding > 0 else np.inf
            return f"the payload {_sentence(int(self.outcome))}: it needs a friction of {need:.3g}."
        counts = [int((self.outcome == k).sum()) for k in WORDS]
        return (
            f"of {self.outcome.size} attitudes it stays in {counts[0]}, turns in {counts[1]}, may turn in {counts[2]}."
        )


def _sentence(outcome: int) -> str:
    return {0: "stays", 1: "turns", 2: "may turn"}[outcome]


def adjust(
    payload: Payload,
    tilt: ArrayLike,
    alpha: ArrayLike,
    *,
    mu_low: ArrayLike | None = None,
    mu_high: ArrayLike | None = None,
    gravity: float = 9.81,
) -> Adjustment:
    """Whether a payload stays, turns or may turn, at rest.

    Args:
        payload: what is held.
        tilt: (*batch) angle between gravity and the gripper's axis [rad].
        alpha: (*batch) angle of the centre of mass from gravity's direction in the plane of the contacts [rad].
        mu_low, mu_high: (*batch) friction bounds; by default the payload's.
        gravity: [m/s^2].
    """
    if not isinstance(payload, Payload):
        raise InputError(f"adjust needs a Payload; got {type(payload).__name__}.")
    columns = {
        "tilt": tilt, "alpha": alpha,
        "mu_low": payload.mu_low if mu_low is None else mu_low, "mu_high": payload.mu_high if mu_high is None else mu_high,
    }  # fmt: skip
    try:
        arrays = np.broadcast_arrays(*(np.asarray(column, float) for column in columns.values()))
    except (ValueError, TypeError):
        raise InputError("tilt, alpha, mu_low and mu_high must be numbers whose batch shapes fit together.") from None
    for name, array in zip(columns, arrays, strict=True):
        if not np.isfinite(array).all():
            raise InputError(f"{name} must be finite; got {array[~np.isfinite(array)][0]}.")
    if (arrays[2] < 0).any() or (arrays[2] > arrays[3]).any():
        raise InputError("friction bounds must be zero or above, mu_low not above mu_high.")
    (answer,) = run_batch(
        None, three_contacts.adjust_batch, (payload.geometry, float(gravity)),
        [KernelInput("attitude", np.stack(arrays[:2], axis=-1), (2,)),
         KernelInput("friction", np.stack(arrays[2:], axis=-1), (2,))],
        [(three_contacts.ANSWER,)],
    )  # fmt: skip
    first = three_contacts.NORMALS
    return Adjustment(
        outcome=answer[..., three_contacts.OUTCOME].astype(np.int64),
        pull=answer[..., three_contacts.PULL],
        holding=answer[..., three_contacts.HOLDING],
        normal_forces=payload.mass * answer[..., first : first + 3],
        pressed=answer[..., three_contacts.PRESSED] > 0,
    )


def friction_map(payload: Payload, *, steps: int = 181) -> tuple[Array, Array, np.ndarray]:
    """Tilts (steps) from 0 to 90 degrees, angles to gravity (steps) from 0 to 180, and the outcome (steps, steps) of each."""
    if isinstance(steps, bool) or not isinstance(steps, int) or steps < 2:
        raise InputError(f"steps must be a whole number, 2 or above; got {steps!r}.")
    tilt, alpha = np.linspace(0, np.pi / 2, steps), np.linspace(0, np.pi, steps)
    return tilt, alpha, adjust(payload, tilt[:, None], alpha[None, :]).outcome

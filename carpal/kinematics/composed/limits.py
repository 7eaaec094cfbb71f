"""Limits of composed inverse kinematics: of joints, of their speed, and any other that is linear in a small step."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model import NV, Model
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class JointLimit:
    """Joints stay inside q_min and q_max; dependent joints too.

    Args:
        margin: distance that is kept from both ends [rad, m]; a joint whose range is narrower stays at its middle.
    """

    margin: float = 0.0

    def __post_init__(self) -> None:
        """Check the margin."""
        if isinstance(self.margin, bool) or not isinstance(self.margin, int | float) or not 0.0 <= self.margin < np.inf:
            raise InputError(f"margin of JointLimit must be a number, zero or above [rad, m]; got {self.margin!r}.")

    def range(self, model: Model) -> tuple[Array, Array]:
        """(q_min, q_max), each (nq), with couplings taken into account."""
        low, high = (np.array(limit, float) for limit in model.coupled_limits)
        narrow = high - low < 2 * self.margin
        middle = 0.5 * (low[narrow] + high[narrow])
        low, high = low + self.margin, high - self.margin
        low[narrow] = high[narrow] = middle
        return low, high


@dataclass(frozen=True, eq=False)
class SpeedLimit:
    """Joints stay below their speeds; it counts in `step`, which has a duration, and not in `solve`.

    Args:
        v_max: (nv) [rad/s, m/s], or a mapping from joints; by default the model's.
        share: of the model's or the given speeds.
    """

    v_max: ArrayLike | Mapping[str, float] | None = None
    share: float = 1.0

    def __post_init__(self) -> None:
        """Check the share."""
        if isinstance(self.share, bool) or not isinstance(self.share, int | float) or not 0.0 < self.share < np.inf:
            raise InputError(f"share of SpeedLimit must be a number above zero; got {self.share!r}.")

    def speeds(self, model: Model) -> Array:
        """(nv) highest speeds, infinite where there are none."""
        most = np.array(model.v_max, float)
        if isinstance(self.v_max, Mapping):
            kinds = {name: kind for (kind, _), name in zip(model.joint_slices(), model.joint_names, strict=True)}
            for joint, value in self.v_max.items():
                first = model.v_index(joint)
                most[first : first + NV[kinds[joint]]] = _speed(joint, value)
        elif self.v_max is not None:
            given = np.asarray(self.v_max)
            if given.shape != (model.nv,) or given.dtype.kind not in "fiu":
                raise InputError(
                    f"v_max of SpeedLimit needs {model.nv} numbers ({', '.join(model.joint_names[:12])}) or a mapping from "
                    f"joints; got shape {given.shape}."
                )
            most = np.array([_speed(f"v[{i}]", x) for i, x in enumerate(given.tolist())])
        return self.share * most


def _speed(what: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not value >= 0.0:
        raise InputError(f"v_max of {what} must be a number, zero or above; got {value!r}.")
    return float(value)


class RowLimit(ABC):
    """Any other limit: at a configuration it gives rows G and slack h, and a step dq keeps it where G dq <= h.

    A slack below zero says that the limit is broken there, and by how much. `carpal.contact.DistanceLimit` and
    `carpal.dynamics.TorqueLimit` are such limits; derive from it for your own.
    """

    @abstractmethod
    def rows(self, q: Array) -> tuple[Array, Array]:
        """G (*batch, k, nv) and h (*batch, k) at q (*batch, nq); the same k for every q."""

    @abstractmethod
    def slack(self, q: Array) -> Array:
        """(*batch) the least distance from the limit's border at q, below zero beyond it: exact, not linearised."""

    def describe(self) -> str:
        """Its name in sentences."""
        return type(self).__name__


Limit = JointLimit | SpeedLimit | RowLimit
LIMITS = ("JointLimit", "SpeedLimit", "carpal.contact.DistanceLimit", "carpal.dynamics.TorqueLimit", "RowLimit")


def check_limits(limits: Any) -> tuple[Limit, ...]:
    """The limits as a tuple, or one clear sentence."""
    if isinstance(limits, Limit):
        limits = (limits,)
    if isinstance(limits, str) or not isinstance(limits, Sequence):
        raise InputError(f"limits is a list of {', '.join(LIMITS)}; got {limits!r:.80}.")
    for limit in limits:
        if not isinstance(limit, Limit):
            raise InputError(f"a limit is one of {', '.join(LIMITS)}; got {limit!r:.80}.")
    for kind in (JointLimit, SpeedLimit):
        if sum(isinstance(limit, kind) for limit in limits) > 1:
            raise InputError(f"one {kind.__name__} at most.")
    return tuple(limits)

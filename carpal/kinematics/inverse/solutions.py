"""The answer of closed-form inverse kinematics: every branch, or why there is none and what comes nearest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from carpal._core.result import Result, status_of_batch
from carpal.errors import InputError
from carpal.kinematics.inverse.ik_target import Target
from carpal.model import Model
from carpal.spatial import Array

Index = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class FreeParameter:
    """What the target leaves open.

    Args:
        name: "roll" or "arm angle".
        joint: the joint that turns freely, where it is one joint; else "".
        value: (*batch) [rad] at which it was held, NaN where the target leaves nothing open.
    """

    name: str
    joint: str
    value: Array


@dataclass(frozen=True, eq=False)
class NearestAnswer:
    """The reachable configuration that comes nearest to a target that is not reached.

    Args:
        q: (nq), inside the limits.
        position_error: [m].
        angle_error: [rad], of the pointing direction or of the whole attitude.
        prefer: which of the two was made small first: "position" or "direction".
    """

    q: Array
    position_error: float
    angle_error: float
    prefer: str

    def __str__(self) -> str:
        miss = f"{1000 * self.position_error:.4g} mm and {np.degrees(self.angle_error):.4g} deg"
        return f"the nearest found inside the limits, {self.prefer} first, misses by {miss}."


@dataclass(frozen=True, eq=False)
class IKSolutions(Result):
    """Every solution of one target or of a batch; rows beyond `count` are NaN.

    Args:
        model, frame, target: what was asked.
        method: how it was solved, for people.
        q: (*batch, branches, nq), sorted by distance from q0.
        count: (*batch) how many rows are solutions.
        in_limits: (*batch, branches) whether a row keeps all joints inside their limits; false for padding.
        branch: (*batch, branches) code of each row, bit i belongs to `branch_bits[i]`; -1 for padding.
        branch_bits: what each bit of the code chooses, such as ("elbow", "shoulder", "wrist").
        free: what the target leaves open, or None.
        reason: gives the sentence for the target at a batch index that has no solution inside the limits.
        seek: gives the nearest answer for the target at a batch index; None where nothing is offered.
        note: gives what else is to be known about a solved target, such as a singularity; "" where nothing.
    """

    model: Model
    frame: str
    target: Target
    method: str
    q: Array
    count: np.ndarray
    in_limits: np.ndarray
    branch: np.ndarray
    branch_bits: tuple[str, ...] = ()
    free: FreeParameter | None = None
    reason: Callable[[IKSolutions, Index], str] | None = None
    seek: Callable[[IKSolutions, Index], NearestAnswer] | None = None
    note: Callable[[IKSolutions, Index], str] | None = None
    _found: dict[Index, NearestAnswer] = field(default_factory=dict, repr=False)

    @staticmethod
    def put_off(now: dict[str, Any], later: Callable[[], dict[str, Any]]) -> IKSolutions:
        """A result of which some fields are only made when somebody asks for one of them; a single call is over sooner."""
        made = object.__new__(IKSolutions)
        object.__setattr__(made, "__dict__", {**now, "_found": {}, "_later": later})
        return made

    def __getattr__(self, name: str) -> Any:
        """Fields that were put off; Python comes here only for names that are not there yet."""
        later = self.__dict__.get("_later")
        if later is not None:
            made = later()
            if name in made:
                self.__dict__.update(made)
                return made[name]
        raise AttributeError(f"IKSolutions has no '{name}'.")

    @property
    def ok(self) -> Any:
        """(*batch) whether some solution is inside the limits."""
        return np.asarray(self.in_limits.any(axis=-1))[()]

    @property
    def batch(self) -> Index:
        """Shape of the batch; () for one target."""
        return tuple(self.q.shape[:-2])

    def __len__(self) -> int:
        """Of one target the number of solutions; of a batch its length."""
        return self.batch[0] if self.batch else int(self.count)

    def __iter__(self) -> Iterator[Any]:
        """Of one target its configurations (nq); of a batch the results one index further in."""
        if self.batch:
            return (self[i] for i in range(self.batch[0]))
        return iter(self.q[: int(self.count)])

    def __getitem__(self, i: int) -> Any:
        """Of one target its i-th configuration (nq); of a batch the result at i."""
        length = len(self)
        if not isinstance(i, int | np.integer) or not -length <= i < length:
            raise IndexError(f"index {i!r} is not in a result of length {length}.")
        at = int(i) % length
        if not self.batch:
            return self.q[at]
        free = None if self.free is None else FreeParameter(self.free.name, self.free.joint, self.free.value[at])
        part = Target(
            self.target.task, self.target.kind, self.target.numbers[at],
            None if self.target.given is None else self.target.given[at],
        )  # fmt: skip
        reason, seek, note = self.reason, self.seek, self.note
        return IKSolutions(
            self.model, self.frame, part, self.method, self.q[at], self.count[at], self.in_limits[at], self.branch[at],
            self.branch_bits, free,
            None if reason is None else lambda _, index: reason(self, (at, *index)),
            None if seek is None else lambda _, index: seek(self, (at, *index)),
            None if note is None else lambda _, index: note(self, (at, *index)),
        )  # fmt: skip

    @property
    def best(self) -> Array:
        """(*batch, nq) the solution inside the limits that is nearest to q0; NaN where there is none."""
        first = np.argmax(self.in_limits, axis=-1)[..., None, None]
        chosen = np.take_along_axis(self.q, first, axis=-2)[..., 0, :]
        return np.where(np.asarray(self.ok)[..., None], chosen, np.nan)

    def branch_name(self, code: int) -> str:
        """A branch's code in words, such as "elbow +, shoulder -, wrist +"."""
        return ", ".join(f"{name} {'-' if int(code) >> i & 1 else '+'}" for i, name in enumerate(self.branch_bits))

    @property
    def nearest(self) -> Any:
        """The nearest reachable answer where there is no solution inside the limits, else None; of a batch an object array."""
        if not self.batch:
            return self.nearest_at()
        out = np.empty(self.batch, object)
        for index in np.ndindex(*self.batch):
            out[index] = self.nearest_at(index)
        return out

    def nearest_at(self, index: Index = ()) -> NearestAnswer | None:
        """The nearest reachable answer for the target at a batch index; None where the target itself is reached."""
        if np.asarray(self.ok)[index] or self.seek is None:
            return None
        if index not in self._found:
            self._found[index] = self.seek(self, index)
        return self._found[index]

    @property
    def status(self) -> str:
        """One sentence; of a batch, how many were solved and why the first was not."""
        what = "targets have a solution inside the limits"
        return status_of_batch(np.asarray(self.ok), what, "the first without", self.explain)

    def explain(self, index: Index = ()) -> str:
        """How many solutions the target at a batch index has, or why there is none inside the limits."""
        if len(index) != len(self.batch):
            raise InputError(f"an index of {len(self.batch)} numbers is needed for batch {self.batch}; got {index}.")
        count, inside = int(self.count[index]), int(self.in_limits[index].sum())
        if inside:
            plural = "solution" if count == 1 else "solutions"
            where = "inside" if inside == count else f"{inside} of them inside"
            text = f"{count} {plural}, {where} the limits"
            free = self.free
            if free is not None and np.isfinite(free.value[index]):
                which = f" of {free.joint}" if free.joint else ""
                text += f"; the {free.name}{which} is free, held at {float(free.value[index]):.6g} rad"
            aside = "" if self.note is None else self.note(self, index)
            return f"{text}{'; ' + aside if aside else ''} ({self.method})."
        if self.reason is not None:
            return self.reason(self, index)
        return f"{count} solutions, none of them inside the limits ({self.method})."

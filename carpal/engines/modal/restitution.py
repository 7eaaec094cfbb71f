"""Restitution: how much of a collision's work comes back, as a constant or Chan's exponential."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.engines.modal.kernels import impact_restitution
from carpal.errors import InputError, unknown_name
from carpal.spatial import Array

_KINDS = {"constant": impact_restitution.CONSTANT, "exponential": impact_restitution.EXPONENTIAL}


@dataclass(frozen=True)
class Restitution:
    """The coefficient of restitution e; make one with `constant` or `exponential`.

    Args:
        kind: "constant" or "exponential".
        a: the constant; of the exponential law its level.
        b: of the exponential law the factor before exp(penetration in mm).
    """

    kind: str
    a: float
    b: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in _KINDS:
            raise InputError(f"kind of a Restitution must be one of {', '.join(_KINDS)}; got {self.kind!r:.60}.")
        for name in ("a", "b"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not np.isfinite(value):
                raise InputError(f"{name} of a Restitution must be a finite number; got {value!r:.60}.")
            object.__setattr__(self, name, float(value))
        if self.kind == "constant" and not 0.0 <= self.a <= 1.0:
            raise InputError(f"a coefficient of restitution must be from 0 to 1; got {self.a!r}.")

    @classmethod
    def constant(cls, e: float) -> Restitution:
        """The same e for every collision, 0 to 1."""
        return cls("constant", e)

    @classmethod
    def exponential(cls, a: float = 0.8744, b: float = 0.0756) -> Restitution:
        """Chan's law (C.2): e = a + b exp(k), k the penetration in millimetres, cut to 0..1 (E19)."""
        return cls("exponential", a, b)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Restitution:
        """From plain data: kind, a and b; an exponential law has its own by default."""
        for key in data:
            if key not in ("kind", "a", "b"):
                raise unknown_name("entry of a restitution", key, ("kind", "a", "b"))
        given: dict[str, Any] = {key: value for key, value in data.items() if key != "kind"}
        if data.get("kind") == "exponential":
            return cls.exponential(**given)
        for key in ("kind", "a"):
            if key not in data:
                raise InputError(f"a restitution lacks {key}; got {dict(data)!r:.60}.")
        return cls(data["kind"], **given)

    @property
    def numbers(self) -> tuple[int, float, float]:
        """As the kernels take them: kind, a, b."""
        return _KINDS[self.kind], self.a, self.b

    def at(self, depth: ArrayLike = 0.0) -> Array:
        """E (*batch) for a penetration [m] (*batch)."""
        try:
            k = 1000.0 * np.asarray(depth, np.float64)
        except (TypeError, ValueError):
            raise InputError(f"depth must be real numbers; got {depth!r:.60}.") from None
        if not np.isfinite(k).all():
            raise InputError("depth must be finite.")
        e = np.full(k.shape, self.a)
        if self.kind == "exponential":
            e = self.a + self.b * np.exp(np.minimum(k, 100.0))
        return np.clip(e, 0.0, 1.0)

"""Surface: what happens where two things touch: friction, the kind of tip, restitution."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.engines.modal.restitution import Restitution
from carpal.errors import InputError, unknown_name

TIPS = ("frictionless", "hard", "soft")


@dataclass(frozen=True)
class Surface:
    """Friction, restitution and compliance of a contact (Chan 1998, 2.1; E1 corrected).

    Args:
        mu: Coulomb's coefficient while sliding.
        mu_static: while a contact holds; at least `mu`. 0: as `mu`. The modal engine alone has it.
        rolling: [m] the torque against rolling is at most rolling * normal force. MuJoCo alone has it.
        restitution: a number from 0 to 1, or a `Restitution`.
        tip: "frictionless"; "hard" (a point with friction: three components of force); "soft" (a small patch that also holds
            a torque about the normal).
        torsion: radius [m] of a soft tip's patch: it holds a torque of at most torsion * normal force, whatever the
            tangential force is; a uniform disc of radius a has 2/3 mu a.
        compliance: [m/N] of one contact point; 0: rigid, or as stiff as an engine can be at its step. The modal engine is rigid.
    """

    mu: float = 0.6
    restitution: float | Restitution = 0.0
    tip: str = "hard"
    torsion: float = 0.0
    compliance: float = 0.0
    mu_static: float = 0.0
    rolling: float = 0.0

    def __post_init__(self) -> None:
        for name in ("mu", "torsion", "compliance", "mu_static", "rolling"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 <= value < math.inf:
                raise InputError(f"{name} of a Surface must be finite and zero or above; got {value!r:.60}.")
            object.__setattr__(self, name, float(value))
        if self.tip not in TIPS:
            raise unknown_name("tip of a Surface", self.tip, TIPS)
        if (self.torsion > 0) != (self.tip == "soft"):
            raise InputError(
                f"torsion belongs to a soft tip and must be above zero there; got tip '{self.tip}', torsion {self.torsion:g}."
            )
        if self.mu_static and (self.mu_static < self.mu or self.tip == "frictionless"):
            raise InputError(
                f"mu_static of a Surface must be at least its mu, and 0 at a frictionless tip; got mu_static {self.mu_static:g}, "
                f"mu {self.mu:g}, tip '{self.tip}'."
            )
        if not isinstance(self.restitution, Restitution):
            object.__setattr__(self, "restitution", Restitution.constant(self.restitution))

    @property
    def numbers(self) -> tuple[float, ...]:
        """A row of the kernels' table: friction, torsional radius, restitution (kind and two numbers), static friction."""
        assert isinstance(self.restitution, Restitution)
        mu = 0.0 if self.tip == "frictionless" else self.mu
        return mu, self.torsion if mu > 0 else 0.0, *self.restitution.numbers, max(mu, self.mu_static)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Surface:
        """From plain data, as of `to_dict`; restitution may be a number. What is left out is as usual."""
        names = tuple(field.name for field in dataclasses.fields(cls))
        for key in data:
            if key not in names:
                raise unknown_name("entry of a surface", key, names)
        e = data.get("restitution")
        return cls(**(dict(data) | ({"restitution": Restitution.from_dict(e)} if isinstance(e, Mapping) else {})))

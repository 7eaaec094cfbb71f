"""ContactLaw: every number of the penalty engine's contacts and their friction."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.engines.contact_spring import damping_ratio_of, restitution_number
from carpal.engines.surface import Surface
from carpal.errors import InputError
from carpal.spatial import Array


@dataclass(frozen=True)
class ContactLaw:
    """Normal force A (k d + c d') and asperity friction (Yesmunt 2014, eq. 2.33 and section 2.3.2; it prints no numbers).

    Args:
        stiffness: k [N/m^3] for each square metre of contact.
        damping: c [N s/m^3].
        separation: s_p, from 0 to 1: the share of the damping that acts while separating.
        friction: mu.
        tangential: stiffness [N/m^3] of the asperities' springs; 0: only the velocity element is left, which creeps.
        slip_speed: [m/s] at which the velocity element reaches mu N.
        area: [m^2] that a contact between two shapes stands for; surface points bring their own.
    """

    stiffness: float = 1e9
    damping: float = 1e5
    separation: float = 0.5
    friction: float = 0.5
    tangential: float = 5e8
    slip_speed: float = 1e-2
    area: float = 1e-4

    def __post_init__(self) -> None:
        for item in dataclasses.fields(self):
            value = getattr(self, item.name)
            least = 0.0 if item.name not in ("stiffness", "slip_speed", "area") else np.nextafter(0.0, 1.0)
            most = 1.0 if item.name == "separation" else np.inf
            if isinstance(value, bool) or not isinstance(value, int | float | np.number):
                raise InputError(f"{item.name} of a ContactLaw must be a number; got {value!r:.60}.")
            if not (least <= value <= most and np.isfinite(value)):
                allowed = "from 0 to 1" if most == 1.0 else "zero or above" if least == 0.0 else "above zero"
                raise InputError(f"{item.name} of a ContactLaw must be finite and {allowed}; got {value!r:.60}.")
            object.__setattr__(self, item.name, float(value))

    @property
    def numbers(self) -> Array:
        """As the kernels take them."""
        columns = (self.stiffness, self.damping, self.separation, self.friction, self.tangential, self.slip_speed)
        return np.array(columns)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return dataclasses.asdict(self)


def law_of_surface(law: ContactLaw, surface: Surface, area: float, mass: float) -> ContactLaw:
    """The law of a contact with that surface.

    Friction is the surface's. Stiffness is the inverse of its compliance, or the law's where it is rigid. Damping gives its
    restitution (`contact_spring`) to a central impact; it acts in full while separating.

    Args:
        law: of the engine: stiffness of rigid contacts, share of tangential stiffness, slip speed.
        surface: what the scene says.
        area: that the contact stands for [m^2].
        mass: reduced mass of the two bodies [kg].
    """
    stiffness = 1.0 / (surface.compliance * area) if surface.compliance else law.stiffness
    ratio = damping_ratio_of(restitution_number(surface))
    return dataclasses.replace(
        law,
        stiffness=stiffness,
        damping=2.0 * ratio * float(np.sqrt(stiffness * mass / area)),
        separation=1.0,
        friction=surface.numbers[0],
        tangential=law.tangential / law.stiffness * stiffness,
    )

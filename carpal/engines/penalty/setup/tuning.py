"""`tune`: P and D of actuators from how far they may sag under the load and how they shall be damped.

The thesis tunes its arm until the hand sags less than 5 mm (section 6.1), and calls gains overdamped that ring (erratum E11).
Here P = load / sag with the load at the sagged pose, and D = 2 zeta sqrt((P + k) I) - d, where I, k and d are the inertia, the
stiffness of weights and springs, and the damping that the actuator feels (`response`), joints rigid and other actuators locked.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.engines.penalty.setup.response import Felt, Response
from carpal.errors import InputError, unknown_name
from carpal.model import Mechanism, RotaryActuator
from carpal.spatial import Array, wxyz_from_rotation

LEAST_SHARE = 0.05
"""Actuators that carry less than this share of the largest load of their kind are tuned for it. Assumed."""


@dataclass(frozen=True, eq=False)
class TuneResult(Result):
    """Gains, and what they were made from; one entry for each tuned actuator.

    Args:
        ok, status: whether all is as wanted, and one sentence.
        mechanism: with the gains put in.
        names: of the actuators.
        P, D: gains [N m/rad, N m s/rad or N/m, N s/m].
        load: what each carries at rest [N m, N], with sign, towards larger values.
        counted: the load that P was made for: the same, or the least load.
        inertia: that each feels [kg m^2, kg].
        sag: wanted [rad, m]; where `counted` is more than the load, it sags less.
        damping_ratio: that comes out; above the wanted one where passive damping alone exceeds it.
    """

    ok: bool
    status: str
    mechanism: Mechanism
    names: tuple[str, ...]
    P: Array
    D: Array
    load: Array
    counted: Array
    inertia: Array
    sag: Array
    damping_ratio: Array

    def to_dict(self) -> dict[str, Any]:
        """Plain data, without the mechanism."""
        numbers = ("P", "D", "load", "counted", "inertia", "sag", "damping_ratio")
        return {"ok": self.ok, "status": self.status, "actuators": list(self.names)} | {
            name: getattr(self, name).tolist() for name in numbers
        }


def tune(
    mechanism: Mechanism,
    sag: ArrayLike,
    damping_ratio: float = 1.0,
    *,
    actuators: Sequence[str] | None = None,
    least_load: ArrayLike | None = None,
) -> TuneResult:
    """P and D of actuators, at the mechanism's start pose.

    Args:
        mechanism: with the actuators to tune; their gains are replaced.
        sag: how far each may give way under weights and springs [rad, m], a number or one for each.
        damping_ratio: zeta of each, the others held: 1 is critical.
        actuators: which; by default all that follow a command.
        least_load: load [N m, N] that P is made for at least, a number or one for each; by default 5 % of the largest load
            among the actuators of the same kind. Needed where nothing pulls, as without gravity.
    """
    if not isinstance(mechanism, Mechanism):
        raise InputError(f"tune() takes a Mechanism; got {type(mechanism).__name__}.")
    known = [part.name for part in mechanism.actuators if part.command is not None]
    names = known if actuators is None else list(actuators)
    for name in names:
        if name not in known:
            raise unknown_name(f"actuator with a command of mechanism '{mechanism.name}'", name, known)
    if not names:
        raise InputError(
            f"mechanism '{mechanism.name}' has no actuator that follows a command, so there is nothing to tune."
        )
    sags = _positive(sag, len(names), "sag")
    if not 0 <= damping_ratio < np.inf:
        raise InputError(f"damping_ratio must be finite, zero or above; got {damping_ratio!r:.40}.")
    places = [[part.name for part in mechanism.actuators].index(name) for name in names]
    q = np.concatenate([np.r_[b.X_WB[:3, 3], wxyz_from_rotation(b.X_WB[:3, :3])] for b in mechanism.bodies])
    here = Response(mechanism, q)
    first = [here.felt(k) for k in places]
    ways = np.array([np.sign(felt.load) * s for felt, s in zip(first, sags, strict=True)])
    sagged = here.moved(sum((way * felt.motion for way, felt in zip(ways, first, strict=True)), np.zeros(here.width)))
    load = np.array([sagged.felt(k).load for k in places])
    least = _least_loads(mechanism, places, load, least_load)
    counted = np.maximum(np.abs(load), least)
    P = counted / sags
    inertia = np.array([felt.inertia for felt in first])
    own = np.array([_passive(here, k, felt, s) for k, felt, s in zip(places, first, sags, strict=True)])
    if (P + own <= 0).any():
        worst = int(np.argmin(P + own))
        raise InputError(
            f"actuator '{names[worst]}' cannot hold this pose with a sag of {sags[worst]:g}: weights and springs push away "
            f"harder ({-own[worst]:.3g}) than P = {P[worst]:.3g} brings back; allow less sag."
        )
    passive = np.array([felt.damping for felt in first])
    D = np.maximum(0.0, 2 * damping_ratio * np.sqrt((P + own) * inertia) - passive)
    reached = (D + passive) / (2 * np.sqrt((P + own) * inertia))
    made = list(mechanism.actuators)
    weak = []
    for i, k in enumerate(places):
        made[k] = dataclasses.replace(made[k], P=float(P[i]), D=float(D[i]))
        if abs(load[i]) > made[k].limit:
            weak.append(f"'{names[i]}' carries {abs(load[i]):.4g}, its limit is {made[k].limit:.4g}")
    status = f"P and D of {len(names)} actuators for a sag of {_span(sags)} and a damping ratio of {damping_ratio:g}"
    status += f"; too weak for its load: {', '.join(weak)}." if weak else "."
    return TuneResult(
        not weak, status, dataclasses.replace(mechanism, actuators=tuple(made)), tuple(names), P, D, load, counted, inertia,
        sags, reached,
    )  # fmt: skip


def _passive(here: Response, actuator: int, felt: Felt, sag: float) -> float:
    """Stiffness of weights and springs along the actuator's motion, by central differences over the sag."""
    ahead, behind = (here.moved(way * sag * felt.motion).felt(actuator).load for way in (1.0, -1.0))
    return -(ahead - behind) / (2 * sag)


def _positive(values: ArrayLike, count: int, what: str) -> Array:
    try:
        out = np.broadcast_to(np.asarray(values, float), (count,)).copy()
    except (TypeError, ValueError):
        raise InputError(f"{what} must be a number or {count} of them; got {values!r:.60}.") from None
    if not ((out > 0) & (out < np.inf)).all():
        raise InputError(f"{what} must be finite and above zero; got {values!r:.60}.")
    return out


def _least_loads(mechanism: Mechanism, places: list[int], load: Array, given: ArrayLike | None) -> Array:
    if given is not None:
        return _positive(given, len(places), "least_load")
    turning = np.array([isinstance(mechanism.actuators[k], RotaryActuator) for k in places])
    out = np.zeros(len(places))
    for kind in (turning, ~turning):
        if kind.any():
            out[kind] = LEAST_SHARE * np.abs(load[kind]).max()
            if not out[kind].max() > 1e-12:
                name = mechanism.actuators[places[int(np.argmax(kind))]].name
                raise InputError(
                    f"nothing pulls at actuator '{name}', so no sag fixes its P; give least_load (--least-load) [N m, N]."
                )
    return out


def _span(values: Array) -> str:
    low, high = float(values.min()), float(values.max())
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"

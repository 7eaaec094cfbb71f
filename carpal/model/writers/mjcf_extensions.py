"""Couplings, loops, tendons and actuators as MJCF elements, and what puts their names and digits back.

A loop is written on two sites of its own, because MuJoCo computes the second frame of a loop between bodies from the reference
pose. A coupling is written from the positions 0 of its joints; the polynomial as the model has it stands in the custom texts
and counts as long as it is the one that is written. `hidden` names the sites that are no frames of the model.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from carpal.errors import ModelError
from carpal.model.actuators import Actuator, ModelTendon
from carpal.model.constraints import Coupling, Loop
from carpal.model.model import Model
from carpal.model.parts import Frame
from carpal.model.plain_values import number_in
from carpal.model.readers.assemble import Names
from carpal.model.readers.mjcf_drives import kind_of
from carpal.model.writers.xml_attributes import attributes


@dataclass
class Extensions:
    """What a model holds beside its tree, ready to be written.

    Args:
        model: the model.
        sites: sites beside the model's frames.
        hidden: by site, the frame of the model that it stands for; "" where there is none.
        ends: the two sites of each loop.
    """

    model: Model
    sites: list[Frame] = field(default_factory=list)
    hidden: dict[str, str] = field(default_factory=dict)
    ends: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = Names(set(self.model.frames))
        for loop in self.model.loops:
            made = []
            for body, X, end in ((loop.body_a, loop.X_AL, "a"), (loop.body_b, loop.X_BL, "b")):
                made.append(self._site(names.new(f"{loop.name}/{end}"), body, X, ""))
            self.ends[loop.name] = (made[0], made[1])
        sites = {frame.name for frame in self.model.extra_frames}
        steps = {label for tendon in self.model.tendons for step in tendon.path for label in (step.name, step.side)}
        self._stand_in: dict[str, str] = {}
        for part in self.model.bodies:
            if part.name in steps - sites:
                label = names.new(f"{part.name}/origin")
                self._stand_in[part.name] = self._site(label, part.name, np.eye(4), part.name)

    def _site(self, name: str, body: str | None, X: Any, stands_for: str) -> str:
        self.sites.append(Frame(name, body, X))
        self.hidden[name] = stands_for
        return name

    def about(self) -> dict[str, Any]:
        """What the custom text must hold to put everything back."""
        couplings = {
            c.name: {"coefficients": list(c.coefficients), "refs": [c.follower_ref, c.leader_ref]}
            for c in self.model.couplings
        }
        kinds = {a.name: a.kind for a in self.model.actuators if a.kind != kind_of(a.gain, a.bias)}
        found = {"hidden": self.hidden, "couplings": couplings, "kinds": kinds}
        return {what: value for what, value in found.items() if value}

    def lines(self) -> list[str]:
        """The sections <tendon>, <equality> and <actuator>."""
        equalities = [self._coupling(c) for c in self.model.couplings] + [self._loop(loop) for loop in self.model.loops]
        sections = {
            "tendon": [line for tendon in self.model.tendons for line in self._tendon(tendon)],
            "equality": equalities,
            "actuator": [self._actuator(actuator) for actuator in self.model.actuators],
        }
        out = []
        for tag, lines in sections.items():
            if lines:
                out += [f"  <{tag}>", *(f"    {line}" for line in lines), f"  </{tag}>"]
        return out

    @staticmethod
    def _coupling(coupling: Coupling) -> str:
        polynomial = from_zero(coupling.coefficients, coupling.follower_ref, coupling.leader_ref)
        ends = {"joint1": coupling.follower, "joint2": coupling.leader}
        return f"<joint {attributes(name=coupling.name, **ends, polycoef=polynomial)}/>"

    def _loop(self, loop: Loop) -> str:
        first, second = self.ends[loop.name]
        return f"<{loop.kind} {attributes(name=loop.name, site1=first, site2=second)}/>"

    def _tendon(self, tendon: ModelTendon) -> list[str]:
        limited = bool(np.isfinite(tendon.limits).any())
        about = attributes(
            name=tendon.name,
            stiffness=tendon.stiffness or None,
            damping=tendon.damping or None,
            frictionloss=tendon.friction or None,
            springlength=tendon.rest,
            range=tendon.limits if limited else None,
        )
        kind = "fixed" if tendon.joints else "spatial"
        steps = [f"<joint {attributes(joint=joint, coef=value)}/>" for joint, value in tendon.joints.items()]
        for step in tendon.path:
            if step.kind == "site":
                steps.append(f"<site {attributes(site=self._stand_in.get(step.name, step.name))}/>")
            elif step.kind == "pulley":
                steps.append(f"<pulley {attributes(divisor=step.divisor)}/>")
            else:
                side = None if step.side is None else self._stand_in.get(step.side, step.side)
                steps.append(f"<geom {attributes(geom=step.name, sidesite=side)}/>")
        return [f"<{kind} {about}>", *(f"  {step}" for step in steps), f"</{kind}>"]

    @staticmethod
    def _actuator(actuator: Actuator) -> str:
        about = attributes(
            name=actuator.name,
            joint=actuator.joint,
            tendon=actuator.tendon,
            gear=actuator.gear,
            gaintype="fixed",
            gainprm=actuator.gain,
            biastype="affine" if any(actuator.bias) else "none",
            biasprm=actuator.bias if any(actuator.bias) else None,
            ctrlrange=actuator.ctrl_range if np.isfinite(actuator.ctrl_range).any() else None,
            forcerange=actuator.force_range if np.isfinite(actuator.force_range).any() else None,
        )
        return f"<general {about}/>"


def from_zero(coefficients: tuple[float, ...], follower_ref: float, leader_ref: float) -> tuple[float, ...]:
    """The polynomial of a coupling when both joints count from zero; the same digits where they already do."""
    out = np.array(coefficients)
    if leader_ref != 0.0 and len(out) > 1:
        shift = np.polynomial.Polynomial([-leader_ref, 1.0])
        out = np.polynomial.Polynomial(coefficients)(shift).coef
        out = np.pad(out, (0, len(coefficients) - len(out)))
    if follower_ref != 0.0:
        out[0] += follower_ref
    return tuple(float(x) for x in out)


def restored(kept: dict[str, Any], extras: dict[str, Any]) -> dict[str, Any]:
    """Couplings, loops, tendons and actuators as the model had them that was written.

    Args:
        kept: arguments of Model as they were read from the MJCF.
        extras: from `extras_of`.
    """
    about = extras["model"]
    if not about:
        return kept
    try:
        names = {label: entry["name"] for label, entry in extras["bodies"].items() if "name" in entry}
        stands = {site: frame for site, frame in about.get("hidden", {}).items() if frame}
        kinds = about.get("kinds", {})
        return {
            "couplings": tuple(_old_coupling(c, about.get("couplings", {}).get(c.name)) for c in kept["couplings"]),
            "loops": tuple(
                replace(
                    loop,
                    body_a=names.get(loop.body_a, loop.body_a),
                    body_b=None if loop.body_b is None else names.get(loop.body_b, loop.body_b),
                )
                for loop in kept["loops"]
            ),
            "tendons": tuple(_old_tendon(tendon, stands) for tendon in kept["tendons"]),
            "actuators": tuple(replace(a, kind=str(kinds.get(a.name, a.kind))) for a in kept["actuators"]),
        }
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(f"the custom texts are not what Carpal writes: {error!r}.") from None


def _old_coupling(read: Coupling, old: dict[str, Any] | None) -> Coupling:
    if old is None:
        return read
    coefficients = tuple(number_in(x) for x in old["coefficients"])
    refs = [number_in(x) for x in old["refs"]]
    written = from_zero(coefficients, refs[0], refs[1])
    now = from_zero(read.coefficients, read.follower_ref, read.leader_ref)
    most = max(len(written), len(now))
    same = written + (0.0,) * (most - len(written)) == now + (0.0,) * (most - len(now))
    if not same:
        return read  # the file was edited
    return replace(read, coefficients=coefficients, follower_ref=refs[0], leader_ref=refs[1])


def _old_tendon(tendon: ModelTendon, stands: dict[str, str]) -> ModelTendon:
    path = (
        replace(step, name=stands.get(step.name, step.name), side=stands.get(step.side or "", step.side))
        for step in tendon.path
    )
    return replace(tendon, path=tuple(path))

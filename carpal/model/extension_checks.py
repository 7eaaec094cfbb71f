"""Checks of what a model holds beside its tree: visuals, couplings, loops, tendons, actuators, pairs of shapes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from carpal.errors import InputError, ModelError, unknown_name

if TYPE_CHECKING:
    from carpal.model.model import Model

SCALAR = ("revolute", "prismatic")


def check_extensions(model: Model) -> None:
    """Refuse names that are not in the model, doubled names, and couplings that contradict each other."""
    bodies = [body.name for body in model.bodies]
    kinds = {body.joint.name: body.joint.kind for body in model.bodies}
    scalar = [joint for joint, kind in kinds.items() if kind in SCALAR]
    shapes = [shape.name for shape in model.shapes]
    frames = [*bodies, *(frame.name for frame in model.extra_frames)]
    tendons = [tendon.name for tendon in model.tendons]
    for what in ("visuals", "couplings", "loops", "tendons", "actuators"):
        _once(model, what, getattr(model, what))
    for seen in model.visuals:
        _known(seen.body, [None, *bodies], f"body of visual '{seen.name}'")
    for loop in model.loops:
        _known(loop.body_a, bodies, f"body of loop '{loop.name}'")
        _known(loop.body_b, [None, *bodies], f"body of loop '{loop.name}'")
    for pair in model.contact_pairs:
        if len(pair) != 2:
            raise InputError(f"a contact pair of model '{model.name}' is two shapes; got {pair!r:.80}.")
        for shape in pair:
            _known(shape, shapes, f"shape in a contact pair of model '{model.name}'")
    for tendon in model.tendons:
        for joint in tendon.joints:
            _known(joint, scalar, f"revolute or prismatic joint of tendon '{tendon.name}'")
        for step in tendon.path:
            if step.kind != "pulley":
                _known(
                    step.name,
                    frames if step.kind == "site" else shapes,
                    f"{step.kind} in the path of tendon '{tendon.name}'",
                )
            _known(step.side, [None, *frames], f"side in the path of tendon '{tendon.name}'")
    for actuator in model.actuators:
        if actuator.joint is not None:
            _known(actuator.joint, scalar, f"revolute or prismatic joint of actuator '{actuator.name}'")
        else:
            _known(actuator.tendon, tendons, f"tendon of actuator '{actuator.name}'")
    _check_couplings(model, scalar)


def _check_couplings(model: Model, scalar: list[str]) -> None:
    leaders: dict[str, str | None] = {}
    for coupling in model.couplings:
        _known(coupling.follower, scalar, f"revolute or prismatic follower of coupling '{coupling.name}'")
        _known(coupling.leader, [None, *scalar], f"revolute or prismatic leader of coupling '{coupling.name}'")
        if coupling.follower in leaders:
            raise ModelError(
                f"joint '{coupling.follower}' of model '{model.name}' follows two joints, "
                f"'{leaders[coupling.follower]}' and '{coupling.leader}'; a joint can follow one."
            )
        leaders[coupling.follower] = coupling.leader
    for follower in leaders:
        chain = [follower]
        while (leader := leaders.get(chain[-1])) is not None:
            if leader in chain:
                raise ModelError(f"couplings of model '{model.name}' run in a circle: {' -> '.join([*chain, leader])}.")
            chain.append(leader)


def _once(model: Model, what: str, things: Iterable[Any]) -> None:
    seen: set[str] = set()
    for thing in things:
        if thing.name in seen:
            raise ModelError(f"model '{model.name}' has two {what} named '{thing.name}'.")
        seen.add(thing.name)


def _known(name: str | None, names: list[Any], what: str) -> None:
    if name not in names:
        raise unknown_name(what, name, [choice for choice in names if choice is not None])

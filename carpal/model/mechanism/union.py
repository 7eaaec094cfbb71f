"""Several mechanisms as one: digits that share a palm, an arm that carries a hand."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from carpal.errors import InputError, ModelError
from carpal.model.mechanism.mechanism import Mechanism, MechanismBody


def united(name: str, parts: Sequence[Mechanism]) -> Mechanism:
    """One mechanism of all parts. A body that several parts hold (the very same object) is taken once.

    Command vectors follow each other in the order of the parts. Gravity must be the same in all.
    """
    parts = tuple(parts)
    if not parts or not all(isinstance(part, Mechanism) for part in parts):
        raise InputError(f"united() takes one or more mechanisms; got {parts!r:.60}.")
    for part in parts[1:]:
        if (part.gravity != parts[0].gravity).any():
            raise ModelError(
                f"mechanisms '{parts[0].name}' and '{part.name}' have gravity {parts[0].gravity.tolist()} and "
                f"{part.gravity.tolist()}; one world has one."
            )
    bodies: dict[str, MechanismBody] = {}
    actuators: list[Any] = []
    first = 0
    for part in parts:
        for body in part.bodies:
            if bodies.setdefault(body.name, body) is not body:
                raise ModelError(f"two different bodies are named '{body.name}'; give the parts prefixes.")
        for actuator in part.actuators:
            place = None if actuator.command is None else first + actuator.command
            actuators.append(dataclasses.replace(actuator, command=place))
        first += part.commands
    return Mechanism(
        name,
        tuple(bodies.values()),
        joints=tuple(joint for part in parts for joint in part.joints),
        springs=tuple(spring for part in parts for spring in part.springs),
        actuators=tuple(actuators),
        friction=tuple(each for part in parts for each in part.friction),
        prescribed=tuple(motion for part in parts for motion in part.prescribed),
        gravity=parts[0].gravity,
        fixed=tuple(shape for part in parts for shape in part.fixed),
        untouched=tuple(dict.fromkeys(pair for part in parts for pair in part.untouched)),
        untouched_shapes=tuple(dict.fromkeys(pair for part in parts for pair in part.untouched_shapes)),
    )

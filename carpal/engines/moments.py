"""What a row of a recording can hold besides numbers: contacts and events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from carpal.errors import unknown_name

BESIDE = ("impact", "stop", "torsion")
"""Modes of rows that are no touch between two bodies: the impulse of a collision over the length of its step [N], a joint or
tendon at its stop (its generalised force is force[0]), and the torsional torque of a soft tip [N m]."""


def touching(contacts: Iterable[Contact]) -> list[Contact]:
    """The contacts in which two bodies touch: without collisions, stops and torsional torques."""
    return [contact for contact in contacts if contact.mode not in BESIDE]


class Contact(NamedTuple):
    """Two bodies that touch, at one time.

    Args:
        a, b: names of the bodies; "" is the world.
        mode: free, sticking, rolling, spinning, sliding, touching (closed within the step, without friction), or "" where the
            engine knows no modes; impact, stop or torsion (`BESIDE`).
        point: (3) in the world [m].
        normal: n_AB_W (3), from A into B.
        depth: [m], above zero when overlapping.
        force: (3) on B at the point, in the world [N].
    """

    a: str
    b: str
    mode: str = ""
    point: tuple[float, ...] = (0.0, 0.0, 0.0)
    normal: tuple[float, ...] = (0.0, 0.0, 1.0)
    depth: float = 0.0
    force: tuple[float, ...] = (0.0, 0.0, 0.0)


class Event(NamedTuple):
    """Something worth a note, at a time [s]."""

    time: float
    name: str
    text: str = ""
    value: float = 0.0


def contact(*values: Any, **named: Any) -> Contact:
    """A contact with plain numbers, from its fields in order or by name."""
    for name in named:
        if name not in Contact._fields:
            raise unknown_name("field of a contact", name, Contact._fields)
    given = Contact(*values, **named)
    point, normal, force = (tuple(float(x) for x in vector) for vector in (given.point, given.normal, given.force))
    return Contact(given.a, given.b, given.mode, point, normal, float(given.depth), force)


def plain_contact(given: Contact | Mapping[str, Any]) -> Contact:
    """A contact with plain numbers; one that has them, as an engine's do, as it is."""
    if (
        isinstance(given, Contact)
        and type(given.depth) is float
        and type(given.point) is type(given.normal) is type(given.force) is tuple
    ):
        return given
    return contact(**given) if isinstance(given, Mapping) else contact(*given)


def event(time: float, given: Event | Mapping[str, Any]) -> Event:
    """An event, from itself or by name; its time is the row's unless it says another [s]."""
    if not isinstance(given, Mapping):
        return Event(*given)
    for name in given:
        if name not in Event._fields:
            raise unknown_name("field of an event", name, Event._fields)
    return Event(**{"time": time, **given})

"""Sense of a linkage's description, before any geometry: names, joints between different bars, Grübler's count."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from carpal.errors import InputError, ModelError, unknown_name
from carpal.model.mechanism.checks import amount, finite

if TYPE_CHECKING:
    from carpal.model.linkage.description import Linkage


def check_description(linkage: Linkage) -> None:
    """Refuse what makes no sense, in one sentence."""
    name = linkage.name
    if "ground" not in linkage.index:
        raise ModelError(f"linkage '{name}' needs a bar named 'ground' that stands still; got {_list(linkage.index)}.")
    for kind in ("bars", "pins", "slides", "springs"):
        labels = [thing.name for thing in getattr(linkage, kind)]
        for label in labels:
            if labels.count(label) > 1:
                raise ModelError(f"linkage '{name}' has two {kind} named '{label}'.")
    for pin in linkage.pins:
        _two_bars(linkage, f"pin '{pin.name}'", pin.a, pin.b)
    for slide in linkage.slides:
        if not isinstance(slide.along, tuple | list) or len(slide.along) != 2:
            raise InputError(f"slide '{slide.name}' needs along = [bar.point, bar.point]; got {slide.along!r:.60}.")
        guide, other = linkage.point(slide.along[0]), linkage.point(slide.along[1])
        if guide[0] != other[0] or math.dist(guide[1], other[1]) == 0:
            raise ModelError(f"the guide of slide '{slide.name}' must be two different points of one bar.")
        _two_bars(linkage, f"slide '{slide.name}'", slide.at, slide.along[0])
        for what in ("angle", "travel"):
            finite(getattr(slide, what), (), f"{what} of slide '{slide.name}'")
    if not linkage.scale > 0:
        raise ModelError(f"no bar of linkage '{name}' has two different points, so it has no size.")
    for spring in linkage.springs:
        _check_spring(linkage, spring)
    _check_drive(linkage)
    _check_connected(linkage)
    check_count(linkage)


def check_count(linkage: Linkage) -> None:
    """Grübler's count must leave exactly the drive's freedom."""
    free = linkage.freedoms
    if free == 1:
        return
    moving, joints = len(linkage.bars) - 1, len(linkage.pins) + len(linkage.slides)
    cure = (
        "the drive cannot hold the rest: add pins or take bars away" if free > 1 else "it cannot move: take pins away"
    )
    raise ModelError(
        f"linkage '{linkage.name}' has {free} degrees of freedom by Grübler's count (3 x {moving} moving bars - 2 x "
        f"{joints} pins and slides), and needs exactly 1; {cure}."
    )


def _check_drive(linkage: Linkage) -> None:
    drive = linkage.drive
    choices: dict[str, Any] = {
        "turn": [pin.name for pin in linkage.pins], "slide": [slide.name for slide in linkage.slides], "push": None,
    }  # fmt: skip
    if drive.kind not in choices:
        raise unknown_name("kind of drive", drive.kind, choices)
    if drive.kind == "push":
        _two_bars(linkage, "the push drive", *linkage.push_points())
    elif drive.joint not in choices[drive.kind]:
        raise unknown_name(
            f"{'pin' if drive.kind == 'turn' else 'slide'} of the drive", drive.joint, choices[drive.kind]
        )
    start, stop = (float(finite(x, (), "the drive's start and stop")) for x in (drive.start, drive.stop))
    if start == stop:
        raise ModelError(
            f"the drive of linkage '{linkage.name}' starts and stops at {start:g} {linkage.unit}: no stroke."
        )
    if drive.kind == "push" and min(start, stop) <= 0:
        raise ModelError(f"a push drive's length must stay above zero; its stroke is {start:g} to {stop:g} m.")
    for what in ("P", "D"):
        if finite(getattr(drive, what), (), f"{what} of the drive") < 0:
            raise InputError(f"{what} of the drive must be zero or above; got {getattr(drive, what):g}.")


def _check_spring(linkage: Linkage, spring: Any) -> None:
    amount(spring, "stiffness", "damping")
    finite(spring.rest, (), f"rest of spring '{spring.name}'")
    if spring.turns:
        for bar in (spring.a, spring.b):
            if bar not in linkage.index:
                raise unknown_name(f"bar of spring '{spring.name}'", bar, linkage.index)
        if spring.a == spring.b:
            raise ModelError(f"spring '{spring.name}' joins bar '{spring.a}' to itself.")
    else:
        _two_bars(linkage, f"spring '{spring.name}'", spring.a, spring.b)


def _two_bars(linkage: Linkage, what: str, a: str, b: str) -> None:
    i, j = linkage.point(a)[0], linkage.point(b)[0]
    if i == j:
        raise ModelError(f"{what} joins bar '{linkage.bars[i].name}' to itself; it needs two different bars.")


def _check_connected(linkage: Linkage) -> None:
    pairs = [(linkage.point(pin.a)[0], linkage.point(pin.b)[0]) for pin in linkage.pins]
    pairs += [(linkage.point(slide.at)[0], linkage.point(slide.along[0])[0]) for slide in linkage.slides]
    reached, grows = {0}, True
    while grows:
        more = {k for pair in pairs if set(pair) & reached for k in pair} - reached
        grows = bool(more)
        reached |= more
    loose = [bar.name for i, bar in enumerate(linkage.bars) if i not in reached]
    if loose:
        raise ModelError(
            f"bar '{loose[0]}' of linkage '{linkage.name}' hangs on nothing: no pins or slides lead to ground."
        )


def _list(names: Any) -> str:
    return ", ".join(names) or "none"

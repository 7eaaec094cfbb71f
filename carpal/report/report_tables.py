"""Tables of a report, as HTML: published beside ours, the numbers, settings, versions, the command to run it again."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any


def number(value: Any, digits: int = 6) -> str:
    """A number for people; anything else as text."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "-"}[value]
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {number(inner, digits)}" for name, inner in value.items())
    if isinstance(value, str):
        return value
    if isinstance(value, Iterable):
        shown = [number(inner, min(digits, 5)) for inner in value]
        return ", ".join(shown[:12]) + (f", ... ({len(shown)} in all)" if len(shown) > 12 else "")
    if isinstance(value, int):
        return str(value)
    try:
        return f"{float(value):.{digits}g}"
    except (TypeError, ValueError):
        return str(value)


UNITS = {
    "m": "m", "mm": "mm", "s": "s", "ms": "ms", "rad": "rad", "deg": "deg", "N": "N", "Nm": "N m", "J": "J", "W": "W", "kg": "kg",
    "Hz": "Hz", "mps": "m/s", "rps": "rad/s", "percent": "%",
}  # fmt: skip
"""Endings of names that are units."""


def words(name: str) -> str:
    """A name as words."""
    return str(name).replace("_", " ")


def words_and_unit(name: str) -> tuple[str, str]:
    """A name as words and its unit: largest_error_m is largest error, m."""
    start, _, ending = str(name).rpartition("_")
    return (words(start), UNITS[ending]) if start and ending in UNITS else (words(name), "")


def table(head: list[str], rows: list[list[str]], *, right: tuple[int, ...] = (), soft: tuple[int, ...] = ()) -> str:
    """An HTML table of texts (escaped here); columns in `right` hold numbers, those in `soft` explanations."""
    if not rows:
        return ""

    def cell(tag: str, i: int, text: str) -> str:
        kind = ' class="n"' if i in right else ' class="help"' if i in soft and tag == "td" else ""
        return f"<{tag}{kind}>{escape(text)}</{tag}>"

    top = "".join(cell("th", i, text) for i, text in enumerate(head))
    body = "".join("<tr>" + "".join(cell("td", i, text) for i, text in enumerate(row)) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def published_table(published: Iterable[tuple[str, Any, Any, str]]) -> str:
    """What a source published beside what we measured."""
    rows = []
    for what, theirs, ours, unit in published:
        rows.append([str(what), number(theirs), number(ours), *_difference(theirs, ours), unit])
    return table(["what", "published", "ours", "difference", "relative", "unit"], rows, right=(1, 2, 3, 4))


def _difference(theirs: Any, ours: Any) -> tuple[str, str]:
    try:
        a, b = float(theirs), float(ours)
    except (TypeError, ValueError):
        return "-", "-"
    if not (math.isfinite(a) and math.isfinite(b)):
        return "-", "-"
    return f"{b - a:+.4g}", f"{100 * (b - a) / a:+.3g} %" if a else "-"


def numbers_table(numbers: Mapping[str, Any]) -> str:
    """The numbers of a score."""
    rows = []
    for name, value in numbers.items():
        what, unit = words_and_unit(name)
        rows.append([what, number(value), unit])
    return table(["number", "value", "unit"], rows, right=(1,))


def settings_table(options: Mapping[str, Any], about: Mapping[str, tuple[str, str]]) -> str:
    """Options with their values, units and meanings; `about` maps a name to (unit, help)."""
    rows = [
        [words(name), number(value), about.get(name, ("", ""))[0], about.get(name, ("", ""))[1]]
        for name, value in options.items()
    ]
    if not any(row[2] or row[3] for row in rows):
        return table(["setting", "value"], [row[:2] for row in rows], right=(1,))
    return table(["setting", "value", "unit", "meaning"], rows, right=(1,), soft=(3,))


def events_table(events: Iterable[Any]) -> str:
    """What was noted during the run, the first 50."""
    rows: list[list[str]] = []
    for event in events:
        if len(rows) == 50:
            break
        rows.append([f"{event.time:.4f}", words(event.name), event.text, number(event.value)])
    return table(["time [s]", "event", "text", "value"], rows, right=(0, 3))

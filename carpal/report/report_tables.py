"""Tables of a report, as HTML: published beside ours, the numbers, settings, versions, the command to run it again."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from carpal.report.quantities import is_noise, number, shown, words, words_and_unit


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
    """What a source published beside what we measured; where both are only rounding, a sentence instead of a comparison."""
    rows, zero = [], []
    for what, theirs, ours, unit in published:
        if is_noise(theirs) and is_noise(ours):
            zero.append(f"{str(what)[:1].upper()}{str(what)[1:]}: zero up to rounding, in the source and here.")
        else:
            rows.append([str(what), number(theirs, 4), number(ours, 4), *_difference(theirs, ours), unit])
    text = table(["what", "published", "ours", "difference", "relative", "unit"], rows, right=(1, 2, 3, 4))
    return (f'<div class="scroll">{text}</div>' if rows else "") + "".join(f"<p>{escape(line)}</p>" for line in zero)


def _difference(theirs: Any, ours: Any) -> tuple[str, str]:
    try:
        a, b = float(theirs), float(ours)
    except (TypeError, ValueError):
        return "-", "-"
    if not (math.isfinite(a) and math.isfinite(b)):
        return "-", "-"
    return f"{b - a:+.3g}", f"{100 * (b - a) / a:+.3g} %" if not is_noise(a) else "-"


def numbers_html(numbers: Mapping[str, Any], groups: Mapping[str, Mapping[str, str]] | None = None) -> str:
    """The numbers of a score, in groups: rounded, with a unit that fits; the pointer over one shows all of its digits.

    Args:
        numbers: name with its unit at the end, to a value.
        groups: title of a group to the names in it, each with the words to show, "" for those of the name itself.
    """
    left = dict(numbers)
    parts = []
    for title, members in (groups or {}).items():
        rows = [_number(name, left.pop(name), says) for name, says in members.items() if name in left]
        parts += [(title, rows)] if rows else []
    rest = [_number(name, value, "") for name, value in left.items()]
    parts += [("Others" if parts else "", rest)] if rest else []
    return "".join(
        f'<section class="group">{f"<h3>{escape(title)}</h3>" if title else ""}<dl>{"".join(rows)}</dl></section>'
        for title, rows in parts
    )


def _number(name: str, value: Any, says: str) -> str:
    put = shown(name, value)
    what, unit = says or words_and_unit(name)[0], f" <span>{escape(put.unit)}</span>" if put.unit else ""
    return (
        f'<div><dt>{escape(what)}</dt><dd title="{escape(put.exact, quote=True)}">{escape(put.text)}{unit}</dd></div>'
    )


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
        rows.append([f"{event.time:.4f}", words(event.name), event.text, number(event.value, 5)])
    return table(["time [s]", "event", "text", "value"], rows, right=(0, 3))

"""The timeline: a bar for each mode's time, hits, the cursor, and changes up to now."""

import re

import numpy as np

from carpal.viewer.timeline import LEFT, WIDE, changes, timeline_html

TIME = np.linspace(0, 1, 101)
MODES = np.full((101, 2), "free", dtype=object)
MODES[20:60, 0] = "sticking"
MODES[60:, 0] = "sliding"


def test_bars_are_where_the_modes_are():
    text = timeline_html(TIME, MODES, ("index", "thumb"), 0.5, [(0.25, "thumb")])
    bars = re.findall(r'<rect x="([\d.]+)" y="(\d+)" width="([\d.]+)" .*? data-mode="(\w+)"', text)
    assert [(b[3], round((float(b[0]) - LEFT) / WIDE, 2), round(float(b[2]) / WIDE, 2)) for b in bars] == [
        ("sticking", 0.2, 0.4), ("sliding", 0.6, 0.4),
    ]  # fmt: skip
    assert text.count("<path") == 1
    assert f'x1="{LEFT + WIDE / 2:.1f}"' in text


def test_names_cannot_break_out():
    assert "<script>" not in timeline_html(TIME, MODES, ("<script>", "b"), 0.5)


def test_changes_up_to_now():
    assert changes(TIME, MODES, ("index", "thumb"), 0.5) == ["0.200 s  index: free to sticking"]
    assert len(changes(TIME, MODES, ("index", "thumb"), 1.0)) == 2


def test_nothing_yet():
    assert "No contacts yet" in timeline_html(np.zeros(0), np.zeros((0, 2)), ("a", "b"), 0.0)

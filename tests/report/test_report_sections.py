"""Sections of a report: tables, stills, maps and histograms as HTML."""

import numpy as np

import carpal
from carpal.report.report_sections import folded, histogram_html, map_html, section_html
from carpal.tasks import Appendix, Curves, Map, Still


def grid(**changes):
    x, y = np.repeat([0.0, 0.1, 0.2], 2), np.tile([0.0, 0.5], 3)
    given = {"values": np.arange(6.0), "good": np.array([True] * 5 + [False])} | changes
    return Map("Error <b>", "mm", "x [m]", "y [m]", x, y, **given)


def test_a_section_holds_what_it_is_given():
    arm = carpal.load("catcher_arm")
    curves = Curves("k", "A curve", "N", ("a",), np.arange(3.0), np.ones((3, 1)))
    picture = Still("at <home>", np.array(arm.q_home), np.array([1.0, 0.3, -1.5]), np.zeros(3))
    html, plots = section_html(
        Appendix("T & T", "x < y", ("a", "b"), [("1", "<2>")], [curves], [picture], [grid()]), arm
    )
    assert "<p>x &lt; y</p>" in html and "&lt;2&gt;" in html
    assert folded("T & T", html).startswith("<details><summary>T &amp; T</summary><p>") and folded("T", "") == ""
    assert html.count("data:image/png;base64,") == 1 and "at &lt;home&gt;" in html
    assert html.count("<svg") == 1 and 'data-key="k"' in html
    assert [chart.key for _, chart in plots] == ["k"]
    bare, none = section_html(Appendix("T", "x"), None)
    assert none == [] and "<table" not in bare and "<svg" not in bare


def test_a_map_has_a_tile_for_each_case_and_names_failures():
    html = map_html(grid())
    assert html.count("<rect") == 6 and html.count("#c53030") == 1 and "Error &lt;b&gt;" in html
    assert html.count('fill="#e2ecf7"') == 1 and html.count('fill="#1e4e8c"') == 1  # the least and the most
    # the first case is lowest on the left, the last highest on the right
    first, last = html.split("<rect")[1], html.split("<rect")[6]
    assert 'x="66"' in first and 'y="70"' in first and 'x="274"' in last and 'y="8"' in last


def test_maps_without_numbers_or_spread_are_drawn_too():
    assert map_html(grid(values=np.full(6, np.nan))).count(">-</text>") == 6
    assert map_html(grid(values=np.ones(6))).count(">1</text>") == 6


def test_a_histogram_counts_everything_once():
    values = [*np.random.default_rng(1).normal(size=200), np.nan]
    html = histogram_html("error", "m", values)
    counted = [int(text.split("<title>")[1].split(" from")[0]) for text in html.split("<rect")[1:]]
    assert sum(counted) == 200
    assert histogram_html("same", "", [2.0, 2.0]).count("<rect") == 1
    assert histogram_html("none", "", [np.nan]) == ""

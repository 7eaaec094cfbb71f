import dataclasses
from pathlib import Path

import numpy as np
import pytest

from carpal.engines import Recording
from carpal.errors import InputError
from carpal.report import report
from carpal.report.report import report_html, write_report
from carpal.tasks import Score

DRAWN = """carpalPlots.map(p => p.canvas.width > 300 && p.canvas.getContext('2d')
    .getImageData(0, 0, p.canvas.width, p.canvas.height).data.some(x => x > 0))"""
LABELS = "h1, .kicker, figcaption, .keys button, .facts div, iframe.replay, .plot, summary, p.note"
REPLAY_LABELS = ".carpal-key, .mantine-Notification-root, [role=slider], button, input"
OVERLAPPING = """selector => {
    const boxes = [...document.querySelectorAll(selector)].map(e => [e, e.getBoundingClientRect()])
        .filter(([e, b]) => b.width > 0 && b.height > 0 && e.checkVisibility());
    const found = [];
    for (const [e, a] of boxes) for (const [f, b] of boxes)
        if (e !== f && !e.contains(f) && !f.contains(e)
            && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
            found.push([e.outerHTML.slice(0, 80), f.outerHTML.slice(0, 80)]);
    return found; }"""
"""Pairs of visible things on a page whose boxes overlap, neither within the other."""


def test_the_answer_comes_first_and_everything_is_there(reached):
    score = dataclasses.replace(reached.score, published=[("settling time", 1.0, 0.9, "s")])
    html = report_html(dataclasses.replace(reached, score=score), replay=False)
    body = html.split("<main>")[1]
    order = [
        "<h1>Reached", "Distance to the target", "<h2>Numbers</h2>", "<h2>Published and ours</h2>", "<h2>Run it again</h2>",
        "<summary>All plots of the run</summary>", "<summary>Settings</summary>", "<summary>Model and versions</summary>",
    ]  # fmt: skip
    places = [body.index(text) for text in order]
    assert places == sorted(places)
    assert "carpal reach --target 0.9 0.2 0.4 --duration 2.0 --seed 3" in body
    assert "Where the tool goes" in body
    assert "http://" not in html.replace("http://www.w3.org", "") and "https://" not in html


MARKS = """carpalPlots.slice(0, 3).map(p => p.now.hidden ? null :
    p.t0 + (parseFloat(p.now.style.left) - 58) / p.w * (p.t1 - p.t0))"""


def test_a_saved_recording_is_scored_again(reached, tmp_path):
    path = reached.recording.save(tmp_path / "run.parquet")
    html = report_html(Recording.load(path), replay=False)
    assert "<h1>Reached (0.9, 0.2, 0.4)" in html
    assert "distance to the target at the end" in html
    assert "carpal reach --target 0.9 0.2 0.4 --duration 2.0 --seed 3" in html


def stranger(reached, **options):
    recording = reached.recording
    meta = recording.metadata | {"options": recording.metadata["options"] | options}
    return dataclasses.replace(recording, metadata=meta)


def test_a_recording_from_a_stranger_imports_and_reads_nothing(reached, monkeypatch):
    from carpal.tasks.reach.task import Reach

    monkeypatch.setattr(Reach, "scene", lambda self: pytest.fail("a file was read"))
    assert report.recorded_task(stranger(reached, task="os:system")) is None
    assert "Ran to" in report_html(stranger(reached, task="os:system"), replay=False)
    named = stranger(reached, robot="/etc/hostname.urdf")
    assert report.recorded_score(named, report.recorded_task(named)) is None
    assert "Ran to" in report_html(named, replay=False)
    odd = stranger(reached, robot="<script>alert(1)</script>")
    assert "<script>alert" not in report_html(odd, replay=False)


def test_failures_say_so(reached):
    failed = dataclasses.replace(reached, score=Score(False, "missed by 3 mm"))
    html = report_html(failed, replay=False)
    assert "Missed by 3\u00a0mm." in html and "not done" in html


def test_a_place_that_cannot_be_written_is_one_sentence(reached, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="was not written"):
        write_report(reached, tmp_path / "file" / "report.html", replay=False)


@pytest.mark.xdist_group("browser")
def test_it_opens_from_disk_with_replay_and_plots(reached, tmp_path, watch):
    path = write_report(reached, tmp_path / "report.html")
    assert path.stat().st_size < 3e6 and list(tmp_path.iterdir()) == [Path(path)]
    one = watch(path.as_uri(), 620, 420)
    assert one.page.locator("h1").inner_text().startswith("Reached")
    drawn = one.page.evaluate(DRAWN)
    seen = 3  # those beside the replay; the others are folded away
    assert drawn[:seen] == [True] * seen
    one.page.locator("summary", has_text="All plots").click()
    one.until(lambda: all(one.page.evaluate(DRAWN)[: seen + 6]), "the unfolded plots")

    plot = one.page.locator(".plot").first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    one.page.mouse.move(box["x"] + 120, box["y"] + 80)
    assert "s" in one.page.locator(".tip").first.inner_text()
    one.page.mouse.down()
    one.page.mouse.move(box["x"] + 220, box["y"] + 80)
    one.page.mouse.up()
    ranges = one.page.evaluate("carpalPlots.map(p => [p.t0, p.t1])")
    assert all(pair == ranges[0] for pair in ranges) and 0 < ranges[0][0] < ranges[0][1] < 2
    plot.dblclick()
    assert one.page.evaluate("[carpalPlots[0].t0, carpalPlots[0].t1]") == [0, 2]

    # a click takes the replay there; every plot marks the moment at once, and still when the replay has answered
    bar = "document.querySelector('iframe.replay').contentDocument?.querySelector('[role=slider]')"
    shown = f"{bar}?.getAttribute('aria-valuenow')"
    one.until(lambda: one.page.evaluate(shown) is not None, "the replay's bar")
    for share in (0.25, 0.75):
        box = plot.bounding_box()
        one.page.mouse.click(box["x"] + 58 + share * (box["width"] - 68), box["y"] + 60)
        assert one.page.evaluate(MARKS) == pytest.approx([2 * share] * seen, abs=0.02)
        one.until(lambda at=2 * share: abs(float(one.page.evaluate(shown)) - at) < 0.02, "the replay to go there")
        one.page.wait_for_timeout(300)
        assert one.page.evaluate(MARKS) == pytest.approx([2 * share] * seen, abs=0.02)
    frame = one.page.frame_locator("iframe.replay")
    frame.locator("button:has(svg[class*=player-play])").click()  # play on
    one.until(lambda: abs(one.page.evaluate(MARKS)[0] - 1.5) > 0.05, "the marks to follow the replay")

    for width in (1400, 420):
        one.page.set_viewport_size({"width": width, "height": 800})
        fits = f"document.documentElement.scrollWidth <= {width}"
        one.until(lambda fits=fits: one.page.evaluate(fits), f"the page to fit {width} px")
        for place, what in ((one.page, LABELS), (one.page.frames[1], REPLAY_LABELS)):
            assert place.evaluate(OVERLAPPING, what) == [], width
    assert one.page.frames[1].locator(".carpal-key").count() == 1  # the target

    canvas = one.page.frame_locator("iframe.replay").locator("canvas").first
    canvas.scroll_into_view_if_needed()
    first = one.until(lambda: [p for p in [one.picture(canvas)] if p.std() > 0.01], "the replay's picture")[0]
    one.until(lambda: np.abs(one.picture(canvas) - first).max() > 0.3, "the replay to move")
    assert one.errors == []
    assert one.outside() == []


@pytest.mark.xdist_group("browser")
def test_many_joints_are_shown_in_groups_and_the_page_fits_a_phone_and_paper(tmp_path, watch):
    from carpal.report.curves import Chart
    from carpal.report.report import page_html
    from carpal.report.report_plots import curves_html, figures_html
    from carpal.report.report_sections import folded

    names = tuple(f"hand/{finger}_{k}" for finger in ("thumb", "index", "middle", "ring", "little") for k in range(6))
    time = np.linspace(0.0, 1.0, 50)
    plots = [(time, Chart("q", "Joint angles", "rad", names, np.sin(time[:, None] * np.arange(30))))]
    page = tmp_path / "page.html"
    parts = ["<header><h1>Thirty joints.</h1></header>", folded("All plots", figures_html(plots)), curves_html(plots)]
    page.write_text(page_html("thirty", parts, scripted=True))
    one = watch(page.as_uri(), 420, 700)
    one.page.locator("summary").click()
    shown = "carpalPlots[0].shown.map((s, i) => s ? i : -1).filter(i => i >= 0)"
    assert one.page.evaluate(shown) == list(range(6))
    one.page.get_by_role("button", name="hand/middle").click()
    assert one.page.evaluate(shown) == [*range(6), *range(12, 18)]
    one.page.get_by_role("button", name="hand/thumb").click()
    one.page.get_by_role("button", name="3", exact=True).nth(2).click()
    assert one.page.evaluate(shown) == [12, 13, 14, 16, 17]
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 420
    one.page.locator("summary").click()
    one.page.emulate_media(media="print")
    one.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert one.page.locator("canvas").is_visible() and one.errors == []

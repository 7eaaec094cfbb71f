import dataclasses
from pathlib import Path

import numpy as np
import pytest

from carpal.engines import Recording
from carpal.errors import InputError
from carpal.report import report
from carpal.report.report import report_html, write_report
from carpal.tasks import Score


def test_the_answer_comes_first_and_everything_is_there(reached):
    score = dataclasses.replace(reached.score, published=[("settling time", 1.0, 0.9, "s")])
    html = report_html(dataclasses.replace(reached, score=score), replay=False)
    body = html.split("<main>")[1]
    answer = body.index("<h1>Reached")
    order = ["Published and ours", "Numbers", "Plots", "Run it again", "Settings", "Versions"]
    places = [body.index(f"<h2>{title}</h2>") for title in order]
    assert answer < places[0] and places == sorted(places)
    assert "carpal reach --target 0.9 0.2 0.4 --duration 2.0 --seed 3" in body
    assert "Where the tool goes" in body
    assert "http://" not in html.replace("http://www.w3.org", "") and "https://" not in html


def test_a_saved_recording_is_scored_again(reached, tmp_path):
    path = reached.recording.save(tmp_path / "run.parquet")
    html = report_html(Recording.load(path), replay=False)
    assert "<h1>Reached (0.9, 0.2, 0.4)" in html
    assert "position error" in html
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
    assert path.stat().st_size < 6e6 and list(tmp_path.iterdir()) == [Path(path)]
    one = watch(path.as_uri(), 620, 420)
    assert one.page.locator("h1").inner_text().startswith("Reached")
    drawn = one.page.evaluate("carpalPlots.map(p => p.canvas.getContext('2d')"
                              ".getImageData(0, 0, p.canvas.width, p.canvas.height).data.some(x => x > 0))")  # fmt: skip
    assert drawn == [True] * 6

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

    canvas = one.page.frame_locator("iframe.replay").locator("canvas").first
    canvas.scroll_into_view_if_needed()
    first = one.until(lambda: [p for p in [one.picture(canvas)] if p.std() > 0.01], "the replay's picture")[0]
    one.until(lambda: np.abs(one.picture(canvas) - first).max() > 0.3, "the replay to move")
    assert one.errors == []
    assert one.outside() == []

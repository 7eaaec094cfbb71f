"""The report of many seeds: counts, failures, spreads and every row; the grid of `catch` with its maps."""

import numpy as np
import pytest
from catch_inputs import grid_rows as rows

from carpal.report.seeds_report import seeds_html, write_seeds_report
from carpal.tasks import SeedsResult, make_task


def dice(count=20, bad=(3, 11)):
    made = [
        {
            "seed": seed, "ok": seed not in bad, "status": "fell <off>." if seed in bad else "fine.",
            "numbers": {"error_m": float(np.sin(seed)), "caught": True} if seed != 11 else {},
        }
        for seed in range(count)
    ]  # fmt: skip
    return SeedsResult("reach", {"duration": 3.0}, made, count)


def test_everything_is_counted_and_told():
    html = seeds_html(dice(), make_task("reach"))
    assert "<dt>done</dt><dd>18</dd>" in html and "<dt>failed</dt><dd>2</dd>" in html and "not done" in html
    failures = html.split("<h2>Failures</h2>")[1].split("<h2>")[0]
    assert failures.count("fell &lt;off&gt;.") == 2 and failures.count("<tr>") == 3
    spread = html.split("<h2>Numbers over the seeds</h2>")[1].split("<h2>")[0]
    assert spread.count("<svg") == 1, "what is always the same needs no drawing"
    assert html.split("<h2>Every seed</h2>")[1].split("</table>")[0].count("<tr>") == 21
    assert "carpal reach --seeds 20" in html and "http://" not in html and "<script>" not in html


def test_all_good_has_no_failures(tmp_path):
    path = write_seeds_report(dice(bad=()), make_task("reach"), tmp_path / "a" / "report.html")
    html = path.read_text()
    assert "<h2>Failures</h2>" not in html and "Reach succeeded on all 20 seeds." in html


def test_the_grid_of_catch_has_maps_and_the_thesis_beside():
    task = make_task("catch", grid=True)
    html = seeds_html(SeedsResult("catch", {"grid": True}, rows()[:30], 30), task)
    assert "13.6 mm" in html and html.count('aria-label="Largest position error"') == 1
    assert "missed the bin" in html and '<pre id="again">carpal catch --grid</pre>' in html


@pytest.mark.xdist_group("browser")
def test_it_opens_from_disk(tmp_path, watch):
    task = make_task("catch", grid=True)
    path = write_seeds_report(SeedsResult("catch", {"grid": True}, rows()[:30], 30), task, tmp_path / "report.html")
    one = watch(path.as_uri(), 900, 600)
    assert one.page.locator("svg.map").count() >= 4 and "29 of 30" in one.page.locator("h1").inner_text()
    assert one.errors == [] and one.outside() == []

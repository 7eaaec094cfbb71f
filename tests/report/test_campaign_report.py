from html import escape

import pytest
from catch_inputs import grid_rows

from carpal.report.campaign_report import campaign_html, write_campaign_report
from carpal.tasks import CampaignResult, Factor, Study, campaign
from carpal.tasks.campaigns.case_table import CaseTable

pytestmark = pytest.mark.xdist_group("browser")
TASK = "tasks.campaigns.small_tasks:Coin"


@pytest.fixture(scope="module")
def result():
    factors = (
        Factor.from_data("x", {"grid": [-1.0, 1.0, 3]}), Factor.from_data("y", [0.0, 2.0]), Factor.from_data("word", ["a", "b"]),
    )  # fmt: skip
    return campaign(Study(TASK, {}, factors, tuple(range(6)), ("one", "two"), metrics=("value",)), processes=1)


def test_it_says_what_the_rows_say(result):
    text = campaign_html(result)
    assert f"{100 * result.succeeded / len(result.rows):.2f} %" in text and str(len(result.study)) in text
    for part in (
        "Maps",
        "Effects",
        "Numbers",
        "Engines",
        "Failures",
        "Run it again",
    ):
        assert f"<h2>{part}</h2>" in text
    for part in ("Largest values", "Cases", "Cost"):
        assert f"<details><summary>{part}</summary>" in text
    assert text.count('class="map"') == 3  # success and disagreement over x and y, and how often each value came out
    assert escape(result.study.to_toml()) in text
    assert "coin --x" in text and "<script" not in text and "http" not in text.replace("http-equiv", "")


def grid_of_catch():
    """The grid of `catch` with made-up scores: point 7 misses the bin."""
    rows = [
        {"number": row["seed"], "state": "done", "seconds": 0.1, "backend": "processes"}
        | {"ok": row["ok"], "status": row["status"], "numbers": row["numbers"]}
        for row in grid_rows()[:30]
    ]
    study = Study("catch", {"grid": True}, seeds=tuple(range(30)))
    return CampaignResult(study, 30, 29, 0, held=CaseTable(rows))


def test_a_task_adds_its_sections_where_only_seeds_vary():
    html = campaign_html(grid_of_catch())
    assert "13.6 mm" in html and html.count('aria-label="Largest position error"') == 1
    assert "missed the bin" in html and '<pre id="again">carpal catch --grid</pre>' in html
    assert html.split("<summary>Cases</summary>")[1].split("</table>")[0].count("<tr>") == 31
    assert "<summary>Settings</summary>" in html and "STUDY.toml" not in html


def test_the_grid_of_catch_opens_from_disk(tmp_path, watch):
    path = write_campaign_report(grid_of_catch(), tmp_path / "report.html")
    one = watch(path.as_uri(), 900, 600)
    assert one.page.locator("svg.map").count() >= 4 and "29 of 30" in one.page.locator("h1").inner_text()
    assert one.errors == [] and one.outside() == []


def test_it_is_written_whole(result, tmp_path):
    path = write_campaign_report(result, tmp_path / "report.html")
    assert path.read_text().endswith("</html>\n") and len(list(tmp_path.iterdir())) == 1


def test_a_page_in_the_browser(result, tmp_path, watch):
    path = write_campaign_report(result, tmp_path / "report.html")
    one = watch(path.as_uri(), 900, 700)
    assert (
        one.page.locator("h1").inner_text().startswith(TASK.split(":")[0])
        or "succeeded" in one.page.locator("h1").inner_text()
    )
    assert one.page.locator("svg.map rect").count() > 6 and one.errors == [] and one.outside() == []

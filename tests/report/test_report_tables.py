from types import SimpleNamespace

from carpal.report import report_tables as tables


def test_published_beside_ours_with_the_difference():
    html = tables.published_table([("settling time", 2.0, 1.9, "s"), ("note", None, 1.0, "")])
    for text in ("settling time", ">2<", ">1.9<", ">-0.1<", ">-5 %<", ">s<"):
        assert text in html
    assert html.count("<tr>") == 3


def test_rounding_is_not_compared():
    html = tables.published_table([("residual, closed loop", 1e-15, 1.3e-22, "m"), ("drift", 0.2, 0.19, "m")])
    assert "-100 %" not in html and "Residual, closed loop: zero up to rounding, in the source and here." in html
    assert html.count("<tr>") == 2
    assert "%" not in tables.published_table([("residual", 1e-15, 1.0, "m")]), "there is no share of nothing"


def test_numbers_stand_in_their_groups_with_all_digits_behind():
    groups = {"At the end": {"largest_error_m": "", "gone_s": "", "speed_share": "largest speed"}}
    html = tables.numbers_html({"speed_share": 0.75, "extra_N": 1.0, "largest_error_m": 6.063974941479155e-05}, groups)
    assert html.index("At the end") < html.index("largest error") < html.index("largest speed") < html.index("Others")
    assert '<dd title="6.063974941479155e-05 m">60.64 <span>µm</span></dd>' in html and ">75 <span>%</span>" in html
    assert "gone" not in html and "<h3>" not in tables.numbers_html({"extra_N": 1.0})


def test_strange_texts_stay_texts():
    evil = "<script>alert(1)</script>"
    event = SimpleNamespace(time=1.0, name=evil, text=evil, value=0.0)
    for html in (
        tables.published_table([(evil, 1, 2, evil)]),
        tables.numbers_html({evil: evil}, {evil: {evil: evil}}),
        tables.settings_table({evil: evil}, {evil: (evil, evil)}),
        tables.events_table([event]),
    ):
        assert "<script" not in html and "&lt;script" in html


def test_nothing_gives_nothing():
    assert tables.events_table([]) == "" and tables.numbers_html({}) == ""

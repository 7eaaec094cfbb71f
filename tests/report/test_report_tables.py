from types import SimpleNamespace

from carpal.report import report_tables as tables


def test_numbers_are_for_people():
    assert tables.number(0.123456789) == "0.123457"
    assert tables.number([1.0, 2.5]) == "1, 2.5"
    assert tables.number(True) == "yes" and tables.number(None) == "-"
    assert tables.number({"a": 1.0}) == "a 1"
    assert "(20 in all)" in tables.number(range(20))


def test_published_beside_ours_with_the_difference():
    html = tables.published_table([("settling time", 2.0, 1.9, "s"), ("note", None, 1.0, "")])
    for text in ("settling time", ">2<", ">1.9<", ">-0.1<", ">-5 %<", ">s<"):
        assert text in html
    assert html.count("<tr>") == 3


def test_units_come_from_the_names():
    assert tables.words_and_unit("largest_error_m") == ("largest error", "m")
    assert tables.words_and_unit("speed_share") == ("speed share", "")
    assert "<td>largest error</td>" in tables.numbers_table({"largest_error_m": 1.0})


def test_strange_texts_stay_texts():
    evil = "<script>alert(1)</script>"
    event = SimpleNamespace(time=1.0, name=evil, text=evil, value=0.0)
    for html in (
        tables.published_table([(evil, 1, 2, evil)]),
        tables.numbers_table({evil: evil}),
        tables.settings_table({evil: evil}, {evil: (evil, evil)}),
        tables.events_table([event]),
    ):
        assert "<script" not in html and "&lt;script" in html


def test_nothing_gives_nothing():
    assert tables.events_table([]) == "" and tables.numbers_table({}) == ""

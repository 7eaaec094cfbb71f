"""The published figures: every one has a row, with the two formulas in agreement."""

from carpal.tasks import make_task


def test_the_appendix_of_a_case():
    (appendix,) = make_task("mount", case=2).appendix(None)
    assert len(appendix.rows) == 9 and all(len(row) == len(appendix.head) for row in appendix.rows)
    assert "two formulas" in appendix.rows[2][3]
    assert appendix.curves[0].title.startswith("Figure 6.3a") and appendix.curves[-1].title.startswith("Figure 6.26")
    for curve in appendix.curves:
        assert curve.values.shape == (len(curve.time), len(curve.names))


def test_other_motions_have_none():
    assert list(make_task("mount", joints=(0.1,) * 7).appendix(None)) == []

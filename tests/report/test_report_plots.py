import json
import re
from types import SimpleNamespace

import numpy as np

from carpal.report.report_plots import curves_html, figures_html, groups_of, run_plots, script_safe


def plots_html(recording, model):
    shown = run_plots(recording, model)
    return figures_html(shown) + curves_html(shown) if shown else ""


def curves(html):
    return json.loads(re.search(r'id="curves">(.*?)</script>', html, re.DOTALL).group(1))


def test_every_chart_has_a_figure_and_its_curves(reached):
    html = plots_html(reached.recording, reached.recording.model)
    data = curves(html)
    assert html.count('<figure class="chart"') == len(data) == 6
    assert len(data[0]["curves"]) == 7
    assert len(data[0]["time"]) == len(data[0]["curves"][0]) > 500
    assert data[0]["curves"][0][-1] == float(f"{reached.recording.q[-1, 0]:.6g}")


def test_what_is_not_finite_becomes_null(reached):
    rec = reached.recording
    bad = SimpleNamespace(time=rec.time[:5], q=rec.q[:5], v=np.full((5, 7), np.nan), u=rec.u[:5], energy={})
    data = curves(plots_html(bad, rec.model))
    assert data[1]["curves"][0] == [None] * 5


def test_an_empty_recording_has_no_plots(reached):
    rec = reached.recording
    none = SimpleNamespace(time=rec.time[:0], q=rec.q[:0], v=rec.v[:0], u=rec.u[:0], energy={})
    assert plots_html(none, rec.model) == ""


def test_data_cannot_end_its_script():
    assert "<" not in script_safe(json.dumps("</script><script>"))
    assert json.loads(script_safe(json.dumps("</script>"))) == "</script>"


def test_names_tell_their_groups():
    names = ("arm/s", "arm/l", "hand/wrist_turn", "hand/index_1", "hand/index_2", "arm/e", "x1", "x2", "palm")
    assert groups_of(names) == {
        "arm": [0, 1, 5], "hand": [2], "hand/index": [3, 4], "x": [6, 7], "others": [8],
    }  # fmt: skip


def test_many_curves_have_fewer_rows():
    from carpal.report.curves import Chart

    time = np.linspace(0, 1, 5000)
    values = np.random.default_rng(0).random((5000, 300))
    names = tuple(f"c{i}" for i in range(300))
    shown = [(time, Chart("k", "t", "m", names[:n], values[:, :n])) for n in (3, 30, 300)]
    rows = [len(chart["time"]) for chart in json.loads(re.search(r">(.*?)</script>", curves_html(shown))[1])]
    assert 1200 < rows[0] <= 1610 and 300 < rows[1] <= 700 and 140 < rows[2] <= 760

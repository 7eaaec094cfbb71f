import numpy as np
import pytest

from carpal.errors import InputError
from carpal.report.replay import replay_html, replay_rows, write_replay


def test_rows_are_even_in_time_and_never_more_than_there_are():
    rows, stays = replay_rows(np.linspace(0, 2, 2001))
    assert len(rows) == 61
    assert stays.sum() == pytest.approx(2 + 2 / 60, rel=0.01)
    rows, _ = replay_rows(np.linspace(0, 1000, 5000))
    assert len(rows) <= 1201 and rows[-1] == 4999
    rows, _ = replay_rows(np.array([0.0, 0.5]))
    assert rows.tolist() == [0, 1]
    assert len(replay_rows(np.array([0.0]))[0]) == 1


def test_bad_replays_are_refused(reached):
    with pytest.raises(InputError, match="speed must be above zero"):
        replay_html(reached.recording, speed=0.0)
    empty = type("Empty", (), {"time": np.empty(0), "q": np.empty((0, 7)), "metadata": {}})
    with pytest.raises(InputError, match="empty"):
        replay_html(empty, reached.recording.model)
    with pytest.raises(InputError, match="which model"):
        replay_html(empty)


@pytest.mark.xdist_group("browser")
def test_it_opens_from_disk_moves_and_asks_no_network(reached, tmp_path, watch):
    path = write_replay(reached.recording, tmp_path / "deep" / "replay.html")
    assert path.stat().st_size < 2e6
    one = watch(path.as_uri(), 400, 320)
    canvas = one.page.locator("canvas").first
    canvas.wait_for()
    first = one.until(lambda: [p for p in [one.picture(canvas)] if p.std() > 0.01], "a picture")[0]
    one.until(lambda: np.abs(one.picture(canvas) - first).max() > 0.3, "the arm to move")
    assert one.page.get_by_role("slider").count() or one.page.locator(".mantine-Slider-root").count()
    assert one.errors == []
    assert one.outside() == []

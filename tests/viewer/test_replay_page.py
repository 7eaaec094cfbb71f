from carpal.viewer.replay_page import ReplayPage


def test_a_replay_is_saved_opened_and_shown(reached, tmp_path, monkeypatch):
    page = ReplayPage(reached.recording, speed=2.0)
    path = page.save(tmp_path / "a" / "replay.html")
    assert path.read_text() == page.html and len(page.html) < 3_000_000
    assert page._repr_html_().startswith("<iframe") and "MB" in repr(page)
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert page.open().exists() and opened[0].startswith("file://")

from types import SimpleNamespace

from carpal.report.notebook import notebook_html, replay_frame


def test_a_recording_is_a_frame_without_a_server(reached):
    text = notebook_html(reached.recording)
    assert text.startswith("<iframe") and 'sandbox="allow-scripts"' in text and "srcdoc=" in text
    assert text.count("<") < 12, "the page inside is escaped"
    assert reached.recording._repr_html_()[:200] == text[:200]


def test_titles_are_escaped_and_an_empty_recording_is_a_sentence():
    assert "&lt;b&gt;" in replay_frame("<html>", "<b>")
    assert notebook_html(SimpleNamespace(time=[], status="cut <off>")) == "<p>cut &lt;off&gt;</p>"

"""The studio in Chromium: runs, pictures, plots, two pages, the token, and files that must stay in their folder."""

import time
import urllib.request

import numpy as np
import pytest

from carpal.errors import CarpalError, InputError
from carpal.viewer.studio import Studio
from carpal.viewer.token import TOKEN_VARIABLE

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    with Studio(tmp_path_factory.mktemp("runs") / "inner", port=0, task="reach") as studio:
        studio._server.scene.configure_default_lights(cast_shadow=False)  # software draws them slowly
        yield studio


def status(page):
    return page.page.locator("#carpal-status").inner_text()


def press(page, name):
    page.page.get_by_role("button", name=name, exact=True).click()


def colours(page, selector):
    """How many differently coloured pixels a plot's canvas holds beside grey ones."""
    script = """canvas => { const g = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        const seen = new Set();
        for (let i = 0; i < g.length; i += 4)
            if (g[i + 3] > 128 && Math.max(g[i], g[i+1], g[i+2]) - Math.min(g[i], g[i+1], g[i+2]) > 60)
                seen.add((g[i] >> 4) * 256 + (g[i+1] >> 4) * 16 + (g[i+2] >> 4));
        return seen.size; }"""
    canvas = page.page.locator(selector)
    return canvas.first.evaluate(script) if canvas.count() else 0


def scene_canvas(page):
    return page.page.locator("canvas:not(.uplot canvas)").first


def test_start_runs_the_plot_fills_and_the_slider_moves_the_arm(studio, watch):
    one = watch(studio.url, 900, 560)
    one.page.get_by_role("button", name="START", exact=True).wait_for()
    assert "Ready" in status(one)
    assert colours(one, ".uplot canvas") == 0
    press(one, "START")
    one.until(lambda: studio.session.phase == "ended" and studio.session.score is not None, "the run's end")
    assert studio.session.score.ok, studio.session.status
    one.until(lambda: "Reached" in status(one), "the answer on the page")
    one.until(lambda: colours(one, ".uplot canvas") >= 3, "curves in the plot")

    tool = lambda: np.array(studio.view._tool.position)  # noqa: E731
    at_end, end_picture = tool(), one.picture(scene_canvas(one))
    one.page.get_by_role("slider").first.focus()
    one.page.keyboard.press("Home")
    one.until(lambda: np.linalg.norm(tool() - at_end) > 0.1, "the arm to follow the slider")
    one.until(lambda: studio.panel.time.value == 0.0, "the slider at its start")
    one.until(lambda: np.abs(one.picture(scene_canvas(one)) - end_picture).max() > 0.3, "another picture")
    assert one.errors == []
    assert one.outside() == []


def test_two_pages_see_the_same_run(studio, watch):
    one, two = watch(studio.url, 640, 420), watch(studio.url, 640, 420)
    for page in (one, two):
        page.page.get_by_role("button", name="START", exact=True).wait_for()
    studio.panel.options.fill({"duration": 500.0})
    press(one, "START")
    two.until(lambda: status(two) == "Running.", "the second page to see the run")
    press(two, "PAUSE")
    one.until(lambda: status(one).startswith("Paused at"), "the first page to see the pause")
    rows = len(studio.session.rows().time)
    press(one, "STEP")
    one.until(lambda: len(studio.session.rows().time) == rows + 10, "ten steps")
    one.until(lambda: one.page.get_by_role("button", name="RESUME").count() == 1, "RESUME")
    press(two, "TERMINATE")
    one.until(lambda: status(one).startswith("Terminated at"), "the end")
    one.until(lambda: studio.session.recording is not None, "the recording")
    assert one.errors == two.errors == []


def test_files_stay_inside_the_run_folder(studio, watch, reached):
    studio.session.adopt(reached.recording, reached.recording.model)
    one = watch(studio.url, 640, 420)
    box = one.page.locator("input[value='run_1']")
    box.wait_for()

    def type_name(text):
        one.page.locator(f"input[value='{studio.panel.file.value}']".replace("\\", "\\\\")).fill(text)
        one.until(lambda: studio.panel.file.value == text, "the name to arrive")

    for evil in ("../evil", "/etc/evil", "..\\evil", "a/b"):
        type_name(evil)
        one.page.get_by_role("button", name="SAVE RECORDING").click()
        one.until(lambda evil=evil: f"'{evil}' is refused" in status(one), f"'{evil}' to be refused")
    assert [path.name for path in studio.folder.parent.iterdir()] == [studio.folder.name]

    type_name("kept")
    one.until_clicked(
        one.page.get_by_role("button", name="SAVE RECORDING"),
        lambda: (studio.folder / "kept.parquet").exists(),
        "the recording",
    )
    one.page.get_by_role("button", name="LOAD RECORDING").click()
    one.until(lambda: studio.session.recording is not reached.recording, "the recording to be loaded")
    assert one.errors == []


def test_the_token_is_asked_for_and_refused_when_wrong(tmp_path, watch, monkeypatch):
    monkeypatch.setenv(TOKEN_VARIABLE, "a right long token")
    with Studio(tmp_path, port=0, task="reach") as guarded:
        one = watch(guarded.url, 700, 500)
        field = one.page.get_by_label("Token")
        field.wait_for()
        assert one.page.locator("canvas").count() == 0
        field.fill("a wrong long token")
        press(one, "Open")
        one.until(lambda: "not the token" in one.page.locator("#answer").inner_text(), "the refusal")
        assert one.page.locator("canvas").count() == 0
        assert "START" not in one.page.content()
        field.fill("a right long token")
        press(one, "Open")
        one.page.get_by_role("button", name="START", exact=True).wait_for()


class Client:
    """A page that only listens."""

    def add_notification(self, title, text, **_):
        self.text = text


def test_settings_reports_and_playing(tmp_path, reached):
    with Studio(tmp_path / "runs", port=0, task="reach") as studio:
        client = Client()
        for action in (studio._save, studio._report, studio._play):
            with pytest.raises(InputError, match="START"):
                action(client)
        studio.panel.options.fill({"target": [0.9, 0.2, 0.4], "robot": "srs7"})
        studio.panel.file.value, studio.panel.seed.value = "mine", 5
        studio._save_settings(client)
        studio.panel.options.fill({"target": [0.5, 0.2, 0.4], "robot": "sawyer"})
        studio.panel.seed.value = 0
        studio._load_settings(client)
        values = studio.panel.options.values()
        assert values["target"] == "0.9, 0.2, 0.4" and values["robot"] == "srs7" and studio.panel.seed.value == 5
        assert studio._task().options.target == (0.9, 0.2, 0.4)
        (tmp_path / "runs" / "evil.json").write_text(
            '{"format": "carpal-settings-1", "task": "os:system", "seed": 0, "options": {}}'
        )
        studio.panel.file.value = "evil"
        with pytest.raises(InputError, match="unknown task 'os:system'"):
            studio._load_settings(client)

        studio.session.adopt(reached.recording, reached.recording.model, score=reached.score)
        studio.panel.file.value = "mine"
        studio._report(client)
        assert "Reached" in (tmp_path / "runs" / "mine.html").read_text()
        studio.panel.time.value = 0.5
        studio._play(client)
        end = time.monotonic() + 60
        while not 0.6 < studio.panel.time.value < 1.9:
            assert time.monotonic() < end
            time.sleep(0.01)
        studio.panel.options.fill({"target": [9.0, 9.0, 9.0], "robot": "sawyer"})
        with pytest.raises(CarpalError, match="not reachable"):
            studio._start(client)


def test_the_last_steps_before_a_pause_are_plotted(tmp_path):
    """Steps that come right after a plot wait for the next one; nothing new must be needed to bring it."""
    with Studio(tmp_path / "runs", port=0, task="reach") as studio:
        shown, plot = [], studio._plot
        studio._plot = lambda rows, live: (shown.append(float(rows.time[-1])), plot(rows, live=live))
        studio._start(Client(), paused=True)
        for count in (20, 40):
            studio._plotted = time.perf_counter()  # as if it had just been done
            studio.session.step(20)
            end = time.monotonic() + 60
            while not shown or len(studio.session.rows().time) < count or shown[-1] < studio.session.rows().time[-1]:
                assert time.monotonic() < end, "the last steps were never plotted"
                time.sleep(0.01)
        studio.session.terminate(wait=60)


def test_noise_on_the_socket_does_not_end_the_studio(studio):
    from websockets.sync.client import connect

    for noise in (b"\xff" * 100, b"", b"\x81\xa4type\xa4None"):
        with connect(f"ws://127.0.0.1:{studio.port}", subprotocols=["viser-v1.1.1"]) as socket:
            socket.send(noise)
    assert b"<html" in urllib.request.urlopen(studio.url, timeout=60).read()[:200]


def test_a_port_in_use_is_one_clear_sentence(studio, tmp_path):
    with pytest.raises(InputError, match=rf"port {studio.port} of 127\.0\.0\.1 is in use; choose another"):
        Studio(tmp_path, port=studio.port)


def test_another_task_or_robot_clears_what_was_shown(tmp_path, reached):
    with Studio(tmp_path / "runs", port=0, task="reach") as studio:
        studio.session.adopt(reached.recording, reached.recording.model, score=reached.score)
        end = time.monotonic() + 60
        while not np.isfinite(studio.panel.plots[0]._plot.data[1]).any():
            assert time.monotonic() < end
            time.sleep(0.01)
        for change in (
            lambda: studio.panel.options.fill({"robot": "srs7"}),
            lambda: setattr(studio.panel.task, "value", "mount"),
        ):
            studio.session.adopt(reached.recording, reached.recording.model, score=reached.score)
            change()
            (studio._choose if studio.panel.task.value == "mount" else studio._changed)(Client())
            assert studio.session.recording is None and studio.session.status == "Ready."
            assert studio.panel.time.value == 0.0 and not np.isfinite(studio.panel.plots[0]._plot.data[1]).any()
            assert "Ready" in studio.panel._status.content


def test_preparing_is_said_until_the_first_step(tmp_path):
    with Studio(tmp_path / "runs", port=0, task="reach") as studio:
        studio._preparing, studio._said = time.perf_counter() - 7.0, -1
        studio._report_preparing()
        assert "preparing, 7 s" in studio.panel._status.content.lower()

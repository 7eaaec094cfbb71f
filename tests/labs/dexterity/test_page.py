"""The hand's panel in Chromium: start, pause, less friction, another colour; sliders, keys, timeline; real time."""

import time

import numpy as np
import pytest

from carpal.report.palette import MODES
from carpal.tasks import make_task
from carpal.viewer.studio import Studio

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.full]  # the modal engine's compiled loop


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    make_task("dexterity", example=2, length=0.02).run()  # compiled before anybody waits for it
    with Studio(tmp_path_factory.mktemp("runs"), port=0, task="dexterity") as opened:
        opened._server.scene.configure_default_lights(cast_shadow=False)
        yield opened
        if opened.session.active:
            opened.session.terminate(wait=5.0)


@pytest.fixture(autouse=True)
def nothing_left_running(studio):
    yield
    if studio.session.active:
        studio.session.terminate(wait=60.0)
    studio.lab_panel.by_hand.value = False


def button(one, name):
    return one.page.get_by_role("button", name=name, exact=True)


def begin(studio, one, **options):
    button(one, "START").wait_for()
    studio.panel.options.fill({"example": 2, "length": -1.0} | options)
    studio.panel.steps.value = 40
    studio._speed = lambda: 0.005  # a browser on a busy machine may take seconds to follow
    one.until(lambda: not studio.session.active, "the run before to have ended")
    button(one, "START").click()
    one.until(lambda: studio.session.active and len(studio.lab_panel.marks.modes) == 5, "five contacts in the scene")


def test_less_friction_another_colour(studio, watch, tmp_path):
    one = watch(studio.url, 1400, 900)
    begin(studio, one)
    button(one, "PAUSE").click()
    one.until(lambda: studio.session.phase == "paused", "the pause")
    assert set(studio.lab_panel.marks.modes) == {"sticking"}
    colour = tuple(studio.lab_panel.marks._marks[0][0].color)
    assert colour == MODES["sticking"]
    box = one.page.get_by_text("friction now").first.locator("xpath=../../..").locator("input").last
    box.fill("0.05")
    box.press("Enter")
    one.until(lambda: studio.session.task.overrides.friction == 0.05, "the friction to arrive")
    button(one, "STEP").click()
    one.until(lambda: "sliding" in studio.lab_panel.marks.modes, "a contact that slides")
    sliding = studio.lab_panel.marks.modes.index("sliding")
    assert tuple(studio.lab_panel.marks._marks[sliding][0].color) == MODES["sliding"]
    one.until(lambda: 'data-mode="sliding"' in one.page.locator("#carpal-timeline").inner_html(), "red in the timeline")
    one.page.screenshot(path=tmp_path / "sliding.png")
    button(one, "TERMINATE").click()
    one.until(lambda: studio.session.phase == "ended", "the end")
    assert one.errors == []


def test_sliders_and_keys_move_the_fingers(studio, watch):
    one = watch(studio.url, 1400, 900)
    begin(studio, one)
    button(one, "PAUSE").click()
    one.until(lambda: studio.session.phase == "paused", "the pause")
    before = studio.lab_panel.sliders[4].value
    one.page.mouse.click(700, 800)  # into the scene, so that no field has the keys
    one.page.keyboard.press("2")
    one.page.keyboard.press("k")
    one.until(lambda: studio.lab_panel.sliders[4].value == before - 3.0, "the key")
    assert studio.lab_panel.finger.value == "index"
    assert studio.lab_panel.by_hand.value
    one.until(lambda: studio.session.task.overrides.targets is not None, "targets by hand")
    assert abs(np.degrees(studio.session.task.overrides.targets[4]) - (before - 3.0)) < 1e-9
    one.page.keyboard.press("x")
    one.until(lambda: studio.session.phase == "ended", "TERMINATE by key")
    studio.lab_panel.by_hand.value = False
    assert one.errors == []


def test_the_timeline_can_be_scrubbed(studio, watch):
    one = watch(studio.url, 1400, 900)
    begin(studio, one)
    studio.session.set_speed(0.0)
    one.until(lambda: studio.session.phase == "ended", "the end")

    def at(moment, fact):
        """Move the slider until the page shows that moment: the end of a run is still being drawn for a while."""
        studio.panel.time.value = moment
        studio._scrub(None)
        return fact(studio.lab_panel.marks.modes)

    one.until(lambda: at(0.1, lambda modes: modes == ["sticking"] * 5), "five contacts that stick at 0.1 s")
    one.until(lambda: at(0.4, lambda modes: len(modes) == 3), "three contacts at 0.4 s")
    assert "force closed" in studio.lab_panel._grasp.content.lower()
    assert one.errors == []


def test_other_tasks_have_no_hand(studio, watch):
    one = watch(studio.url, 1000, 640)
    button(one, "START").wait_for()
    studio.panel.choose("reach")
    studio._hand_of("reach")
    assert studio.lab_panel is None
    studio.panel.choose("dexterity")
    studio._hand_of("dexterity")
    assert studio.lab_panel is not None
    assert one.errors == []


def test_five_fingers_run_at_the_pace_that_was_asked_for(studio):
    """Without a page that software has to draw on the same two cores: simulation, marks, plots and timeline keep the pace."""
    studio.panel.speed.value = "real time"
    task = make_task("dexterity", example=2, length=1.0)
    from carpal.labs.dexterity import changed, make_setting

    task.chosen_example = changed(task.chosen_example, {"move": []})
    task.setting = make_setting(task.chosen_example)
    studio.lab_panel.begin(task)
    studio.session.start(task, 0, speed=1.0)
    while (studio.session.latest() or (0.0,))[0] < 0.2:
        time.sleep(0.002)
    begun, at = time.perf_counter(), studio.session.latest()[0]
    while studio.session.active and studio.session.latest()[0] < 0.9:
        time.sleep(0.002)
    pace = (studio.session.latest()[0] - at) / (time.perf_counter() - begun)
    assert studio.session.wait(300)
    assert {c.mode for c in studio.session.recording.contacts[-1]} == {"sticking"}
    print(f"pace: {pace:.3f} seconds a second")

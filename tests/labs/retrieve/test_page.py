"""The page of pick-ups in Chromium: marks clicked, pose shown, plan previewed, executed, watched, stopped."""

import json
import time
from pathlib import Path

import numpy as np
import pytest
from retrieve_clicks import cameras_of, click_marks, shown

from carpal.errors import InputError
from carpal.labs.retrieve import HOME, RELAY
from carpal.labs.retrieve.page import RetrievePage
from carpal.labs.retrieve.page_parts.scene_view import RED
from carpal.perception import project

pytestmark = pytest.mark.xdist_group("browser")
PLAN = json.loads((Path(__file__).parents[2] / "data" / "retrieve_plan.json").read_text())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


def opened(folder):
    page = RetrievePage(folder, port=0, plan=PLAN)
    page._server.scene.configure_default_lights(cast_shadow=False)  # software draws them slowly
    return page


@pytest.fixture(scope="module")
def retrieve(folder):
    with opened(folder) as page:
        yield page
        if (state := page.execution.state()) is not None and state.active:
            page.execution.stop()
            page.execution.set_pace(0.0)
            page.execution.wait(120.0)


def status(one):
    return one.page.locator("#carpal-status").inner_text()


def press(one, name):
    one.page.get_by_role("button", name=name, exact=True).click()


def marks_of(page, camera):
    X = page.world.X_WO
    return project(getattr(page.world.pair, camera), RELAY.marks.points @ X[:3, :3].T + X[:3, 3])


def tool(page):
    return np.array(page.view._view._tool.position)


def state(page):
    return page.execution.state()


def fill(one, handle, value):
    """Type a number into the box beside a slider."""
    box = one.page.get_by_text(handle.label).first.locator("xpath=../../..").locator("input").last
    box.fill(str(value))
    box.press("Enter")
    one.until(lambda: handle.value == value, f"{handle.label} to arrive")


def choose(one, label, option):
    one.page.get_by_role("combobox", name=label).click()
    one.page.locator("[role=option]:visible").filter(has_text=option).click()


def test_the_whole_workflow(retrieve, watch, tmp_path, figure):
    one = watch(retrieve.url, 1240, 800)
    one.page.get_by_role("button", name="NEW IMAGES").wait_for()
    press(one, "PLAN")
    one.until(lambda: "pose is not known yet" in status(one), "the refusal to plan for nothing")
    press(one, "CALCULATE")
    one.until(lambda: "there are 0 in the left and 0 in the right" in status(one), "the refusal to calculate")
    press(one, "NEW IMAGES")
    one.until(lambda: shown(cameras_of(one), "right").get("image") == 2, "new images")

    order = [1, 2, 3, 0]  # begun with the wrong mark
    for camera in ("left", "right"):
        click_marks(one, camera, marks_of(retrieve, camera)[order])
    press(one, "CALCULATE")
    one.until(
        lambda: "taken in the wrong order: they fit as 4, 1, 2, 3" in status(one), "the wrong order to be reported"
    )
    assert retrieve.localisation is None
    press(one, "TRY AGAIN")
    one.until(lambda: shown(cameras_of(one), "right")["points"] == 0, "no points")

    for camera in ("left", "right"):
        click_marks(one, camera, marks_of(retrieve, camera))
    press(one, "CALCULATE")
    one.until(lambda: retrieve.localisation is not None and "known to" in status(one), "the pose")
    words = one.page.locator("#carpal-pose").inner_text()
    assert "roll [deg]" in words and f"{1e3 * retrieve.localisation.X_WO[0, 3]:.1f}" in words
    error = 1e3 * np.linalg.norm(retrieve.localisation.X_WO[:3, 3] - retrieve.world.X_WO[:3, 3])
    figure("pose from four marks clicked in Chromium, error [mm]", error, 3.0)
    one.until(lambda: "Do they fit?" in cameras_of(one).locator("#words").inner_text(), "the forward projection")
    one.page.screenshot(path=tmp_path / "1_pose.png")

    choose(one, "planner", "stored plan")
    one.until(lambda: retrieve.panel.planner.value == "stored plan", "the choice")
    press(one, "PLAN")
    one.until(lambda: (s := state(retrieve)) is not None and s.phase == "waiting", "the plan")
    one.until(lambda: "EXECUTE or STOP" in status(one), "the question")
    at_home = tool(retrieve)
    slider = one.page.get_by_role("slider").first
    slider.focus()
    one.page.keyboard.press("End")
    one.until(lambda: retrieve.panel.along.value == 100.0, "the slider at the plan's end")
    fill(one, retrieve.panel.along, 55.0)
    one.until(lambda: np.linalg.norm(tool(retrieve) - at_home) > 0.1, "the arm along the plan")
    assert state(retrieve).time == 0.0  # a preview moves nothing
    one.page.screenshot(path=tmp_path / "2_preview.png")

    choose(one, "pace", "10 times")
    press(one, "EXECUTE")
    one.until(lambda: (s := state(retrieve)).phase == "moving" and s.time > 2.0, "the motion")
    one.page.screenshot(path=tmp_path / "3_executing.png")
    one.page.close()
    before = state(retrieve)
    two = watch(retrieve.url, 1240, 800)
    two.page.get_by_role("button", name="STOP", exact=True).wait_for()
    two.until(lambda: status(two).startswith("Executing"), "the state on the page that was opened again")
    two.until(lambda: state(retrieve).time > before.time, "the motion to have gone on")
    assert "approach" in two.page.locator("#carpal-stages").inner_text()
    assert np.linalg.norm(tool(retrieve) - at_home) > 0.0
    press(two, "STOP")
    two.until(lambda: state(retrieve).phase in ("stopping", "ended"), "the stop to be heard")
    choose(two, "pace", "as fast as possible")
    two.until(lambda: state(retrieve).phase == "ended", "the end")
    two.until(lambda: "the gripper is open and the arm is home" in status(two), "the last sentence")
    two.until(lambda: np.linalg.norm(tool(retrieve) - at_home) < 0.01, "the arm at home in the view")
    q = np.array(state(retrieve).q)
    assert np.abs(q[:5] - HOME).max() < np.radians(0.27) and q[5] == 0.035
    two.page.screenshot(path=tmp_path / "4_stopped.png")
    assert two.errors == [] and two.outside() == []
    assert one.errors == [] and one.outside() == []


def test_a_studio_that_ends_stops_nothing_and_the_next_one_shows_it(retrieve, folder, watch):
    execution = retrieve.execution
    execution.start(retrieve.world.relay_at, plan=PLAN, pace=2.0, ask=False)
    with opened(folder) as another:
        assert another.execution is not execution
        while (state(another).phase, state(another).time > 0.5) != ("moving", True):
            time.sleep(0.05)
    before = state(retrieve)
    assert before.phase == "moving"
    time.sleep(0.5)
    assert state(retrieve).time > before.time  # its studio has ended, it goes on
    execution.set_pace(0.0)
    execution.wait(120.0)
    with opened(folder) as third:
        one = watch(third.url, 900, 600)
        one.page.locator("#carpal-stages").wait_for()
        one.until(lambda: status(one).lower() == state(retrieve).status.lower(), "the answer")
        assert state(retrieve).ok, state(retrieve).status
        one.until(lambda: third.panel.motion.value == "executed", "the motion that was executed")
        third.panel.along.value = 55.0
        third._show_along()
        one.until(lambda: third.view._view.nodes["relay/relay"].position[2] > 0.02, "the relay in the air")


@pytest.mark.full
def test_sliders_show_colliding_pairs_in_red(retrieve, watch, tmp_path):
    one = watch(retrieve.url, 1100, 760)
    one.page.get_by_role("button", name="NEW IMAGES").wait_for()
    retrieve._new_images(None)
    assert retrieve.view.red == set()
    one.page.get_by_text("Joints by hand").click()
    one.page.get_by_label("by hand").click()
    one.until(lambda: retrieve.panel.by_hand.value, "by hand")
    for slider, degrees in zip(retrieve.panel.joints, (17.0, -17.0, 52.0, 11.0, 52.0), strict=True):
        fill(one, slider, degrees)
    one.until(lambda: "arm/lower_blade" in retrieve.view.red, "the blade in the ground")
    one.until(lambda: "lower_blade – ground" in one.page.locator("#carpal-pairs").inner_text(), "the pair on the page")
    nodes = retrieve.view._view.shapes
    assert tuple(nodes["arm/lower_blade"].color) == RED and tuple(nodes["arm/forearm"].color) != RED
    one.page.screenshot(path=tmp_path / "red.png")
    one.page.get_by_label("by hand").click()
    one.until(lambda: not retrieve.panel.by_hand.value, "not by hand")
    assert one.errors == []


def test_marks_are_found_without_a_person_and_bad_fields_are_refused(retrieve):
    retrieve._new_images(None)
    with pytest.raises(InputError, match="there are 0 in the left"):
        retrieve._calculate(None)
    retrieve._find(None)
    assert np.abs(retrieve.board.points()[0] - marks_of(retrieve, "left")).max() < 0.5
    with pytest.raises(InputError, match="not known yet"):
        retrieve._plan(None)
    retrieve.panel.seed.value = -1
    with pytest.raises(InputError, match="seed must be a whole number"):
        retrieve._new_images(None)
    retrieve.panel.seed.value = 0
    retrieve.panel.place.value = (float("nan"), 0.1, 0.0)
    with pytest.raises(InputError, match="relay's x must be a number"):
        retrieve._new_images(None)
    retrieve.panel.place.value = (0.36, 0.35, -71.0)
    image = np.zeros((960, 1280), np.uint8)
    retrieve.board.show(image, image)
    with pytest.raises(InputError, match="bright round spots are too few; click them"):
        retrieve._find(None)
    retrieve._new_images(None)


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be made"):
        RetrievePage(tmp_path / "file" / "runs", port=0)


@pytest.mark.full
def test_a_real_plan_from_the_page(retrieve, watch, tmp_path):
    one = watch(retrieve.url, 1400, 900)
    one.page.get_by_role("button", name="NEW IMAGES").wait_for()
    retrieve._new_images(None)
    for camera in ("left", "right"):
        click_marks(one, camera, marks_of(retrieve, camera))
    press(one, "CALCULATE")
    one.until(lambda: retrieve.localisation is not None, "the pose")
    retrieve.panel.planner.value, retrieve.panel.pace.value = "sbl", "as fast as possible"
    before = None if state(retrieve) is None else state(retrieve).run
    press(one, "PLAN")
    execution = retrieve.execution
    one.until(lambda: (s := state(retrieve)) is not None and s.run != before, "the process")
    for _ in range(20):  # a cold cache compiles the planners first
        if state(retrieve).phase != "preparing" and state(retrieve).phase != "starting":
            break
        one.page.wait_for_timeout(30_000)
    assert state(retrieve).phase == "waiting", state(retrieve)
    one.page.screenshot(path=tmp_path / "plan.png")
    one.until(lambda: not one.page.get_by_role("button", name="EXECUTE").is_disabled(), "EXECUTE")
    press(one, "EXECUTE")
    ended = execution.wait(300.0)
    assert ended.ok, ended.status
    one.until(lambda: status(one).lower() == ended.status.lower(), "the answer on the page")

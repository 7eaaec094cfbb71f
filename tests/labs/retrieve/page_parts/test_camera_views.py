"""The images in Chromium: zoomed, four marks clicked in both, moved, taken back; what is wrong is one sentence."""

import json
import urllib.error
import urllib.request

import numpy as np
import pytest
from retrieve_clicks import cameras_of, click_marks, on_screen, shown

from carpal.errors import InputError
from carpal.labs.retrieve import RELAY, relay_pose, relay_surfaces, stereo_cameras
from carpal.labs.retrieve.page_parts.camera_views import CameraBoard, CameraGate, page_html
from carpal.perception import locate_marks, project, simulate_image
from carpal.viewer.page import ServedPage
from carpal.viewer.token import TOKEN_VARIABLE

pytestmark = pytest.mark.xdist_group("browser")
X_WO = relay_pose(0.42, 0.12, 0.6)


@pytest.fixture(scope="module")
def images():
    pair, surfaces = stereo_cameras(), relay_surfaces(X_WO)
    return [simulate_image(camera, surfaces, seed=i) for i, camera in enumerate((pair.left, pair.right))]


@pytest.fixture
def board(images):
    made = CameraBoard()
    made.show(*images)
    return made


@pytest.fixture
def served(board):
    with ServedPage("127.0.0.1", 0, "cameras", lambda gate: CameraGate(gate, board)) as page:
        yield page


def marks_in(camera):
    return project(camera, RELAY.marks.points @ X_WO[:3, :3].T + X_WO[:3, 3])


def test_an_answer_that_comes_late_takes_no_mark_away(served, board, watch):
    one = watch(f"{served.url}/cameras", 620, 900)
    marks = marks_in(stereo_cameras().left)
    frame = cameras_of(one)
    one.until(lambda: "scale" in shown(frame, "left"), "the image")
    held = []

    def hold(route):
        if held:
            route.continue_()
        else:
            held.append((route, route.fetch()))  # what the server knew before the click

    one.page.route("**/cameras/state", hold)
    one.until(lambda: held, "a question for the state")
    click_marks(one, "left", marks[:1], zoom=1.0)
    one.until(lambda: "1 of 4" in one.page.locator("#left .count").inner_text(), "the server's word on the first mark")
    route, old = held[0]
    assert old.json()["points"]["left"] == []
    seen = "canvas => new Promise(done => { const all = []; const look = () => { all.push(canvas.dataset.points);"
    seen += " all.length < 40 ? setTimeout(look, 5) : done(all); }; look(); })"
    route.fulfill(response=old)
    assert set(frame.locator("#left canvas").evaluate(seen)) == {"1"}
    click_marks(one, "left", marks[1:2], zoom=1.0)
    one.until(lambda: len(board.state()["points"]["left"]) == 2, "both marks on the board")


def test_a_new_board_is_believed_though_its_numbers_begin_anew(served, board, watch, images):
    one = watch(f"{served.url}/cameras", 620, 900)
    frame = cameras_of(one)
    click_marks(one, "left", marks_in(stereo_cameras().left)[:2], zoom=1.0)
    one.until(lambda: len(board.state()["points"]["left"]) == 2, "two marks on the board")
    board.__init__()
    board.show(*images)
    one.until(lambda: shown(frame, "left")["points"] == 0, "the new board's points")


def test_four_marks_are_clicked_in_both_pictures(served, board, watch, tmp_path, figure):
    one = watch(f"{served.url}/cameras", 620, 900)
    pair = stereo_cameras()
    truth = [marks_in(camera) for camera in (pair.left, pair.right)]
    click_marks(one, "left", truth[0])
    one.until(lambda: "right image" in one.page.locator("#words").inner_text(), "the advice")
    click_marks(one, "right", truth[1])
    one.until(lambda: len(board.state()["points"]["right"]) == 4, "the last point to arrive")
    points = board.points()
    figure("clicked points, error at 3 to 5 times zoom [px]", np.abs(np.array(points) - truth).max(), 0.25)
    pose = locate_marks(pair, *points, RELAY.marks, noise=0.5)
    assert pose, pose.status
    assert np.linalg.norm(pose.X_WO[:3, 3] - X_WO[:3, 3]) < 3e-3

    drawn = {"marks": truth[0].tolist(), "knob": truth[0].mean(axis=0).tolist()}
    canvas = one.page.locator("#left canvas")
    before = one.picture(canvas)
    board.project({"left": drawn, "right": None}, "Do they fit?")
    one.until(lambda: one.page.locator("#words").inner_text() == "Do they fit?", "the projection's words")
    one.until(lambda: np.abs(one.picture(canvas) - before).max() > 0.3, "the projection")
    one.page.screenshot(path=tmp_path / "cameras.png")
    assert one.errors == [] and one.outside() == []


def test_points_can_be_moved_taken_back_and_tried_again(served, board, watch):
    one = watch(f"{served.url}/cameras", 620, 900)
    frame = cameras_of(one)
    marks = np.array([[400.0, 300.0], [500.0, 320.0]])
    click_marks(one, "left", marks, zoom=0.1)
    one.until(lambda: len(board.state()["points"]["left"]) == 2, "two points")
    x, y = on_screen(one, frame, "left", np.array(board.state()["points"]["left"][1]))
    one.page.mouse.move(x, y)
    one.page.mouse.down()
    one.page.mouse.move(x + 30, y + 10, steps=4)
    one.page.mouse.up()
    moved = 30 / shown(frame, "left")["scale"]
    one.until(lambda: abs(board.state()["points"]["left"][1][0] - 500.0 - moved) < 3.0, "the point to follow")
    at = board.state()["points"]["left"][1][0]
    frame.locator("#left canvas").focus()
    one.page.keyboard.press("ArrowRight")
    one.until(lambda: abs(board.state()["points"]["left"][1][0] - at - 0.1) < 1e-6, "a tenth of a pixel")
    before = shown(frame, "left")["ox"]
    one.page.mouse.move(x, y + 80)
    one.page.mouse.down()
    one.page.mouse.move(x + 60, y + 80, steps=4)
    one.page.mouse.up()
    one.until(lambda: abs(shown(frame, "left")["ox"] - before - 60) < 1.5, "the image to be dragged")
    assert len(board.state()["points"]["left"]) == 2  # a drag is no click
    frame.locator("#left canvas").focus()
    one.page.keyboard.press("Backspace")
    one.until(lambda: len(board.state()["points"]["left"]) == 1, "the last one taken back")
    board.clear()
    one.until(lambda: shown(frame, "left")["points"] == 0, "TRY AGAIN on the page")
    assert one.errors == []


def test_new_pictures_reach_an_open_page_and_two_pages_agree(served, board, images, watch):
    one, two = watch(f"{served.url}/cameras", 500, 700), watch(f"{served.url}/cameras", 500, 700)
    for page in (one, two):
        page.until(lambda page=page: shown(cameras_of(page), "right").get("image") == 1, "the images")
    click_marks(one, "right", np.array([[640.0, 480.0]]), zoom=0.1)
    two.until(lambda: shown(cameras_of(two), "right")["points"] == 1, "the point on the other page")
    board.show(images[1], images[0])
    for page in (one, two):
        page.until(lambda page=page: shown(cameras_of(page), "right").get("image") == 2, "the new images")
        page.until(lambda page=page: shown(cameras_of(page), "right")["points"] == 0, "the old points to go")


def ask(url, **headers):
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as problem:
        return problem.code, problem.read()


def test_only_its_own_page_may_ask_and_nonsense_is_refused(served, board, images):
    own = {"X-Carpal-Page": "cameras"}
    point = f"{served.url}/cameras/point?camera=left&index=0&x=10&y=20"
    assert ask(point)[0] == 403 and board.state()["points"]["left"] == []
    status, said = ask(point, **own)
    assert status == 200 and json.loads(said)["points"]["left"] == [[10.0, 20.0]]
    for query, words in (
        ("camera=left&index=0&x=nan&y=1", "outside the left image"),
        ("camera=left&index=0&x=1280&y=1", "outside the left image of 1280 x 960"),
        ("camera=nose&index=0&x=1&y=1", "a camera is left or right"),
        ("camera=left&index=3&x=1&y=1", "no mark 4 to set"),
        ("camera=left&index=a&x=1&y=1", "a point needs"),
        ("", "a point needs"),
    ):
        status, said = ask(f"{served.url}/cameras/point?{query}", **own)
        assert status == 200 and words in json.loads(said)["refused"], query
    assert len(board.state()["points"]["left"]) == 1
    assert ask(f"{served.url}/cameras/left.grey", **own)[1] == images[0].tobytes()
    assert ask(f"{served.url}/cameras/../order.json", **own)[0] == 404
    with pytest.raises(InputError, match="there are 1 in the left and 0 in the right"):
        board.points()


def test_the_token_stands_before_the_pictures(board, monkeypatch):
    monkeypatch.setenv(TOKEN_VARIABLE, "a right long token")
    with ServedPage("127.0.0.1", 0, "cameras", lambda gate: CameraGate(gate, board)) as guarded:
        assert b"Stereo cameras" not in ask(f"{guarded.url}/cameras")[1]
        assert b'"points"' not in ask(f"{guarded.url}/cameras/state", **{"X-Carpal-Page": "cameras"})[1]


def test_a_click_near_a_bright_spot_means_its_centre(board, images):
    board.show(*images, (np.array([[100.0, 50.0], [104.0, 50.0]]), np.zeros((0, 2))))
    board.set_point("left", 0, 101.0, 52.0)
    board.set_point("left", 1, 110.0, 50.0)  # too far from both
    board.set_point("right", 0, 101.0, 52.0)
    assert board.state()["points"] == {"left": [(100.0, 50.0), (110.0, 50.0)], "right": [(101.0, 52.0)]}
    board.set_point("left", 0, 101.5, 52.0)  # moved by hand: it stays there
    assert board.state()["points"]["left"][0] == (101.5, 52.0)
    board.centring = False
    board.set_point("left", 2, 100.5, 50.0)
    assert board.state()["points"]["left"][2] == (100.5, 50.0)


def test_pictures_of_different_sizes_are_one_sentence():
    board = CameraBoard()
    with pytest.raises(InputError, match="no images yet"):
        board.set_point("left", 0, 1.0, 1.0)
    with pytest.raises(InputError, match=r"of one size; got uint8 \(2, 3\) and uint8 \(3, 3\)"):
        board.show(np.zeros((2, 3), np.uint8), np.zeros((3, 3), np.uint8))
    assert page_html().count("<canvas") == 2

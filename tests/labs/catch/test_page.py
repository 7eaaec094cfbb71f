"""A catch driven from the studio's page, in Chromium: sliders for the throw, a run, the hand in the middle, its curves."""

import numpy as np
import pytest

from carpal.tasks import make_task
from carpal.viewer.studio import Studio

pytestmark = pytest.mark.xdist_group("browser")


def test_a_catch_is_thrown_by_sliders(tmp_path, watch):
    make_task("catch").check()  # compiled before anybody waits for it
    with Studio(tmp_path / "runs", port=0, task="catch") as studio:
        studio._server.scene.configure_default_lights(cast_shadow=False)  # software draws them slowly
        one = watch(studio.url, 900, 560)

        def status():
            return one.page.locator("#carpal-status").inner_text()

        start = one.page.get_by_role("button", name="START", exact=True)
        start.wait_for()
        sliders = one.page.get_by_role("slider")
        one.until(lambda: sliders.count() >= 4, f"the sliders of the throw, not {sliders.count()}")
        first = np.array(studio.view.nodes["ball"].position)
        across = sliders.first
        across.focus()
        for _ in range(3):
            across.press("ArrowRight")
        x = float(across.get_attribute("aria-valuenow"))
        assert x > 0.2
        # The page sends a slider's places one by one: until the last has come, it could undo what is filled in below.
        one.until(lambda: studio.panel.options.values()["x"] == x, "the slider's last place")
        one.until(
            lambda: abs(studio.view.nodes["ball"].position[0] - first[0] - (x - 0.2)) < 1e-9,
            "the ball to start elsewhere",
        )
        studio.panel.options.fill({"x": 0.3})
        studio.panel.speed.value = "as fast as possible"
        start.click()
        one.until(lambda: "The ball was caught at 0.750 s" in status(), "the answer on the page")
        assert studio.session.score.ok and studio.session.task.options.x == 0.3
        one.until(lambda: len(studio.panel.plots[0]._plot.series) == 7, "the torques of six joints")
        assert studio.panel.plots[0]._choice.value == "torques of the arm"
        studio._show_at(1.0)
        palm, ball = (np.array(studio.view.nodes[name].position) for name in ("palm", "ball"))
        assert np.linalg.norm(palm - ball) < 0.08, "the ball is in the hand"
        canvas = one.page.locator("canvas").first
        one.page.wait_for_timeout(1500)
        picture = one.picture(canvas)
        middle = picture[:, picture.shape[1] // 5 : -picture.shape[1] // 5]
        blue = (middle[..., 2] > middle[..., 0] + 0.25) & (middle[..., 2] > 0.3)
        assert blue.sum() > 60, "the digits are in the middle of the picture"
        studio.panel.options.fill({"y": 2.0})
        start.click()
        one.until(lambda: "Out of reach" in status(), "the refusal on the page")
        assert one.errors == []

"""The mount driven from the studio's page, in Chromium: chosen, run, answered, refused."""

import pytest

from carpal.tasks import make_task
from carpal.viewer.studio import Studio

pytestmark = pytest.mark.xdist_group("browser")


def test_the_mount_is_driven_from_the_page(tmp_path, watch):
    make_task("mount", case=2, control="closed", duration=0.01).run()  # compiled before anybody waits for it
    with Studio(tmp_path / "runs", port=0, task="reach") as studio:
        studio._server.scene.configure_default_lights(cast_shadow=False)  # software draws them slowly
        one = watch(studio.url, 900, 560)

        def status():
            return one.page.locator("#carpal-status").inner_text()

        start = one.page.get_by_role("button", name="START", exact=True)
        start.wait_for()
        one.page.locator("input[value='reach']").first.click()
        one.page.get_by_role("option", name="mount").click()
        one.until(lambda: studio.panel.task.value == "mount", "the choice to arrive")
        one.page.locator("input[value='none']").first.wait_for()
        studio.panel.options.fill({"case": 2, "control": "closed", "pulse": "default"})
        studio.panel.speed.value = "as fast as possible"
        start.click()
        one.until(lambda: "the mount ended less than a nanometre" in status(), "the answer on the page")
        assert studio.session.score.ok
        studio.panel.options.fill({"case": 9})
        start.click()
        one.until(lambda: "Case must be 1, 2, 3 or 4" in status(), "the refusal on the page")
        assert one.errors == []

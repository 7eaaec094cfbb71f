"""sign driven from the studio's page, in Chromium: chosen, run, answered, refused."""

import pytest

from carpal.tasks import make_task
from carpal.viewer.studio import Studio

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.full]


def test_a_word_is_signed_from_the_page(tmp_path, watch):
    make_task("sign", text="I").run()  # compiled before anybody waits for it
    with Studio(tmp_path / "runs", port=0, task="sign") as studio:
        studio._server.scene.configure_default_lights(cast_shadow=False)  # software draws them slowly
        one = watch(studio.url, 1000, 700)

        def status():
            return one.page.locator("#carpal-status").inner_text()

        start = one.page.get_by_role("button", name="START", exact=True)
        start.wait_for()
        studio.panel.options.fill({"text": "IA"})
        studio.panel.speed.value = "as fast as possible"
        start.click()
        one.until(lambda: "2 letters in" in status(), "the answer on the page")
        assert studio.session.score.ok
        studio.panel.options.fill({"text": "I7"})
        start.click()
        one.until(lambda: "'7' is not in the alphabet" in status(), "the refusal on the page")
        assert one.errors == []

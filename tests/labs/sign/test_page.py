"""The telephone's page in Chromium: a text is typed and signed, the robots move, letters and latencies appear."""

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.labs.sign.page import TelephonePage, table_html

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.full]


def test_a_text_is_signed_from_the_page(watch, tmp_path):
    with TelephonePage(port=0) as page:
        page._server.scene.configure_default_lights(cast_shadow=False)  # software draws them slowly
        one = watch(page.url, 1300, 800)
        start = one.page.get_by_role("button", name="SIGN", exact=True)
        start.wait_for()
        page.real_time.value = False
        before = page._q()
        start.click()
        status = lambda: one.page.locator("#carpal-status").inner_text()  # noqa: E731
        one.until(lambda: "'CIAO': 100 % of 4 letters" in status(), "the answer on the page")
        table = one.page.locator("#carpal-telephone").inner_text()
        assert all(f"{letter} → {letter}" in table for letter in "CIAO")
        assert "ms (99 %)" in one.page.locator("#carpal-latency").inner_text()
        assert (
            np.abs(
                page.demo.players["parloma"].letters[0].sensed[-1] - page.demo.players["parloma"].letters[0].sensed[0]
            ).max()
            > 0.1
        )
        assert len(before) == sum(p.signer.mounted.model.nq for p in page.demo.players.values())
        page.text.value = "C1"
        start.click()
        one.until(lambda: "'1' is not in the alphabet" in status(), "the refusal on the page")
        assert one.errors == [] and one.outside() == []
        one.page.screenshot(path=tmp_path / "page.png")
        page.demo.rows[0].letter = "<b>"
        assert "&lt;b&gt;" in table_html(page.demo)
    with pytest.raises(InputError, match="different robots"):
        TelephonePage(("cuhk", "cuhk"), port=0)

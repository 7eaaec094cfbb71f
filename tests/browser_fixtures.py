"""A real browser for the studio and the reports: Chromium with software drawing, one at a time on this machine."""

from __future__ import annotations

import io
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

FLAGS = (
    "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--disable-background-networking", "--disable-quic", "--no-first-run",
)  # fmt: skip
PATIENCE = 120.0
"""Longest wait [s] for something that must happen; two shared cores draw slowly."""
CLICK_AGAIN = 15.0
"""Time [s] after which a person would click again."""


class Watched:
    """A page, and everything that went wrong in it."""

    def __init__(self, browser: Any, width: int, height: int) -> None:
        self.page = browser.new_page(viewport={"width": width, "height": height})
        self.page.set_default_timeout(1000 * PATIENCE)
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda e: self.errors.append(f"{e} {e.stack}"))
        self.page.on("request", lambda r: self.requests.append(r.url))

    def until(self, fact: Callable[[], Any], what: str) -> Any:
        """Wait until something is true."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = fact()
            if found:
                return found
            self.page.wait_for_timeout(50)
        words = self.page.locator("#carpal-status").all_inner_texts()
        pytest.fail(f"waited {PATIENCE:.0f} s in vain for {what}; status {words}; errors of the page: {self.errors}")

    def until_clicked(self, button: Any, fact: Callable[[], Any], what: str) -> Any:
        """Click until something is true: a click on a page that is still moving misses its button, as a person's would."""
        clicked = [0.0]

        def click_again() -> Any:
            if time.monotonic() - clicked[0] > CLICK_AGAIN and not fact():
                button.click()
                clicked[0] = time.monotonic()
            return fact()

        return self.until(click_again, what)

    def picture(self, place: Any) -> np.ndarray:
        """The pixels (height, width, 3) of an element, from 0 to 1."""
        from matplotlib import image

        return image.imread(io.BytesIO(place.screenshot()))[..., :3]

    def outside(self) -> list[str]:
        """Requests that left this machine."""
        own = ("data:", "blob:", "file:", "about:", "http://127.0.0.1")
        return [url for url in self.requests if not url.startswith(own)]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Chromium; workers of one test run take turns."""
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = next((path for path in map(shutil.which, names) if path), None)
    assert found, "these tests need Chromium: `make test` installs it on Debian and Ubuntu."
    base = tmp_path_factory.getbasetemp()
    lock = _lock((base.parent if base.name.startswith("popen-") else base) / "browser.lock")
    with lock, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=list(FLAGS), timeout=1000 * PATIENCE)
        yield chromium
        chromium.close()


@pytest.fixture
def watch(browser: Any) -> Iterator[Callable[..., Watched]]:
    """`watch(url)` opens a page; it is closed at the test's end."""
    opened: list[Watched] = []

    def open_page(url: str, width: int = 1000, height: int = 640) -> Watched:
        watched = Watched(browser, width, height)
        opened.append(watched)
        watched.page.goto(url)
        return watched

    yield open_page
    for watched in opened:
        watched.page.close()


def _lock(path: Path) -> Any:
    import contextlib
    import fcntl

    @contextlib.contextmanager
    def held() -> Iterator[None]:
        with path.open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    return held()


@pytest.fixture(scope="session")
def reached() -> Any:
    """A short run of reach: TaskResult."""
    from carpal.tasks import make_task

    return make_task("reach", duration=2.0, target=(0.9, 0.2, 0.4)).run(seed=3)

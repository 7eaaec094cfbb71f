"""Pictures of the pages, of a report and of stills, as the documentation shows them, taken in Chromium.

Writes docs/pictures/studio.png, retrieve_studio.png, sign_studio.png, telephone_studio.png, report.png, dexterity.png and
catch.png, each below 250 kB, and prints their sizes:

python benchmarks/page_pictures.py [studio dexterity retrieve_studio sign_studio telephone_studio report catch]
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from browser_fixtures import FLAGS, Watched

from carpal.report import write_report
from carpal.report.stills import recorded_still
from carpal.tasks import make_task

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
LIMIT = 250_000


def write(pixels: Any, name: str) -> None:
    """Write a picture, its colours as coarse as the limit asks."""
    from PIL import Image

    # steps that divide 255 keep white white
    path, size = FOLDER / f"{name}.png", LIMIT
    for step in (1, 3, 5, 15, 17):
        coarse = np.round(np.asarray(pixels.convert("RGB")) / step) * step
        Image.fromarray(np.minimum(coarse, 255).astype(np.uint8)).save(path, optimize=True)
        size = path.stat().st_size
        if size < LIMIT:
            break
    print(f"{name}.png: {size / 1000:.0f} kB", flush=True)
    assert size < LIMIT, f"{name}.png holds {size} bytes, more than {LIMIT}"


def taken(one: Watched, name: str, scale: float = 1.0) -> None:
    """Close the notes, wait until all is drawn, and write what the page shows."""
    from PIL import Image

    for note in one.page.locator(".mantine-Notification-closeButton").all():
        note.click()
    one.page.mouse.move(5, 5)
    one.page.wait_for_timeout(4000)
    assert one.errors == [], one.errors
    seen = Image.open(io.BytesIO(one.page.screenshot()))
    write(seen.resize((round(scale * seen.width), round(scale * seen.height)), Image.Resampling.LANCZOS), name)


def said(one: Watched, words: str) -> None:
    """Wait until the status line says something."""
    one.until(lambda: words in one.page.locator("#carpal-status").inner_text(), words)


def task_page(browser: Any, task: str, name: str, words: str, moment: float | None, **options: Any) -> None:
    """A task that was run from the studio, at a moment of its recording (None: its end)."""
    from carpal.viewer import Studio

    with tempfile.TemporaryDirectory() as folder, Studio(folder, port=0, task=task) as studio:
        one = Watched(browser, 1300, 800)
        one.page.goto(studio.url)
        start = one.page.get_by_role("button", name="START", exact=True)
        start.wait_for()
        studio.panel.options.fill(options)
        studio.panel.speed.value = "as fast as possible"
        start.click()
        said(one, words)
        if moment is not None:
            studio.panel.time.value = moment
            studio._show_at(moment)
            studio._show_outcome(moment)
        taken(one, name)


def studio(browser: Any) -> None:
    task_page(browser, "catch", "studio", "dropped in the bin", 0.79)


def dexterity(browser: Any) -> None:
    task_page(browser, "dexterity", "dexterity", "observations hold", 0.3, example=2)


def sign_studio(browser: Any) -> None:
    task_page(browser, "sign", "sign_studio", "letters in", None, text="IL")


def telephone_studio(browser: Any) -> None:
    from carpal.labs.sign.page import TelephonePage

    with TelephonePage(port=0) as page:
        one = Watched(browser, 1300, 760)
        one.page.goto(page.url)
        start = one.page.get_by_role("button", name="SIGN", exact=True)
        start.wait_for()
        page.real_time.value = False
        start.click()
        said(one, "'CIAO': 100 % of 4 letters")
        taken(one, "telephone_studio")


def retrieve_studio(browser: Any) -> None:
    from carpal.labs.retrieve import RetrievePage

    with tempfile.TemporaryDirectory() as folder, RetrievePage(folder, port=0) as page:
        one = Watched(browser, 1400, 930)
        one.page.goto(page.url)
        press = lambda name: one.page.get_by_role("button", name=name, exact=True).click()  # noqa: E731
        press("NEW IMAGES")
        one.page.wait_for_timeout(4000)
        press("FIND MARKS")
        one.page.wait_for_timeout(4000)
        press("CALCULATE")
        one.until(lambda: page.localisation is not None, "the pose")
        page.panel.pace.value = "as fast as possible"
        press("PLAN")
        execution = page.execution
        one.until(lambda: (s := execution.state()) is not None and s.phase == "waiting", "the plan")
        one.until(lambda: not one.page.get_by_role("button", name="EXECUTE").is_disabled(), "EXECUTE")
        press("EXECUTE")
        execution.wait(300.0)
        one.until(lambda: page.panel.motion.value == "executed", "the motion that was executed")
        page.panel.along.value = 55.0
        page._show_along()
        one.page.get_by_text("1 Images").first.scroll_into_view_if_needed()
        one.page.locator("#carpal-status").scroll_into_view_if_needed()
        taken(one, "retrieve_studio", 0.86)


def report(browser: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = write_report(make_task("catch").run(seed=0), Path(folder) / "report.html")
        one = Watched(browser, 1400, 742)
        one.page.goto(path.as_uri())
        one.page.frame_locator("iframe").locator("canvas").first.wait_for()
        one.page.wait_for_timeout(6000)
        plot = one.page.locator("canvas").first
        box = plot.bounding_box()
        plot.click(position={"x": 58 + 0.3 * (box["width"] - 68), "y": 0.5 * box["height"]})
        taken(one, "report")


def catch(browser: Any) -> None:
    """Three moments of a catch: before, in the hand, dropped."""
    from PIL import Image

    from carpal.labs.catch.figures import stills_section

    task = make_task("catch")
    recording = task.run(seed=0).recording
    stills = stills_section(task, recording).stills
    wanted = [stills[k] for k in (0, len(stills) // 2, len(stills) - 1)]
    pictures = [recorded_still(recording.model, each, (460, 420)) for each in wanted]
    gap = np.full((420, 8, 3), 255, np.uint8)
    write(Image.fromarray(np.hstack([pictures[0], gap, pictures[1], gap, pictures[2]])), "catch")


if __name__ == "__main__":
    from playwright.sync_api import sync_playwright

    makers = {
        make.__name__: make
        for make in (studio, dexterity, retrieve_studio, sign_studio, telephone_studio, report, catch)
    }
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=list(FLAGS))
        for wanted in sys.argv[1:] or makers:
            makers[wanted](chromium)
        chromium.close()

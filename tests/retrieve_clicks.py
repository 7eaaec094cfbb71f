"""Marks clicked by a browser as a person would: zoomed in with the wheel, the mark then looked for on the canvas."""

from __future__ import annotations

from typing import Any

import numpy as np


def cameras_of(one: Any) -> Any:
    """The frame of the images in the studio's page, or the page itself where it is only them."""
    frame = one.page.frame(url="**/cameras")
    return frame if frame is not None else one.page.main_frame


def shown(frame: Any, camera: str) -> dict[str, float]:
    """How a canvas shows its image now: scale and offset [css px], number of points."""
    data = frame.locator(f"#{camera} canvas").evaluate("canvas => ({...canvas.dataset})")
    return {name: float(value) for name, value in data.items()}


def on_screen(one: Any, frame: Any, camera: str, pixel: np.ndarray) -> tuple[float, float]:
    """Where a pixel of a image is in the window."""
    box, now = frame.locator(f"#{camera} canvas").bounding_box(), shown(frame, camera)
    return (
        box["x"] + (pixel[0] + 0.5) * now["scale"] + now["ox"],
        box["y"] + (pixel[1] + 0.5) * now["scale"] + now["oy"],
    )


def look_at(one: Any, camera: str, marks: np.ndarray, zoom: float) -> None:
    """Zoom in on marks (n, 2) with the wheel, up to so many times or until they fill the canvas, and drag them to its middle."""
    frame, middle = cameras_of(one), marks.mean(axis=0)
    box = frame.locator(f"#{camera} canvas").bounding_box()
    span = np.maximum(np.ptp(marks, axis=0), 1.0)
    most = min(zoom, 0.8 * box["width"] / span[0], 0.8 * box["height"] / span[1])
    for _ in range(60):
        if 1.2 * shown(frame, camera)["scale"] > most:
            break
        one.page.mouse.move(*on_screen(one, frame, camera, middle))
        one.page.mouse.wheel(0, -120)
        one.page.wait_for_timeout(20)
    goal = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def there() -> bool:
        return bool(np.hypot(*np.subtract(on_screen(one, frame, camera, middle), goal)) < 12.0)

    if there():  # pressing and letting go in one place would be a click
        return
    one.page.mouse.move(*on_screen(one, frame, camera, middle))
    one.page.mouse.down()
    one.page.mouse.move(*goal, steps=3)
    one.page.mouse.up()
    one.until(there, f"the marks in the middle of the {camera} image")


def click_marks(one: Any, camera: str, marks: np.ndarray, zoom: float = 5.0) -> None:
    """Click marks (n, 2) one after the other, zoomed in."""
    frame = cameras_of(one)
    one.until(lambda: "scale" in shown(frame, camera), f"the {camera} image")
    before = int(shown(frame, camera)["points"])
    if zoom > 1.0:
        look_at(one, camera, marks, zoom)
    for k, mark in enumerate(marks, start=1):
        one.page.mouse.click(*on_screen(one, frame, camera, mark))
        one.until(lambda k=k: shown(frame, camera)["points"] == before + k, f"mark {k} in the {camera} image")
    at_server = f"{before + len(marks)} of 4 marks" if before + len(marks) < 4 else "4 marks"
    count = frame.locator(f"#{camera} .count")
    one.until(lambda: count.inner_text() == at_server, f"the studio to know the marks of the {camera} image")

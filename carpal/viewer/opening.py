"""`carpal.view`: look at a model, a scene or a recording."""

from __future__ import annotations

import webbrowser
from typing import Any

from numpy.typing import ArrayLike

from carpal.engines import Recording
from carpal.errors import InputError
from carpal.model import Model, Scene, need_scene
from carpal.viewer.replay_page import ReplayPage
from carpal.viewer.robot_page import RobotPage


def view(
    thing: Model | Scene | Recording,
    q: ArrayLike | None = None,
    *,
    wait: bool = False,
    browser: bool = False,
    **options: Any,
) -> RobotPage | ReplayPage:
    """A page that shows a model or a scene, or the replay of a recording; a notebook shows either inline.

    Args:
        thing: a model or scene: a page with its meshes, joint sliders, frames, collision shapes and a target to drag; a
            recording, or a result that has one: a stand-alone replay.
        q: configuration (nq) to begin with; home by default.
        wait: return only when the page is closed or Ctrl-C is pressed.
        browser: open it in the system's browser.
        options: of `RobotPage` (frame, frames, collisions, shadows, host, port) or `ReplayPage` (model, speed).

    Returns:
        A handle. Of a page: `url`, `q` (set it to move the robot), `wait()`, `close()`; it is a context manager. Of a replay:
        `save(file)`, `open()`.

    Example:
        >>> page = carpal.view(carpal.load("sawyer"))
        >>> page.close()
    """
    recording = thing if isinstance(thing, Recording) else getattr(thing, "recording", None)
    if isinstance(recording, Recording):
        if q is not None or wait:
            raise InputError("a recording is shown as a replay: it takes neither q nor wait.")
        replay = ReplayPage(recording, **options)
        if browser:
            replay.open()
        return replay
    need_scene(thing, "view")
    model: Any = thing.build() if isinstance(thing, Scene) else thing
    page = RobotPage(model, q, **options)
    if browser:
        webbrowser.open(page.url)
    if wait:
        print(f"{model.name}: {page.url}; Ctrl-C ends it.", flush=True)
        page.wait()
    return page

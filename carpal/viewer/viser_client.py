"""viser's page, with a script put before it: targets that are dragged are sent sooner, and the page says who draws it.

viser holds a dragged target back for 50 ms, so that at most 20 a second reach the server; with the script it holds it back for
15 ms. Where no graphics card draws, the page says so, and `light` pages are drawn at half the resolution. Both rest on private
parts of viser's client: where its page is not found as expected, it is served unchanged.
"""

from __future__ import annotations

import gzip
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from carpal.report import Gate, response

SOFTWARE = "/carpal-drawn-by-software"
"""Path that a page asks for where no graphics card draws it."""
HEAD = b"<head>"
SCRIPT = """<script>
(() => {
  const wait = window.setTimeout.bind(window);
  window.setTimeout = (act, time, ...more) => wait(act, time === 50 ? 15 : time, ...more);
  const light = LIGHT;
  const gl = light ? document.createElement("canvas").getContext("webgl2") : null;
  const asked = gl && gl.getExtension("WEBGL_debug_renderer_info");
  const drawer = asked ? gl.getParameter(asked.UNMASKED_RENDERER_WEBGL) : "";
  if (gl) gl.getExtension("WEBGL_lose_context")?.loseContext();
  if (!/swiftshader|llvmpipe|softpipe|software/i.test(drawer)) return;
  const query = new URLSearchParams(location.search);
  if (!query.has("fixedDpr")) {
    query.set("fixedDpr", 0.5 * window.devicePixelRatio);
    history.replaceState(null, "", "?" + query);
  }
  fetch("SOFTWARE");
})();
</script>"""


class ClientGate:
    """Serves viser's page with the script; everything else passes.

    Args:
        gate: that a request must pass first.
        light: called when a page says that no graphics card draws it; None: pages do not say it.
    """

    def __init__(self, gate: Gate, light: Callable[[], None] | None = None) -> None:
        self._gate, self._light = gate, light
        self._page = scripted_page(light is not None)

    async def __call__(self, connection: Any, request: Any) -> Any:
        """None lets a request pass; anything else is the answer to it."""
        answer = self._gate(connection, request)
        if inspect.isawaitable(answer):
            answer = await answer
        path = request.path.partition("?")[0]
        if answer is not None or request.headers.get("Upgrade"):
            return answer
        if path == SOFTWARE and self._light is not None:
            self._light()
            return response(200, "text/plain; charset=utf-8", "drawn lightly")
        if path != "/" or self._page is None or "gzip" not in request.headers.get("Accept-Encoding", ""):
            return None
        return response(200, "text/html; charset=utf-8", self._page, Content_Encoding="gzip")


def scripted_page(light: bool) -> bytes | None:
    """The page of viser with the script first in its head, compressed; None where the page is not as expected."""
    import viser

    file = Path(viser.__file__).parent / "client" / "build" / "index.html"
    page = file.read_bytes() if file.is_file() else b""
    if page.count(HEAD) != 1:
        return None
    script = SCRIPT.replace("SOFTWARE", SOFTWARE).replace("LIGHT", "true" if light else "false")
    return gzip.compress(page.replace(HEAD, HEAD + script.encode(), 1), compresslevel=1)

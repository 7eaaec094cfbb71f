"""viser's page with the script before it: who gets it, what passes, and what Chromium makes of it."""

import asyncio
import gzip
from types import SimpleNamespace

import pytest

import carpal
from carpal.viewer import viser_client
from carpal.viewer.robot_page import LIGHT_FACES, RobotPage
from carpal.viewer.viser_client import SOFTWARE, ClientGate, scripted_page

pytestmark = pytest.mark.xdist_group("browser")


def asked(gate, path, **headers):
    return asyncio.run(gate(None, SimpleNamespace(path=path, headers={"Accept-Encoding": "gzip"} | headers)))


def test_the_script_stands_first_in_the_page_and_nothing_else_is_changed():
    page = gzip.decompress(asked(ClientGate(lambda *_: None), "/?x=1").body).decode()
    head, _, rest = page.partition("<head>")
    script, _, rest = rest.partition("</script>")
    assert "window.setTimeout" in script and "const light = false" in script
    plain = gzip.decompress(scripted_page(True)).decode()
    assert "const light = true" in plain
    import viser

    file = viser_client.Path(viser.__file__).parent / "client" / "build" / "index.html"
    assert head + "<head>" + rest == file.read_text()


def test_what_passes_and_what_the_inner_gate_refuses():
    gate = ClientGate(lambda *_: None)
    assert asked(gate, "/", Upgrade="websocket") is None and asked(gate, "/assets/x.js") is None
    assert asked(gate, "/", **{"Accept-Encoding": "identity"}) is None, "viser's own page"
    assert asked(gate, SOFTWARE) is None, "a page that is never drawn lightly"

    async def refuses(*_):
        return "no"

    assert asked(ClientGate(refuses, pytest.fail), "/") == "no"
    assert asked(ClientGate(refuses, pytest.fail), SOFTWARE) == "no", "nobody changes a page without its token"


def test_another_page_of_viser_is_served_as_it_is(monkeypatch, tmp_path):
    monkeypatch.setattr("viser.__file__", str(tmp_path / "__init__.py"))
    assert scripted_page(True) is None and asked(ClientGate(lambda *_: None), "/") is None


def triangles(page):
    return sum(len(part.mesh[1]) for part in page.view.parts if part.mesh is not None)


def test_a_browser_that_draws_in_software_gets_a_light_robot(watch):
    with RobotPage(carpal.load("panda")) as shown:
        before, names = triangles(shown), list(shown.view.shapes)
        page = watch(shown.url, 760, 420)
        page.page.locator("canvas").first.wait_for()
        page.until(lambda: shown.light and triangles(shown) < before / 5, "coarse meshes")
        assert triangles(shown) < 1.5 * LIGHT_FACES and list(shown.view.shapes) == names
        assert "fixedDpr=0.5" in page.page.url and page.errors == [] and page.outside() == []


def test_fine_meshes_on_request(watch):
    with RobotPage(carpal.load("so101_old"), light=False) as shown:
        page = watch(shown.url, 500, 400)
        page.page.locator("canvas").first.wait_for()
        page.until(shown._server.get_clients, "the page to connect")
        assert not shown.light and "fixedDpr" not in page.page.url

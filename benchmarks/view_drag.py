"""How fast a robot's page answers a target dragged in Chromium, with meshes: `python benchmarks/view_drag.py`.

Reported: targets that the page sent in a second, answers in a second, and the time of one answer (inverse kinematics, forward
kinematics of every body, all messages). viser's page sends a dragged target every 50 ms at most, so 20 a second is its most;
the last figure says how many the server could answer.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from browser_fixtures import FLAGS

import carpal

SECONDS = 6.0
ROBOTS = ("panda", "ur5", "talos_arm", "k10", "sawyer")


def pixel(page, client, point):
    """Where a point of the world is on a page [pixels]."""
    camera, canvas = client.camera, page.locator("canvas").first.bounding_box()
    back = np.asarray(camera.position) - camera.look_at
    back /= np.linalg.norm(back)
    right = np.cross(camera.up_direction, back)
    right /= np.linalg.norm(right)
    x, y, z = np.stack([right, np.cross(back, right), back]) @ (np.asarray(point) - camera.position)
    scale = 0.5 * canvas["height"] / np.tan(0.5 * camera.fov)
    return np.array(
        [canvas["x"] + 0.5 * canvas["width"] - scale * x / z, canvas["y"] + 0.5 * canvas["height"] + scale * y / z]
    )


def drag(browser, name):
    """(targets a second, answers a second, median time of an answer [ms]) of a drag to and fro."""
    model = carpal.load(name)
    with carpal.view(model, shadows=False) as shown:
        spent, sent = [], []
        answer, dragged = shown._answer, shown._dragged

        def timed(X_WT, ended):
            begun = time.perf_counter()
            answer(X_WT, ended)
            spent.append(time.perf_counter() - begun)

        async def noted(event):
            sent.append(time.perf_counter())
            await dragged(event)

        shown._answer = timed
        shown.gizmo.remove_update_callback("all")
        shown.gizmo.on_update(noted)
        page = browser.new_page(viewport={"width": 760, "height": 420})
        page.goto(shown.url)
        page.locator("canvas").first.wait_for()
        while not shown._server.get_clients():
            page.wait_for_timeout(100)
        page.wait_for_timeout(4000)
        client = next(iter(shown._server.get_clients().values()))
        X = carpal.fk(model, shown.q, shown.frame.value)
        grab = pixel(page, client, X[:3, 3] + 0.55 * shown.gizmo.scale * X[:3, 2])
        way = pixel(page, client, X[:3, 3] + (0.55 * shown.gizmo.scale - 0.12 * shown.view.reach) * X[:3, 2]) - grab
        page.mouse.move(*grab)
        page.wait_for_timeout(500)
        page.mouse.down()
        begun, k = time.perf_counter(), 0
        while time.perf_counter() - begun < SECONDS:
            k += 1
            page.mouse.move(*(grab + 0.5 * (1 - np.cos(0.1 * k)) * way))
        page.mouse.up()
        page.wait_for_timeout(500)
        page.close()
    span = sent[-1] - sent[0] if len(sent) > 1 else np.nan
    return len(sent) / span, len(spent) / span, 1e3 * float(np.median(spent))


def wire(name, rate=60.0):
    """(targets sent, answered) a second when targets come over the socket as from a page that draws fast."""
    import msgspec
    from websockets.sync.client import connect

    from carpal.spatial import wxyz_from_rotation

    model = carpal.load(name)
    with carpal.view(model, shadows=False) as shown:
        X = carpal.fk(model, shown.q, shown.frame.value)
        turn = [float(x) for x in wxyz_from_rotation(X[:3, :3])]
        protocols = ["viser-v1.1.1"]
        with connect(f"ws://127.0.0.1:{shown.port}", subprotocols=protocols, max_size=None) as socket:
            time.sleep(2.0)
            before, begun, sent = shown.answers, time.perf_counter(), 0
            while (now := time.perf_counter() - begun) < SECONDS:
                place = X[:3, 3] - 0.05 * shown.view.reach * (1 - np.cos(3.0 * now)) * X[:3, 2]
                target = {"type": "TransformControlsUpdateMessage", "name": "/target", "owner": ""}
                target |= {"wxyz": turn, "position": [float(x) for x in place]}
                socket.send(msgspec.msgpack.encode(target))
                sent += 1
                time.sleep(max(0.0, begun + sent / rate - time.perf_counter()))
            span = time.perf_counter() - begun
            return sent / span, (shown.answers - before) / span


def main():
    from playwright.sync_api import sync_playwright

    print("| robot | targets sent [1/s] | answered [1/s] | one answer, median [ms] | the server could answer [1/s] |")
    print("|---|---|---|---|---|")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=list(FLAGS), timeout=120_000)
        for name in sys.argv[1:] or ROBOTS:
            sent, answered, each = drag(browser, name)
            print(f"| {name} | {sent:.1f} | {answered:.1f} | {each:.1f} | {1e3 / each:.0f} |", flush=True)
        browser.close()
    print("\n| robot, over the socket | targets sent [1/s] | answered [1/s] |\n|---|---|---|")
    for name in sys.argv[1:] or ROBOTS:
        print("| {} | {:.1f} | {:.1f} |".format(name, *wire(name)), flush=True)


if __name__ == "__main__":
    main()

"""How fast a robot's page answers a target dragged in Chromium, with meshes: `python benchmarks/view_drag.py`.

Reported, each for the robot as such a browser gets it and with all its triangles: targets that the page sent in a second, answers
in a second, pictures that it drew, and the time of one answer (inverse kinematics, forward kinematics of every body, all
messages), with how many a second the server could answer.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from browser_fixtures import FLAGS

import carpal

SECONDS = 6.0
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
ROBOTS = ("panda", "ur5", "talos_arm", "k10", "sawyer")


COUNT_PICTURES = (
    "window.carpalPictures = 0; (function next() { window.carpalPictures++; requestAnimationFrame(next) })()"
)


def pixel(canvas, client, point):
    """Where a point of the world is on a page [pixels]; `canvas` is the scene's box on it."""
    camera = client.camera
    back = np.asarray(camera.position) - camera.look_at
    back /= np.linalg.norm(back)
    right = np.cross(camera.up_direction, back)
    right /= np.linalg.norm(right)
    x, y, z = np.stack([right, np.cross(back, right), back]) @ (np.asarray(point) - camera.position)
    scale = 0.5 * canvas["height"] / np.tan(0.5 * camera.fov)
    return np.array(
        [canvas["x"] + 0.5 * canvas["width"] - scale * x / z, canvas["y"] + 0.5 * canvas["height"] + scale * y / z]
    )


async def drag(browser, name, light=None):
    """A drag to and fro by a mouse of 60 moves a second.

    Returns:
        Targets that the page sent and answers in a second, pictures in a second, median time of an answer [ms].
    """
    model = carpal.load(name)
    with carpal.view(model, light=light) as shown:
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
        page = await browser.new_page(viewport={"width": 760, "height": 420})
        await page.goto(shown.url)
        await page.locator("canvas").first.wait_for()
        while not shown._server.get_clients():
            await page.wait_for_timeout(100)
        await page.wait_for_timeout(4000)
        client = next(iter(shown._server.get_clients().values()))
        canvas = await page.locator("canvas").first.bounding_box()
        X, arrow = carpal.fk(model, shown.q, shown.frame.value), 0.55 * shown.gizmo.scale
        grab = pixel(canvas, client, X[:3, 3] + arrow * X[:3, 2])
        way = pixel(canvas, client, X[:3, 3] + (arrow - 0.12 * shown.view.reach) * X[:3, 2]) - grab
        await page.mouse.move(*grab)
        await page.wait_for_timeout(500)
        await page.mouse.down()
        await page.evaluate(COUNT_PICTURES)
        moves, begun, before = set(), time.perf_counter(), (len(sent), len(spent))
        while (now := time.perf_counter() - begun) < SECONDS:  # a mouse does not wait for the page
            move = asyncio.create_task(page.mouse.move(*(grab + 0.5 * (1 - np.cos(3.0 * now)) * way)))
            moves.add(move)
            move.add_done_callback(moves.discard)
            await asyncio.sleep(1 / 60)
        span, sent_then, spent_then = time.perf_counter() - begun, len(sent), len(spent)
        pictures = await page.evaluate("window.carpalPictures")
        await asyncio.gather(*moves)
        await page.mouse.up()
        await page.wait_for_timeout(500)
        await page.close()
    rates = (sent_then - before[0]) / span, (spent_then - before[1]) / span, pictures / span
    return *rates, 1e3 * float(np.median(spent))


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


async def browsed(names):
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS), timeout=120_000)
        for name in names:
            for light in (None, False):
                sent, answered, pictures, each = await drag(browser, name, light)
                words = f"{name}{'' if light is None else ', all its triangles'}"
                print(
                    f"| {words} | {sent:.1f} | {answered:.1f} | {pictures:.1f} | {each:.1f} | {1e3 / each:.0f} |",
                    flush=True,
                )
        await browser.close()


def main():
    names = sys.argv[1:] or ROBOTS
    columns = "targets sent [1/s]", "answered [1/s]", "pictures [1/s]", "one answer, median [ms]", "could answer [1/s]"
    print("| robot |", " | ".join(columns), "|\n|---|---|---|---|---|---|")
    asyncio.run(browsed(names))
    print("\n| robot, over the socket | targets sent [1/s] | answered [1/s] |\n|---|---|---|")
    for name in names:
        print("| {} | {:.1f} | {:.1f} |".format(name, *wire(name)), flush=True)


if __name__ == "__main__":
    main()

"""An animated picture of each of the five systems, drawn from recorded runs.

Writes docs/pictures/<task>.gif, each below 600 kB, and prints their sizes:

python benchmarks/animated_pictures.py [task ...]
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from carpal.report.camera import Camera
from carpal.report.framing import upward
from carpal.report.stills import model_solids, still
from carpal.tasks import make_task

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
SIZE, COLOURS, LIMIT = (420, 300), 96, 600_000
FRAME_SECONDS, LAST_SECONDS = 0.06, 1.2


@dataclass(frozen=True)
class Film:
    """What is run, and which part of it is shown from where.

    Args:
        options: of the task.
        times: moments of the recording [s].
        eye, look_at: of the camera [m].
        height: of the picture [rad].
    """

    options: dict[str, Any]
    times: np.ndarray
    eye: tuple[float, float, float]
    look_at: tuple[float, float, float]
    height: float = field(default=0.6)


FILMS = {
    "catch": Film(
        {},
        np.r_[np.linspace(0.52, 0.9, 28), np.linspace(1.0, 2.35, 18)],
        (-0.75, 0.5, -1.45),
        (0.12, -0.27, -0.33),
        0.56,
    ),
    "dexterity": Film({"example": 2}, np.linspace(0.14, 0.5, 34), (0.42, -0.34, 0.36), (0.06, 0.0, 0.13), 0.46),
    "mount": Film(
        {"case": 3, "control": "none"}, np.linspace(0.0, 1.1, 34), (1.7, -2.6, 1.6), (0.30, 0.05, 0.26), 0.44
    ),
    "retrieve": Film(
        {"relay": (0.36, 0.35, -1.24)}, np.linspace(0.0, 275.0, 56), (1.9, 1.0, 1.1), (0.16, -0.05, 0.22), 0.56
    ),
    "sign": Film({"text": "CIAO"}, np.linspace(0.0, 5.4, 44), (1.25, 0.30, 1.10), (0.42, -0.05, 0.80), 0.40),
}


def frames(name: str, film: Film) -> list[np.ndarray]:
    """The pictures (height, width, 3) of a run."""
    result = make_task(name, **film.options).run(seed=0)
    recording, model = result.recording, result.recording.model
    up = upward(model)
    camera = Camera(np.array(film.eye), np.array(film.look_at), up, film.height, SIZE)
    rows = np.clip(np.searchsorted(recording.time, film.times), 0, len(recording.time) - 1)
    scenes = [model_solids(model, recording.q[row]) for row in rows]
    floor = min(float((thing.points @ up).min()) for thing in scenes[0])
    return [still(things, camera, floor) for things in scenes]


def write_film(name: str, film: Film) -> Path:
    """Draw a run and write it as an animated picture with the time in its corner."""
    from PIL import Image, ImageDraw, ImageFont

    drawn = []
    font = ImageFont.load_default(14)
    for time, pixels in zip(film.times, frames(name, film), strict=True):
        picture = Image.fromarray(pixels)
        digits = 0 if film.times[-1] > 20 else 2
        ImageDraw.Draw(picture).text((10, SIZE[1] - 24), f"{time:.{digits}f} s", fill=(74, 85, 104), font=font)
        drawn.append(picture)
    palette = drawn[len(drawn) // 2].quantize(COLOURS, dither=Image.Dither.NONE)
    flat = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in drawn]
    lasts = [int(1000 * FRAME_SECONDS)] * (len(flat) - 1) + [int(1000 * LAST_SECONDS)]
    path = FOLDER / f"{name}.gif"
    flat[0].save(path, save_all=True, append_images=flat[1:], duration=lasts, loop=0, optimize=True, disposal=1)
    assert path.stat().st_size < LIMIT, f"{path} holds {path.stat().st_size} bytes, more than {LIMIT}"
    return path


if __name__ == "__main__":
    for wanted in sys.argv[1:] or FILMS:
        written = write_film(wanted, FILMS[wanted])
        print(f"{written.name}: {written.stat().st_size / 1000:.0f} kB")

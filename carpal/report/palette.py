"""One look for studio, replay, stills, reports and documentation: colours, light, type and the usual camera."""

from __future__ import annotations

Rgb = tuple[int, int, int]
Rgba = tuple[float, float, float, float]

BRAND: Rgb = (43, 108, 176)
SHELL: Rgba = (0.90, 0.915, 0.935, 1.0)
"""Covers of links."""
HOUSING: Rgba = (0.29, 0.325, 0.385, 1.0)
"""Housings of joints, wrists, motors."""
ACCENT: Rgba = (0.17, 0.42, 0.69, 1.0)
"""The ring that shows a joint's axis."""
METAL: Rgba = (0.63, 0.66, 0.70, 1.0)
"""Rods, rails, plates, pulleys."""
PLAIN: Rgba = (0.75, 0.78, 0.82, 1.0)
"""What has no colour of its own."""
COLLISION: Rgba = (0.93, 0.50, 0.15, 0.35)
"""Collision shapes, laid over the picture on request."""

AXES: tuple[Rgb, Rgb, Rgb] = ((197, 48, 48), (47, 133, 90), (43, 108, 176))
"""x, y, z of a frame."""
GRID_CELL: Rgb = (226, 230, 236)
GRID_SECTION: Rgb = (196, 203, 213)
TARGET: Rgb = (128, 90, 213)
PATH: Rgba = (0.87, 0.42, 0.13, 0.35)

MODES: dict[str, Rgb] = {
    "sticking": (47, 133, 90), "rolling": (43, 108, 176), "sliding": (214, 48, 49), "spinning": (49, 151, 149),
    "free": (160, 174, 192), "": (107, 70, 193),
}  # fmt: skip
"""Green holds, blue rolls, red slides, blue-green spins, violet touches where an engine knows no modes."""
FORCE: Rgb = (26, 32, 44)
FORCE_RGBA: Rgba = (0.10, 0.125, 0.17, 1.0)
"""Also of cables."""

CURVES = (
    "#2b6cb0", "#dd6b20", "#2f855a", "#c53030", "#6b46c1", "#b7791f", "#0987a0", "#97266d", "#4a5568", "#7a9b1f",
)  # fmt: skip
"""Ten that stay apart on a white ground; further curves begin again."""
STATUS = {"good": "#2f855a", "bad": "#c53030", "busy": "#2b6cb0", "idle": "#718096"}
INK, QUIET, PAPER = "#1a202c", "#718096", "#f7f9fc"
TYPE = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'

SIDE = (1.15, -1.45, 0.62)
"""From what is shown to the usual camera: along the two level axes, and up."""
FIELD = 0.8
"""The camera's vertical field of view [rad]."""


def rgb(rgba: tuple[float, ...]) -> Rgb:
    """A colour of 0 to 1 as bytes, without its opacity."""
    red, green, blue = (round(255 * c) for c in rgba[:3])
    return red, green, blue


def css(colour: Rgb) -> str:
    """A colour of bytes as CSS."""
    return "rgb({},{},{})".format(*colour)

"""Pictures of signing hands: all letters of an alphabet on one sheet, and a hand with its measures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from carpal.kinematics import fk
from carpal.labs.sign.files.alphabet import Alphabet
from carpal.labs.sign.hand.letters import HandLetter
from carpal.labs.sign.hand.parallel_wrist import wrist_rotation
from carpal.labs.sign.hand.sign_hand import SignHand
from carpal.report import Camera, Solid, model_solids, pyplot, still
from carpal.spatial import pose

TILE = (250, 250)
ACROSS = 7


def letter_image(hand: SignHand, alphabet: Alphabet, shown: HandLetter, size: tuple[int, int] = TILE) -> np.ndarray:
    """A letter as its receiver sees it (height, width, 3): palm direction and wrist included."""
    shape = shown.letter.right
    q = hand.joints(shown.commands)
    X_MP = fk(hand.model, hand.home, hand.driver.palm)
    X_WM = pose(alphabet.palms[shape.palm] @ wrist_rotation(shape.wrist)) @ np.linalg.inv(X_MP)
    turned = [Solid(s.points @ X_WM[:3, :3].T + X_WM[:3, 3], s.faces, s.rgba) for s in model_solids(hand.model, q)]
    down = alphabet.palms[shape.palm][2, 2] < 0.5
    open_hand = np.concatenate([s.points for s in model_solids(hand.model, hand.home)])
    centre = np.append(0.5 * (open_hand.min(0) + open_hand.max(0)) + (0.02, 0.0, 0.012), 1.0)
    middle = (X_WM @ centre)[:3] - np.array([0.0, 0.0, 0.03 if down else 0.0])
    eye = middle + (np.array([0.52, 0.34, 0.36]) if down else np.array([0.62, 0.26, 0.14]))
    return still(turned, Camera(eye, middle, np.array([0.0, 0.0, 1.0]), 0.40, size))


def save_alphabet_picture(hand: SignHand, alphabet: Alphabet, shown: Mapping[str, HandLetter], path: Path) -> Path:
    """All letters on one sheet."""
    plt = pyplot()
    rows = -(-len(shown) // ACROSS)
    figure, axes = plt.subplots(rows, ACROSS, figsize=(1.75 * ACROSS, 2.1 * rows), squeeze=False)
    for axis in axes.flat:
        axis.axis("off")
    for axis, (name, one) in zip(axes.flat, shown.items(), strict=False):
        shape = one.letter.right
        axis.imshow(letter_image(hand, alphabet, one))
        more = f", {shape.motion}" if shape.motion else ""
        axis.set_title(f"{name}  ({shape.palm}{more})", fontsize=9)
    figure.suptitle(f"{alphabet.name} alphabet on {hand.driver.hand}, seen by the receiver (approximate)", fontsize=11)
    figure.tight_layout(pad=0.4, rect=(0, 0, 1, 0.97))
    return _saved(plt, figure, path)


def save_hand_drawing(hand: SignHand, path: Path) -> Path:
    """The hand from three sides with its joints and their places, so that assumed sizes can be seen."""
    plt = pyplot()
    model, q = hand.model, np.array(hand.model.q_home)
    figure, axes = plt.subplots(1, 3, figsize=(13, 6.2))
    X_MP = fk(model, q, hand.driver.palm)
    half = q.copy()
    for i in hand.tendons:
        for column in hand.columns[hand.commands[i]]:
            half[column] = 0.5 * model.q_max[column]
    across = q.copy()
    for (channel, _), drive in hand.driver.others.items():
        if channel == "opposition":
            across[model.q_index(drive.joint)] = drive.angle(1.0)
    views = (
        ("straight, as the receiver sees it: y across, z up [mm]", q, 1, 2),
        ("thumb across: x out of the palm [mm]", across, 0, 2),
        ("every bending joint half bent [mm]", half, 0, 2),
    )
    for axis, (title, at, i, j) in zip(axes, views, strict=True):
        _draw_links(axis, model, at, np.linalg.inv(X_MP), i, j)
        axis.set_title(title, fontsize=10)
        axis.set_aspect("equal")
        axis.set(xlim=(-60, 130) if i == 1 else (-60, 100), ylim=(-80, 210))
        axis.grid(alpha=0.3)
    figure.suptitle(f"{model.name}: assumed sizes; dots are joints, in the palm's frame", fontsize=12)
    figure.tight_layout()
    return _saved(plt, figure, path)


def _draw_links(axis: Any, model: Any, q: np.ndarray, X_PW: np.ndarray, i: int, j: int) -> None:
    for placed in model.shapes:
        X = X_PW @ fk(model, q, placed.body) @ placed.X_BS
        if placed.shape.kind == "capsule":
            a, b = (1e3 * (X[:3, 3] + s * 0.5 * placed.shape.length * X[:3, 2]) for s in (-1, 1))
            axis.plot([a[i], b[i]], [a[j], b[j]], color="#c9a98a", lw=2.2e3 * placed.shape.radius, alpha=0.55,
                      solid_capstyle="round")  # fmt: skip
        elif placed.shape.kind == "box":
            half = 0.5 * np.array(placed.shape.size)
            corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
            p = 1e3 * (corners @ X[:3, :3].T + X[:3, 3])
            low, high = p.min(0), p.max(0)
            axis.fill(
                [low[i], high[i], high[i], low[i]], [low[j], low[j], high[j], high[j]], color="#ddd0c0", alpha=0.6
            )
    for body in model.bodies:
        if body.joint.kind != "fixed":
            p = 1e3 * (X_PW @ fk(model, q, body.name) @ np.linalg.inv(body.joint.X_JB))[:3, 3]
            axis.plot(p[i], p[j], "o", color="#2b6cb0", ms=4)
            if body.joint.name.endswith(("proximal", "opposition")) or i == 0:
                continue
            if body.joint.name.endswith("middle"):
                length = 1e3 * float(np.linalg.norm(body.joint.X_PJ[:3, 3]))
                axis.annotate(f"{length:.0f}", (p[i], p[j]), fontsize=7, xytext=(3, -9), textcoords="offset points")
    for frame in model.extra_frames:
        p = 1e3 * (X_PW @ fk(model, q, frame.name))[:3, 3]
        axis.annotate(frame.name.removesuffix("_tip"), (p[i], p[j]), fontsize=8, ha="center", xytext=(0, 9),
                      textcoords="offset points")  # fmt: skip


def _saved(plt: Any, figure: Any, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return path

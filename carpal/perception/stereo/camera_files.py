"""Camera files: the Tsai text of NASA's Vision Workbench (Leutenegger 2008, 6.1 and 6.2) and OpenCV's YAML.

Tsai text: one `name = numbers` a line: fu, fv, cu, cv [px], the image's axes, C and R (the camera's place and attitude in W,
R_WC), k1, k2, p1, p2. It has no k3 and no image size; the size is kept in a comment line, which other readers skip.
OpenCV YAML: camera_matrix, distortion_coefficients, image_width, image_height, and the extrinsics R, T with p_C = R p_W + T.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.model import file_text
from carpal.perception.stereo.camera_model import Camera
from carpal.perception.stereo.opencv_import import require_opencv
from carpal.spatial import Array, pose

ENDINGS = (".tsai", ".yml", ".yaml")
MAX_BYTES = 10_000_000
_LINE = re.compile(r"^\s*(\w+)\s*=\s*(.*?)\s*$")
_SIZE = re.compile(r"^#\s*image_size\s*=\s*(\d+)\s+(\d+)\s*$", re.MULTILINE)
_COUNTS = {
    "fu": 1, "fv": 1, "cu": 1, "cv": 1, "C": 3, "R": 9, "k1": 1, "k2": 1, "p1": 1, "p2": 1, "pitch": 1, "u_direction": 3,
    "v_direction": 3, "w_direction": 3,
}  # fmt: skip


def write_camera(camera: Camera, path: str | os.PathLike[str]) -> None:
    """Write a camera as Tsai text (.tsai) or OpenCV YAML (.yml, .yaml); every digit is kept."""
    path = Path(path)
    ending = _ending(path)
    if ending == ".tsai":
        path.write_text(_tsai_text(camera), encoding="utf-8")
        return
    cv2 = require_opencv()
    storage = cv2.FileStorage(str(path), cv2.FILE_STORAGE_WRITE)
    if not storage.isOpened():
        raise InputError(f"'{path}' cannot be written.")
    R = camera.X_WC[:3, :3].T
    storage.write("image_width", int(camera.width))
    storage.write("image_height", int(camera.height))
    storage.write("camera_matrix", camera.matrix)
    storage.write("distortion_coefficients", np.array(camera.distortion)[None])
    storage.write("R", np.ascontiguousarray(R))
    storage.write("T", -(R @ camera.X_WC[:3, 3])[:, None])
    storage.release()


def read_camera(path: str | os.PathLike[str], *, width: int | None = None, height: int | None = None) -> Camera:
    """Read a camera from Tsai text (.tsai) or OpenCV YAML (.yml, .yaml).

    Args:
        path: the file.
        width, height: image size [px], for Tsai files without it.
    """
    path = Path(path)
    ending = _ending(path)
    text = file_text(path, f"the camera file '{path}'", MAX_BYTES)
    return _from_tsai(text, path, width, height) if ending == ".tsai" else _from_yaml(path)


def _ending(path: Path) -> str:
    if path.suffix.lower() not in ENDINGS:
        raise unknown_name("ending of a camera file", path.suffix, ENDINGS)
    return path.suffix.lower()


def _tsai_text(camera: Camera) -> str:
    if camera.distortion[4] != 0:
        raise InputError(f"a Tsai file holds k1, k2, p1, p2 and no k3 ({camera.distortion[4]:.3g}); write a .yml file.")

    def row(values: Array | list[float]) -> str:
        return " ".join(repr(float(v)) for v in values)

    lines = [
        "VERSION_4", "PINHOLE", f"# image_size = {camera.width} {camera.height}",
        f"fu = {row([camera.fx])}", f"fv = {row([camera.fy])}", f"cu = {row([camera.cx])}", f"cv = {row([camera.cy])}",
        "u_direction = 1 0 0", "v_direction = 0 1 0", "w_direction = 0 0 1",
        f"C = {row(camera.X_WC[:3, 3])}", f"R = {row(camera.X_WC[:3, :3].ravel())}", "pitch = 1", "TSAI",
    ]  # fmt: skip
    lines += [
        f"{name} = {row([value])}" for name, value in zip(("k1", "k2", "p1", "p2"), camera.distortion, strict=False)
    ]
    return "\n".join(lines) + "\n"


def _from_tsai(text: str, path: Path, width: int | None, height: int | None) -> Camera:
    found: dict[str, Array] = {}
    for line in text.splitlines():
        match = None if line.lstrip().startswith("#") else _LINE.match(line)
        if match and match[1] in _COUNTS:
            try:
                values = np.array([float(word) for word in match[2].replace(",", " ").split()])
            except ValueError:
                raise InputError(f"'{path}': {match[1]} is not made of numbers: '{match[2][:60]}'.") from None
            if len(values) != _COUNTS[match[1]] or not np.isfinite(values).all():
                raise InputError(
                    f"'{path}': {match[1]} needs {_COUNTS[match[1]]} finite numbers; got '{match[2][:60]}'."
                )
            found[match[1]] = values
    missing = [name for name in ("fu", "fv", "cu", "cv") if name not in found]
    if missing:
        raise InputError(f"'{path}' is no Tsai camera file: it has no {', '.join(missing)}.")
    for name, wanted in (
        ("u_direction", (1, 0, 0)),
        ("v_direction", (0, 1, 0)),
        ("w_direction", (0, 0, 1)),
        ("pitch", (1,)),
    ):
        if name in found and not np.allclose(found[name], wanted):
            raise InputError(f"'{path}': {name} = {found[name].tolist()} is not supported, only {list(wanted)}.")
    size = _SIZE.search(text)
    if size and width is None and height is None:
        width, height = int(size[1]), int(size[2])
    if width is None or height is None:
        raise InputError(f"'{path}' does not hold the size of its images; give width= and height=.")
    number = {name: float(found.get(name, np.zeros(1))[0]) for name in ("fu", "fv", "cu", "cv", "k1", "k2", "p1", "p2")}
    R = found.get("R", np.eye(3).ravel()).reshape(3, 3)
    return Camera(
        width, height, number["fu"], number["fv"], number["cu"], number["cv"],
        np.array([number["k1"], number["k2"], number["p1"], number["p2"], 0.0]), pose(R, found.get("C", np.zeros(3))),
    )  # fmt: skip


def _from_yaml(path: Path) -> Camera:
    cv2 = require_opencv()
    try:
        storage = cv2.FileStorage(str(path), cv2.FILE_STORAGE_READ)
        names = ("camera_matrix", "distortion_coefficients", "R", "T")
        matrices = {name: storage.getNode(name).mat() for name in names}
        width, height = (storage.getNode(name).real() for name in ("image_width", "image_height"))
        storage.release()
    except (cv2.error, SystemError) as problem:
        raise InputError(f"'{path}' is no OpenCV camera file: {str(problem).strip().splitlines()[0][:100]}.") from None
    K, distortion = matrices["camera_matrix"], matrices["distortion_coefficients"]
    if K is None or K.shape != (3, 3) or distortion is None or width < 1 or height < 1:
        raise InputError(
            f"'{path}' needs camera_matrix (3 x 3), distortion_coefficients, image_width and image_height."
        )
    if distortion.size not in (4, 5):
        raise InputError(f"'{path}' has {distortion.size} distortion coefficients; 4 or 5 are supported.")
    if K[0, 1] != 0:
        raise InputError(f"'{path}' has a skew of {K[0, 1]:.3g} px, which is not supported.")
    X = np.eye(4)
    if matrices["R"] is not None and matrices["T"] is not None:
        if matrices["R"].shape != (3, 3) or matrices["T"].size != 3:
            raise InputError(f"'{path}': R must be 3 x 3 and T have 3 numbers.")
        X = pose(matrices["R"].T, -matrices["R"].T @ matrices["T"].ravel())
    return Camera(
        int(width), int(height), float(K[0, 0]), float(K[1, 1]), float(K[0, 2]), float(K[1, 2]), distortion.ravel(), X
    )

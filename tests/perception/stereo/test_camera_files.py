"""Camera files: every digit comes back, OpenCV and a plain reader agree, broken ones are refused."""

import cv2
import numpy as np
import pytest
from relay_views import PAIR

from carpal.errors import InputError, UnknownNameError
from carpal.perception import read_camera, write_camera


@pytest.mark.parametrize("ending", [".tsai", ".yml", ".yaml"])
def test_every_digit_comes_back(tmp_path, ending):
    for camera in (PAIR.left, PAIR.right):
        write_camera(camera, tmp_path / f"c{ending}")
        back = read_camera(tmp_path / f"c{ending}")
        for name in ("width", "height", "fx", "fy", "cx", "cy"):
            assert getattr(back, name) == getattr(camera, name)
        assert (back.distortion == camera.distortion).all()
        assert np.abs(back.X_WC - camera.X_WC).max() < 1e-15


def test_opencv_reads_ours(tmp_path):
    write_camera(PAIR.left, tmp_path / "c.yml")
    storage = cv2.FileStorage(str(tmp_path / "c.yml"), cv2.FILE_STORAGE_READ)
    assert (storage.getNode("camera_matrix").mat() == PAIR.left.matrix).all()
    R, T = storage.getNode("R").mat(), storage.getNode("T").mat()
    assert np.allclose(R @ PAIR.left.X_WC[:3, 3] + T.ravel(), 0, atol=1e-12)  # the camera's place is its own origin


def test_a_tsai_file_of_others(tmp_path):
    """As Vision Workbench wrote them in 2008: no header, no size."""
    path = tmp_path / "old.tsai"
    path.write_text(
        "fu = 800.5\nfv = 801\ncu = 512\ncv = 384\nu_direction = 1 0 0\nv_direction = 0 1 0\nw_direction = 0 0 1\n"
        "C = 0 0 0\nR = 1 0 0 0 1 0 0 0 1\nk1 = -0.1\nk2 = 0.02\np1 = 0\np2 = 0.001\n"
    )
    camera = read_camera(path, width=1024, height=768)
    assert (camera.fx, camera.cy, camera.width) == (800.5, 384.0, 1024)
    assert camera.distortion.tolist() == [-0.1, 0.02, 0.0, 0.001, 0.0]
    with pytest.raises(InputError, match="does not hold the size of its images"):
        read_camera(path)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.tsai", "hello", "is no Tsai camera file: it has no fu, fv, cu, cv"),
        ("a.tsai", "fu = one", "fu is not made of numbers"),
        ("a.tsai", "fu = 1 2", "fu needs 1 finite numbers"),
        ("a.tsai", "fu = 1\nfv = 1\ncu = 1\ncv = 1\nu_direction = -1 0 0", "u_direction"),
        ("a.yml", "hello", r"OpenCV camera file|needs camera_matrix"),
        ("a.yml", "%YAML:1.0\n---\nimage_width: 3\n", "needs camera_matrix"),
    ],
)
def test_broken_files(tmp_path, name, text, sentence):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=sentence):
        read_camera(tmp_path / name)


def test_bad_input(tmp_path):
    with pytest.raises(UnknownNameError, match=r"ending of a camera file '\.txt'"):
        read_camera(tmp_path / "a.txt")
    with pytest.raises(InputError, match="cannot be read"):
        read_camera(tmp_path / "missing.tsai")
    with pytest.raises(InputError, match="no k3"):
        write_camera(PAIR.left.replace(distortion=np.full(5, 0.01)), tmp_path / "a.tsai")

from __future__ import annotations

import os

import mujoco
import numpy as np
import pytest

from carpal.errors import ModelError
from carpal.model.readers.mujoco_compile import compile_text, compiled_inertia, silence

TEXT = '<mujoco><worldbody><body>{}<joint/></body><body name="body1"/></worldbody></mujoco>'
FULL = '<inertial pos="1 2 3" mass="4" fullinertia="1e-13 2e-13 2.5e-13 1e-14 0 0"/>'


def test_full_inertias_come_from_the_text_even_without_a_name():
    compiled, inertias = compile_text(TEXT.format(FULL), "x", exact_inertia=True)
    assert list(inertias) == [1]
    assert inertias[1].about_com[0].tolist() == [1e-13, 1e-14, 0]
    assert inertias[1].mass == 4.0
    assert compiled.body_mass[1] == 1.0


def test_principal_inertias_come_from_mujoco():
    text = TEXT.format('<inertial pos="1 2 3" mass="4" quat="1 1 0 0" diaginertia="1 2 2.5"/>')
    compiled, inertias = compile_text(text, "x", exact_inertia=True)
    assert inertias == {}
    inertia = compiled_inertia(compiled, 1)
    assert np.allclose(inertia.about_com, np.diag([1, 2.5, 2]), atol=1e-15)
    assert compiled_inertia(compiled, 2).com.tolist() == [0, 0, 0]


def test_mujoco_neither_prints_nor_logs(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    heard = []
    mujoco.set_mju_user_warning(heard.append)
    try:
        compile_text(
            TEXT.format(FULL).replace('pos="1 2 3"', 'pos="nan 2 3"').replace("full", "full"), "x", exact_inertia=False
        )
    except ModelError:
        pass
    finally:
        mujoco.set_mju_user_warning(None)
    assert heard == []  # the user's handler is not bothered, but is back afterwards
    assert os.listdir(tmp_path) == []
    assert capfd.readouterr() == ("", "")
    with silence() as inside:
        mujoco.MjSpec.from_string('<mujoco><worldbody><body pos="nan 0 0"/></worldbody></mujoco>')
    assert "NaN" in inside[0]
    assert mujoco.get_mju_user_warning() is None


def test_complaints_are_one_line():
    with pytest.raises(ModelError, match=r"'x' was refused by MuJoCo: .*element without a name") as caught:
        compile_text(TEXT.format(""), "x", exact_inertia=True)
    assert "\n" not in str(caught.value)

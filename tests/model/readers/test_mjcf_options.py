from __future__ import annotations

import pytest

from carpal.errors import ModelError
from carpal.model.readers.mjcf_options import FLAGS, option_losses, without_gravity
from carpal.model.readers.safe_xml import parse


def losses(option: str) -> list[str]:
    return option_losses(parse(f"<mujoco>{option}</mujoco>", "x"))


def test_a_medium_and_disabled_parts_are_named():
    assert losses('<option timestep="0.01" density="0" wind="0 0 0"><flag contact="enable"/></option>') == []
    said = losses('<option density="1.2" viscosity="2e-5" wind="1 0 0" actuatorgroupdisable="1"/>')
    for what, sentence in zip(("density", "viscosity", "wind", "actuatorgroupdisable"), said, strict=True):
        assert f'the option {what}="' in sentence
    for flag in FLAGS:
        assert losses(f'<option><flag {flag}="disable"/></option>') == [f'the flag {flag}="disable" is not kept.']


def test_gravity_may_be_switched_off():
    assert without_gravity(parse('<mujoco><option><flag gravity="disable"/></option></mujoco>', "x"))
    assert not without_gravity(parse('<mujoco><option gravity="0 0 -1"/></mujoco>', "x"))


def test_what_is_no_number_is_one_sentence():
    with pytest.raises(ModelError, match='density="thick" is not a number'):
        losses('<option density="thick"/>')

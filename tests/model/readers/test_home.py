"""q_home comes from a keyframe, and lies inside the limits."""

import mujoco
import numpy as np

from carpal.model.readers.assemble import assemble
from carpal.model.readers.home import home, inside_limits
from carpal.model.readers.reading import read_text

INERTIAL = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
TWO = (
    f'<worldbody><body name="a"><joint name="j" type="slide" range="0 1"/>{INERTIAL}<body name="b">'
    f'<joint name="k" type="ball"/>{INERTIAL}<body name="c"><joint name="l" axis="1 0 0" limited="true" range="-10 10"/>'
    f"{INERTIAL}</body></body></body></worldbody>"
)


def of(text):
    compiled = mujoco.MjModel.from_xml_string(f"<mujoco>{text}</mujoco>")
    bodies, *_ = assemble(compiled, {})
    notes: list[str] = []
    return home(compiled, bodies, notes), notes


def test_the_start_where_there_is_no_keyframe():
    q, notes = of(f'<worldbody><body pos="1 2 3"><freejoint/>{INERTIAL}</body></worldbody>')
    assert q.tolist() == [1, 2, 3, 1, 0, 0, 0]
    assert notes == []


def test_a_keyframe_inside_the_limits_is_taken_as_it_is():
    q, notes = of(f'{TWO}<keyframe><key name="home" qpos="0.5 0 1 0 0 0.1"/></keyframe>')
    assert q.tolist() == [0.5, 0, 1, 0, 0, 0.1]
    assert notes == []


def test_a_keyframe_outside_the_limits_is_moved_inside_with_a_note():
    q, notes = of(f'{TWO}<keyframe><key name="up" qpos="1.5 0 1 0 0 -3"/></keyframe>')
    assert q[:5].tolist() == [1.0, 0, 1, 0, 0]
    assert np.isclose(q[5], np.radians(-10), rtol=0, atol=1e-15)
    assert notes == [
        "the keyframe 'up' is outside the limits; q_home is moved inside: 'j' from 1.5 to 1, 'l' from -3 to -0.174533."
    ]


def test_a_start_outside_the_limits_is_moved_inside():
    model = read_text(f"<mujoco>{TWO.replace('0 1', '0.25 1', 1)}</mujoco>")
    assert model.q_home[0] == 0.25
    assert any("the start of the file is outside the limits" in note for note in model.notes)
    assert ((model.q_home >= model.q_min) & (model.q_home <= model.q_max)).all()


def test_rounding_is_no_note():
    model = read_text(f"<mujoco>{TWO}</mujoco>")
    notes: list[str] = []
    q = np.array([1.0 + 1e-12, 1, 0, 0, 0, 0])
    assert inside_limits(q, model.bodies, "it", notes)[0] == 1.0
    assert notes == [] and q[0] != 1.0

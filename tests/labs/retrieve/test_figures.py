"""The report's sections: what they hold, and images with the marks on them."""

from types import SimpleNamespace

import numpy as np
from retrieve_inputs import RELAY_AT, done_cycle

from carpal.labs.retrieve.cycle.recorded_facts import facts_of
from carpal.labs.retrieve.figures import FOUND, PROJECTED, drawn, retrieve_curves, retrieve_sections
from carpal.labs.retrieve.simulation.true_scene import true_model
from carpal.report.report_sections import section_html


def recording():
    rows = [r for r in done_cycle().reports if len(r)]
    time, q = np.concatenate([r.time for r in rows]), np.concatenate([r.q for r in rows])
    return SimpleNamespace(metadata={"retrieve": facts_of(done_cycle()), "seed": 0}, time=time, q=q)


def test_every_section_is_there_and_becomes_html():
    task = SimpleNamespace(options=SimpleNamespace(relay=RELAY_AT))
    sections = retrieve_sections(task, recording())
    titles = [s.title for s in sections]
    assert titles[:2] == ["Stages", "Images and pose"] and {
        "Plans",
        "Motions against limits",
        "The relay's angle",
        "Gripper",
    } <= set(titles)
    assert len(sections[0].stills) == 6 and len(sections[1].pictures) == 2
    text, plots = section_html(sections[1], true_model())
    assert text.count("data:image/png;base64,") == 2 and not plots


def test_curves_are_the_drives():
    curves = {c.key: c for c in retrieve_curves(recording())}
    position = curves["retrieve.position"]
    assert position.names == ("read", "averaged", "filtered", "true")
    error = np.abs(position.values - position.values[:, 3:])[20:-20]
    assert error[:, 2].mean() < error[:, 1].mean(), "the filter is nearer than an average as quiet"
    assert curves["retrieve.force"].values[:, 1].max() <= 40.96
    angle = curves["retrieve.angle"]
    assert np.ptp(angle.values[:, 0]) > 30
    assert retrieve_curves(SimpleNamespace(metadata={})) == []


def test_marks_are_drawn_where_they_are():
    image = np.full((960, 1280), 100, np.uint8)
    marks = np.array([[600.0, 400], [640, 400], [640, 440], [600, 440]])
    out = drawn(image, marks, np.vstack([marks, [[620, 420]]]))
    assert out.shape == (320, 420, 3)
    red, green = (out == np.array(FOUND)).all(axis=2), (out == np.array(PROJECTED)).all(axis=2)
    middle = np.array(np.nonzero(red)).mean(axis=1)
    assert np.allclose(middle, [160, 210], atol=1) and green.sum() > 100
    edge = drawn(image, marks - [600, 395], None)
    assert edge.shape == (320, 420, 3)

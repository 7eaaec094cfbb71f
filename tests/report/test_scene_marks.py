"""Contacts are drawn where they are, their forces to scale and on what can move; targets and paths carry their names."""

import numpy as np

import carpal
from carpal.engines import Contact
from carpal.report.palette import MODES
from carpal.report.scene_marks import AWAY, LONGEST, MOST, SceneMarks, largest_force, legend_html, legend_rows
from carpal.report.scene_view import SceneView
from carpal.report.viser_server import closed_server
from carpal.tasks import Mark

TOUCHES = (
    Contact("ball", "", "sticking", (0.1, 0.0, 0.2), (0.0, 0.0, -1.0), 0.0, (0.0, 0.0, -2.0)),
    Contact("arm/hand", "ball", "sliding", (0.3, 0.0, 0.2), (1.0, 0.0, 0.0), 0.0, (4.0, 0.0, 0.0)),
    Contact("arm/hand", "ball", "free", (0.5, 0.0, 0.2)),
    Contact("arm/hand", "arm/base", "stop", (0.2, 0.0, 0.2), (1.0, 0.0, 0.0), 0.0, (90.0, 0.0, 0.0)),
)


def test_contacts_and_marks():
    with closed_server() as server:
        view = SceneView(server, carpal.load("k10"))
        marks = SceneMarks(server, view, largest_force([TOUCHES]))
        marks.show_contacts(())
        assert marks._dots is None, "nothing is made before something touches"
        marks.show_contacts(TOUCHES)
        places, ends = np.asarray(marks._dots.batched_positions), np.asarray(marks._arrows.points)
        assert np.allclose(places[:2], [(0.3, 0, 0.2), (0.1, 0, 0.2)]) and np.allclose(places[2:], AWAY)
        assert tuple(marks._dots.batched_colors[0]) == MODES["sliding"]
        assert np.allclose(ends[0, 1] - ends[0, 0], (LONGEST * view.reach, 0, 0)), "the largest force, on the ball"
        assert np.allclose(ends[1, 1] - ends[1, 0], (0, 0, 0.5 * LONGEST * view.reach)), "on the ball, not on the world"
        marks.show_contacts(TOUCHES * MOST)
        assert len(marks._dots.batched_positions) == MOST
        marks.show_marks((Mark("goal", (1, 0, 0)), Mark("throw", np.zeros((5, 3)), "path")))
        words = [text for _, text in marks.legend()]
        assert words == ["sliding", "sticking", "contact force", "target and path"]
        marks.remove()
        assert marks.legend() == []
        view.remove()


def test_the_legend_is_one_line():
    assert legend_html(()) == ""
    assert legend_html(legend_rows(["rolling"], [])).count("&#9679;") == 2

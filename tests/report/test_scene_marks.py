"""Contacts are drawn where they are, their forces to scale and on what can move; targets and paths carry their names."""

import numpy as np

import carpal
from carpal.engines import Contact
from carpal.report.palette import MODES
from carpal.report.scene_marks import (
    AWAY,
    LONGEST,
    LONGEST_MOVING,
    MOST,
    SceneMarks,
    largest_force,
    legend_html,
    legend_rows,
)
from carpal.report.scene_view import SceneView
from carpal.report.viser_server import closed_server
from carpal.tasks import Mark, MovingMark

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


def test_forces_and_words_move_with_the_time():
    time, places = np.array([0.0, 1.0]), np.array([[0.0, 0, 0.1], [0.2, 0, 0.1]])
    push = MovingMark("push", time, places, np.array([[0.0, 0, 0], [0, 8.0, 0]]))
    pull = MovingMark("pull", time, places, np.array([[2.0, 0, 0], [4.0, 0, 0]]))
    letter = MovingMark("letter", time, places, words=("A", ""))
    with closed_server() as server:
        view = SceneView(server, carpal.load("k10"))
        marks = SceneMarks(server, view)
        marks.show_moving((push, pull, letter))
        (_, pushed), (_, pulled), (_, letters) = marks._moving
        marks.move_to(0.5)
        assert np.allclose(pushed[""].points, AWAY), "no force, no arrow"
        assert np.allclose(np.diff(pulled[""].points[0], axis=0), (LONGEST_MOVING * view.reach / 4, 0, 0)), "one scale"
        assert letters["A"].visible and np.allclose(letters["A"].position, places[0])
        marks.move_to(1.0)
        assert np.allclose(pushed[""].points[0], [places[1], places[1] + (0, LONGEST_MOVING * view.reach, 0)])
        assert not letters["A"].visible
        assert [words for _, words in marks.legend()] == ["push", "pull", "letter"]
        marks.remove()
        assert marks.legend() == [] and marks._moving == []

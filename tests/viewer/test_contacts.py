"""Marks of contacts: colours by mode, cones along the normal into what is touched, arrows of forces; made once, then moved."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace

import numpy as np

from carpal.engines import Contact
from carpal.report.palette import MODES
from carpal.spatial import rotation_from_wxyz
from carpal.viewer.contacts import ContactMarks, cone_mesh


class Stage:
    """A server that only remembers what was put on it."""

    def __init__(self):
        self.nodes = []
        self.scene = SimpleNamespace(add_icosphere=self._add, add_mesh_simple=self._add, add_arrows=self._add)

    def _add(self, name, *args, **kwargs):
        node = SimpleNamespace(name=name, visible=kwargs.get("visible", True), remove=lambda: None)
        self.nodes.append(node)
        return node

    def atomic(self):
        return contextlib.nullcontext()

    def of(self, k):
        return {node.name.split("/")[-1]: node for node in self.nodes if node.name.startswith(f"/contacts/{k}/")}


def contact(a, b, mode, force=(0, 0, 2.0), normal=(0, 0, 1.0)):
    return Contact(a, b, mode, (0.1, 0.2, 0.3), normal, 0.0, force)


def test_marks_follow_modes_and_forces():
    stage = Stage()
    marks = ContactMarks(stage, length=0.03)
    marks.show([contact("hand/index_link_3", "object", "sticking")], 0.6)
    one = stage.of(0)
    assert one["dot"].color == MODES["sticking"]
    assert one["cone"].scale == (0.6 * 0.03, 0.6 * 0.03, 0.03)
    assert np.allclose(one["force"].points[0], [[0.1, 0.2, 0.3], [0.1, 0.2, 0.36]])
    marks.show([contact("hand/index_link_3", "object", "sliding")], 0.1)
    assert len(stage.nodes) == 3  # moved, not made again
    assert one["dot"].color == MODES["sliding"]
    assert marks.modes == ["sliding"]
    marks.show([], 0.1)
    assert not any(node.visible for node in stage.nodes)


def test_cones_look_into_what_is_touched():
    stage = Stage()
    marks = ContactMarks(stage)
    marks.show([contact("object", "hand/index_link_3", "rolling")], 0.6)
    one = stage.of(0)
    z = rotation_from_wxyz(np.asarray(one["cone"].wxyz))[:, 2]
    assert np.allclose(z, [0, 0, -1])
    assert one["force"].points[0, 1, 2] < 0.3


def test_without_friction_or_force_there_is_a_dot_only():
    stage = Stage()
    ContactMarks(stage).show([contact("a", "b", "", force=(0, 0, 0))], 0.0)
    one = stage.of(0)
    assert (one["dot"].visible, one["cone"].visible, one["force"].visible) == (True, False, False)


def test_a_cone():
    vertices, faces = cone_mesh()
    assert np.allclose(vertices[0], 0)
    assert np.allclose(np.linalg.norm(vertices[1:, :2], axis=1), 1)
    assert faces.max() == len(vertices) - 1

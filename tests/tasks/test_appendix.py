"""What a task may add to its report."""

import numpy as np

from carpal.tasks import Appendix, Still, make_task


def test_a_section_needs_only_title_and_text():
    section = Appendix("Title", "Text.")
    assert [len(part) for part in (section.head, section.rows, section.curves, section.stills, section.maps)] == [0] * 5
    assert Still("moment", np.zeros(3), np.ones(3), np.zeros(3)).path.shape == (0, 3)


def test_a_plain_task_adds_nothing():
    task = make_task("reach")
    assert list(task.appendix(None)) == list(task.curves(None)) == list(task.campaign_appendix([])) == []
    assert task.view is None

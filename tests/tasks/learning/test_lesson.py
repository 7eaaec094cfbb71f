import numpy as np
import pytest

from carpal.errors import InputError
from carpal.tasks import checked_steps, make_task


def test_periods_are_whole_steps():
    assert checked_steps(0.02, 1e-3) == 20
    for period in (0.0, 0.0205, 0.0004):
        with pytest.raises(InputError, match=r"multiple of the engine's step 0\.001 s"):
            checked_steps(period, 1e-3)


def test_an_episode_lasts_as_long_as_the_task():
    lesson = make_task("mount", case=2, duration=0.5).lesson()
    assert lesson.period == pytest.approx(0.01) and lesson.periods == 50
    assert set(lesson.observed) and np.isfinite(lesson.observe(*lesson.begin(np.random.default_rng(0)))).all()

"""Pictures of the set-up aids are drawn."""

import matplotlib.image
import setup_inputs as setup

from carpal.engines import fall_test, hold_test, step_study, step_test
from carpal.report.pictures.setup_pictures import save_setup_picture


def test_every_aid_has_its_picture(tmp_path):
    engine = setup.tuned_engine(setup.chain(2))
    results = {
        "fall": fall_test(engine, 0.02, samples=20),
        "hold": hold_test(engine, 0.02, samples=20),
        "step": step_test(engine, 0.02, samples=50),
        "study": step_study(engine, 0.01, levels=2),
    }
    for name, result in results.items():
        picture = matplotlib.image.imread(save_setup_picture(result, tmp_path / "sub" / f"{name}.png"))
        assert picture.shape[1] > 800 and picture[..., :3].std() > 0.05  # something is drawn

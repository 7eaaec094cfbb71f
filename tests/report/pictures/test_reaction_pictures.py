from move_inputs import slides

from carpal.planning import least_reaction_move
from carpal.report.pictures.reaction_pictures import STYLES, save_reaction_picture


def test_the_picture_shows_all_four_motions(tmp_path):
    from matplotlib import image

    move = least_reaction_move(slides(3.0, 6.0, v_max=2.0), (0.5, 0, 0), duration=1.0, vdot_max=9.0, starts=1)
    path = save_reaction_picture(move, tmp_path / "sub" / "reaction.png")
    ink = image.imread(path)[..., :3]
    assert ink.std() > 0.05
    for _, colour, _, _ in STYLES.values():
        rgb = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        assert (abs(ink - rgb).max(-1) < 0.02).sum() > 50, colour


def test_joints_without_a_speed_limit_are_left_out(tmp_path):
    move = least_reaction_move(slides(3.0), (0.5, 0, 0), duration=1.0, vdot_max=9.0, starts=1)
    assert save_reaction_picture(move, tmp_path / "reaction.png", title="one slide").exists()

"""Pictures of letters and hands: they show something, and different letters look different."""

import numpy as np
from sign_robots import hand, letters

from carpal.labs.sign import read_alphabet
from carpal.labs.sign.hand.pictures import letter_image, save_alphabet_picture, save_hand_drawing


def test_letters_look_different():
    shown, alphabet = letters()[0], read_alphabet()
    images = {name: letter_image(hand(), alphabet, shown[name], (120, 120)).astype(float) for name in "ABLV"}
    skin = {name: (np.abs(image - image[0, 0]).max(-1) > 40).mean() for name, image in images.items()}
    assert all(0.05 < share < 0.6 for share in skin.values())
    assert np.abs(images["A"] - images["B"]).mean() > 3
    assert np.abs(images["B"] - images["V"]).mean() > 2


def test_sheets_are_written(tmp_path):
    some = {name: letters()[0][name] for name in "ABC"}
    assert save_alphabet_picture(hand(), read_alphabet(), some, tmp_path / "a" / "letters.png").stat().st_size > 10_000
    assert save_hand_drawing(hand(), tmp_path / "hand.png").stat().st_size > 10_000


def test_a_model_whose_tool_is_a_body_beside_other_frames_has_a_skeleton():
    from carpal.report.pictures.robot_pictures import skeleton

    model = hand().model
    segments, joints, X_WT = skeleton(model, hand().home)
    assert len(joints) == model.nq and len(segments) > 15
    assert np.allclose(X_WT[:3, 3], (0, 0, 0.075))

"""Letters from 21 landmarks of a hand: one sign, a word without marks, a hand that shows no letter, a glove's row."""

import numpy as np

from carpal.labs.sign import SimulatedSigner, cut_signs, human_signs, read_alphabet, sign_recogniser, word_frames
from carpal.perception import Proportions, glove_landmarks, glove_sensors, hand_landmarks

reader = sign_recogniser("italian")
person = SimulatedSigner(seed=7)  # a hand and a viewpoint of their own; landmarks are 5 mm noisy

reading = reader.recognise(person.frames("C"))  # 24 frames of 21 points [m]
print(reading)
assert reading.letter == "C" and reading.confidence > 0.5

frames = word_frames(person, "CIAO")
word = "".join(reader.recognise(frames[first:last]).letter or "?" for first, last in cut_signs(frames))
print(f"spelt before a camera, cut where the fingers rest: {word}")
assert word == "CIAO"

alphabet = read_alphabet("italian")
signs = human_signs(alphabet)
a, u, y = (signs.channels[signs.names.index(name)] for name in "AUY")
half_way = hand_landmarks(0.5 * (a + u)[None], Proportions.mean()) @ alphabet.palms["forward"].T
print(f"half-way between A and U: {reader.recognise(half_way)}")
assert reader.recognise(half_way).letter is None

worn = glove_landmarks(glove_sensors(y), alphabet.palms["forward"])
print(f"a glove's row: {reader.recognise(worn)}")
assert reader.recognise(worn).letter == "Y" and np.shape(worn) == (1, 21, 3)

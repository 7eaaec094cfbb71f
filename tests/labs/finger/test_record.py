import numpy as np
import pytest
from finger_inputs import facts_finger

from carpal.errors import CarpalError, InputError
from carpal.labs.finger import FingerLoad, FingerRecord, read_record, simulate_finger


def test_csv_is_read_back_to_the_last_digit(tmp_path):
    finger = facts_finger(tendon_arm=0.005)
    load = FingerLoad(tension=np.linspace(0, 1, 21), tip_moment=np.sin(np.arange(21.0)))
    motion = simulate_finger(finger, (0.1, 0.2, 0.3), duration=0.01, load=load)
    record = FingerRecord.of_motion(motion, 1e-3, seed=4)
    file = tmp_path / "record.csv"
    file.write_text("# a comment\n" + record.to_csv())
    again = read_record(file)
    assert file.read_text().splitlines()[1] == "time,q1,q2,q3,tension,tip_moment"
    for name in ("time", "q", "load"):
        assert np.array_equal(getattr(again, name), getattr(record, name))
    assert np.array_equal(again.loads.tension, load.tension)


def test_noise_is_the_seeds():
    motion = simulate_finger(facts_finger(), duration=1.0)
    a, b, c = (FingerRecord.of_motion(motion, 0.01, seed).q for seed in (1, 1, 2))
    assert np.array_equal(a, b) and not np.array_equal(a, c) and 0.009 < a.std() < 0.011


def test_degrees(tmp_path):
    file = tmp_path / "r.csv"
    file.write_text("time, q1_deg, q2_deg, q3_deg\n0,90,0,0\n0.1,0,180,0\n")
    assert np.allclose(read_record(file).q, [[np.pi / 2, 0, 0], [0, np.pi, 0]])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("time,q1,q2,q3\n0,0,0,0\n", "header and at least two rows"),
        ("time,q1,q2,q4\n0,0,0,0\n1,0,0,0\n", "unknown column of .* 'q4'; did you mean"),
        ("time,q1,q2\n0,0,0\n1,0,0\n", "needs one column q3"),
        ("time,q1,q2,q3,q3_deg\n0,0,0,0,0\n1,0,0,0,0\n", "q3 and q3_deg"),
        ("q1,q2,q3\n0,0,0\n1,0,0\n", "needs a column time"),
        ("time,time,q2,q3\n0,0,0,0\n1,0,0,0\n", "the column time twice"),
        ("time,q1,q2,q3\n0,0,0,0\n1,0,0\n", "line 3 of .* has 3 values"),
        ("time,q1,q2,q3\n0,0,0,0\n1,0,abc,0\n", "line 3 of .* holds 'abc'"),
        ("time,q1,q2,q3\n0,0,0,0\n1,0,nan,0\n", "q2 of the record at 1 s is nan"),
        ("time,q1,q2,q3\n0,0,0,0\n0,0,0,0\n", "time must rise"),
        ("time,q1,q2,q3,tension\n0,0,0,0,-1\n1,0,0,0,0\n", "cannot push"),
    ],
)  # fmt: skip
def test_bad_files(text, words, tmp_path):
    file = tmp_path / "bad.csv"
    file.write_text(text)
    with pytest.raises(CarpalError, match=words):
        read_record(file)


def test_bad_calls(tmp_path):
    with pytest.raises(CarpalError, match="cannot be read"):
        read_record(tmp_path / "none.csv")
    (tmp_path / "b.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CarpalError, match="not UTF-8"):
        read_record(tmp_path / "b.csv")
    with pytest.raises(InputError, match=r"must be \(3, 3\)"):
        FingerRecord.of([0, 1, 2], np.zeros((2, 3)))
    many = simulate_finger(facts_finger(), np.zeros((2, 3)), duration=0.01)
    with pytest.raises(InputError, match="one motion"):
        FingerRecord.of_motion(many)
    with pytest.raises(InputError, match="noise must be"):
        FingerRecord.of_motion(simulate_finger(facts_finger(), duration=0.01), -1)

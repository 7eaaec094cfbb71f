"""The player that writes letters down."""

from carpal.labs.sign import LoggingPlayer


def test_it_writes_down():
    player = LoggingPlayer("nobody")
    assert [player.play(letter, i) for i, letter in enumerate("CIAO")] == [""] * 4
    player.rest()
    assert player.letters == list("CIAO") and (player.robot, player.alphabet) == ("nobody", "italian")

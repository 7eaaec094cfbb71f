import numpy as np

from carpal.cli import main, view_commands


def test_a_robot_is_served_until_it_is_closed(monkeypatch, capsys):
    seen = {}

    def stand_in(model, q, **options):
        seen.update(options, name=model.name, q=q)

    monkeypatch.setattr(view_commands, "view", stand_in)
    assert main(["view", "k10", "--q", "0", "0.1", "0", "0", "0", "--port", "0"]) == 0
    assert seen["name"].startswith("k10") and seen["wait"] is True and seen["port"] == 0 and not seen["browser"]
    assert np.allclose(seen["q"], [0, 0.1, 0, 0, 0])
    assert main(["view", "k100"]) == 2
    assert "k10" in capsys.readouterr().err

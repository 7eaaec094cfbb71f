"""`carpal so101` on simulated servos."""

import json

import pyarrow.parquet as pq

from carpal.cli.command_line import main
from carpal.control import ServoLine, SimulatedServos


def test_it_reads_moves_records_and_refuses(tmp_path, capsys):
    with ServoLine(SimulatedServos("sts", dict.fromkeys(range(1, 7), 0.0))) as line:
        common = ["so101", "--port", line.port, "--json"]
        assert main(common) == 0
        assert max(map(abs, json.loads(capsys.readouterr().out)["q"])) < 0.01
        words = [
            "--point",
            "0.25",
            "0.05",
            "0.1",
            "--direction",
            "0.5",
            "0.1",
            "-0.5",
            "--speed",
            "5",
            "--acceleration",
            "50",
        ]
        assert main([*common, *words, "--record", str(tmp_path / "set")]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert answer["ok"] and answer["rows"] > 10 and answer["rate_hz"] > 0
        frames = pq.read_table(tmp_path / "set/data/chunk-000/file-000.parquet")
        assert frames.num_rows >= 2
        assert main([*common, "--point", "2", "0", "0.1"]) == 1
        assert "not moved: " in json.loads(capsys.readouterr().out)["status"]
        assert main([*common, "--point", "2", "0"]) == 2
        assert "--point needs three numbers" in json.loads(capsys.readouterr().out)["status"]
    assert main(["so101", "--port", str(tmp_path / "none")]) == 2
    assert "cannot be opened" in capsys.readouterr().err

import io
import json

from carpal.tasks.campaigns.case_worker import serve


def test_each_line_is_answered(monkeypatch):
    import sys

    monkeypatch.setattr(sys, "path", list(sys.path))
    begin = json.dumps({"task": "tasks.campaigns.small_tasks:Coin", "path": sys.path})
    lines = [begin, json.dumps({"cases": [[4, {"x": 1.0}, 2], [5, {}, 2]]}), json.dumps({"cases": [[6, {}, 0]]})]
    out = io.StringIO()
    serve(io.StringIO("\n".join(lines) + "\n"), out)
    answer = [json.loads(line) for line in out.getvalue().splitlines()]
    assert answer[0] == {"ready": True} and [[row["number"] for row in one["rows"]] for one in answer[1:]] == [
        [4, 5],
        [6],
    ]


def test_a_task_that_is_not_there_is_reported(monkeypatch):
    import sys

    monkeypatch.setattr(sys, "path", list(sys.path))
    out = io.StringIO()
    serve(io.StringIO(json.dumps({"task": "nobody", "path": sys.path}) + '\n{"cases": [[0, {}, 0]]}\n'), out)
    assert "nobody" in json.loads(out.getvalue())["error"]

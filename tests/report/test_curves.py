import numpy as np

from carpal.report.curves import charts, short_names, thinned


def test_a_run_has_joints_tool_and_ledger(reached):
    found = {chart.key: chart for chart in charts(reached.recording, reached.recording.model)}
    assert list(found) == ["q", "v", "u", "tool", "energy", "residual"]
    assert found["q"].names == tuple(f"j{i}" for i in range(7))
    assert np.array_equal(found["q"].values, reached.recording.q)
    assert np.allclose(found["tool"].values[-1], (0.9, 0.2, 0.4), atol=1e-3)
    assert found["u"].unit == "N m" and found["v"].unit == "rad/s"
    assert "work in" in found["energy"].names


def test_what_is_only_played_back_has_no_efforts_or_energies(reached):
    from types import SimpleNamespace

    run = reached.recording
    played = SimpleNamespace(
        time=run.time, q=run.q, v=run.v, u=0 * run.u, energy=run.energy, metadata={**run.metadata, "integrator": "none"}
    )
    assert [chart.key for chart in charts(played, run.model)] == ["q", "v", "tool"]


def test_kinds_of_joints_and_of_inputs_have_axes_of_their_own():
    from types import SimpleNamespace

    from carpal.tasks import make_task

    model = make_task("mount").model
    q = np.zeros((3, model.nq))
    rows = SimpleNamespace(time=np.arange(3.0), q=q, v=q, u=np.ones_like(q), energy={}, metadata={})
    found = {chart.key: chart for chart in charts(rows, model)}
    assert list(found) == ["q", "q:slide", "v", "v:slide", "u", "u:slide", "tool"]
    assert [found[key].unit for key in ("q:slide", "v:slide", "u", "u:slide")] == ["m", "m/s", "N m", "N"]
    rows.metadata["engine_options"] = {"prescribed": [name for name in model.joint_names if "slide" not in name]}
    found = {chart.key: chart for chart in charts(rows, model)}
    assert "u" not in found and (found["a"].title, found["a"].unit) == ("Commanded accelerations", "rad/s²")
    rows.u = 0 * rows.u
    assert not {"u", "a", "u:slide"} & {chart.key for chart in charts(rows, model)}, "inputs that are zero say nothing"


def test_thinning_keeps_peaks_and_both_ends():
    time = np.linspace(0, 1, 10_000)
    values = np.stack([np.sin(3 * time), np.zeros_like(time)], 1)
    values[5123, 1] = 7.0
    rows = thinned(time, values, 500)
    assert len(rows) <= 510
    assert rows[0] == 0 and rows[-1] == 9_999
    assert 5123 in rows
    assert np.array_equal(thinned(time[:100], values[:100], 500), np.arange(100))


def test_names_lose_the_robot_only_where_there_is_one():
    assert short_names(("arm/a", "arm/b")) == ("a", "b")
    assert short_names(("left/a", "right/a")) == ("left/a", "right/a")
    assert short_names(("a", "b")) == ("a", "b")


def test_of_many_free_bodies_those_that_go_farthest_are_drawn():
    from types import SimpleNamespace

    from carpal.model import Scene, Sphere
    from carpal.report.curves import MOST_FREE

    scene = Scene("balls")
    for i in range(7):
        scene.add_object(f"b{i}", Sphere(0.1), mass=1.0)
    model = scene.build()
    q = np.tile(np.asarray(model.q_home, float), (5, 1))
    for k in range(7):
        q[:, 7 * k] = np.linspace(0, [3, 0, 5, 1, 4, 0.5, 2][k], 5)
    rows = SimpleNamespace(time=np.arange(5.0), q=q, v=np.zeros((5, model.nv)), u=np.zeros((5, model.nv)), energy={})
    found = [chart.key for chart in charts(rows, model) if chart.key.startswith("free:")]
    names = [body.joint.name for body in model.bodies]
    assert found == [f"free:{names[k]}" for k in (0, 2, 4, 6)] and len(found) == MOST_FREE

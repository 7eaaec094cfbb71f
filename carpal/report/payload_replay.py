"""The set of a payload's angles along a plan as one HTML page with a slider: the arm, every possible payload, the cells."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import InputError
from carpal.kinematics import fk
from carpal.planning import PlanResult, gravity_in_gripper
from carpal.report.pictures.robot_pictures import skeleton

MOST_FRAMES = 240
_PAGE = """<!doctype html><meta charset="utf-8"><title>{title}</title>
<style>body{{font:14px system-ui,sans-serif;margin:1em;color:#1a202c}}canvas{{border:1px solid #cbd5e0}}input{{width:60%}}</style>
<h3>{title}</h3><p>{status}</p>
<button id="play">play</button> <input id="at" type="range" min="0" max="{last}" value="0"> <span id="text"></span>
<div><canvas id="side" width="520" height="420"></canvas> <canvas id="cells" width="420" height="420"></canvas></div>
<p>Left: the arm from the side, and the payload at every angle that it may have (blue: it may rest there,
orange: it may be passing). Right: the same angles around the gripper's axis; the line is gravity.</p>
<script>const D={data};
const colour=["#edf2f7","#2b6cb0","#ed8936"];let timer=null;
function draw(){{const k=+at.value,F=D.frames[k],S=side.getContext("2d"),C=cells.getContext("2d");
S.clearRect(0,0,520,420);const px=p=>[(p[0]-D.low[0])*D.scale+20,400-(p[1]-D.low[1])*D.scale];
const line=(a,b,c,w)=>{{S.strokeStyle=c;S.lineWidth=w;S.beginPath();S.moveTo(...px(a));S.lineTo(...px(b));S.stroke()}};
for(const [s,l] of F.held)for(let i=1;i<l.length;i++)line(l[i-1],l[i],colour[s],1);
for(const [a,b] of F.arm)line(a,b,"#4a5568",5);
C.clearRect(0,0,420,420);const n=F.states.length;
for(let r=0;r<n;r++){{const m=-(r/n-.5)*2*Math.PI,h=Math.PI/n;C.fillStyle=colour[+F.states[r]];C.beginPath();
C.arc(210,210,190,m-h,m+h);C.arc(210,210,130,m+h,m-h,true);C.fill()}}
C.strokeStyle="#1a202c";C.lineWidth=2;C.beginPath();C.moveTo(210,210);
C.lineTo(210+120*Math.cos(F.gravity)*F.across,210-120*Math.sin(F.gravity)*F.across);C.stroke();
text.textContent="check "+F.look+" of "+D.looks+", tilt "+F.tilt+" degrees, "+F.width+" degrees possible"}}
const at=document.getElementById("at"),side=document.getElementById("side"),cells=document.getElementById("cells"),
text=document.getElementById("text");at.oninput=draw;
document.getElementById("play").onclick=()=>{{if(timer){{clearInterval(timer);timer=null}}else timer=setInterval(()=>{{
at.value=(+at.value+1)%D.frames.length;draw()}},80)}};draw();</script>
"""


def write_payload_replay(result: PlanResult, file: str | Path, *, across: tuple[int, int] = (0, 2)) -> Path:
    """Write the page.

    Args:
        result: a plan with a payload.
        file: HTML.
        across: the two world axes that the side view shows.
    """
    if result.carried is None:
        raise InputError("this plan has no payload whose angles could be shown.")
    history = result.angles
    rows = np.unique(np.linspace(0, len(history) - 1, min(len(history), MOST_FRAMES)).astype(int))
    frames = [_frame(result, int(row), list(across)) for row in rows]
    points = np.array([p for frame in frames for line in [*frame["arm"], *(h[1] for h in frame["held"])] for p in line])
    low, high = points.min(axis=0), points.max(axis=0)
    scale = float(min(480, 380) / max((high - low).max(), 1e-6))
    data = {"frames": frames, "low": low.round(4).tolist(), "scale": scale, "looks": len(history) - 1}
    title = escape(f"{result.model.name} with '{result.carried.payload.name}'")
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    page = _PAGE.format(
        title=title,
        status=escape(f"{result.status} {history}"),
        last=len(frames) - 1,
        data=json.dumps(data, separators=(",", ":")),
    )
    path.write_text(page, encoding="utf-8")
    return path


def _frame(result: PlanResult, row: int, axes: list[int]) -> dict[str, Any]:
    """One look: arm segments, the payload's lines for every possible cell, states, gravity."""
    scene, history = result.carried, result.angles
    assert scene is not None
    q, states = history.q[row], history.states[row]
    whole = scene.tables.model
    lines = []
    shapes = [np.zeros(3), np.array([scene.payload.arm, 0.0, scene.payload.drop])]
    shapes += [shape.X_BS[:3, 3] for shape in scene.payload.shapes]
    for r in np.flatnonzero(states):
        X = fk(whole, np.append(q, (r / len(states) - 0.5) * 2 * np.pi), scene.payload.name)
        placed = np.array(shapes) @ X[:3, :3].T + X[:3, 3]
        lines.append([int(states[r]), placed[:, axes].round(4).tolist()])
    g = gravity_in_gripper(scene.model, scene.payload, q)
    size = float(np.linalg.norm(g))
    segments, _, _ = skeleton(scene.model, q)
    return {
        "arm": [[a[axes].round(4).tolist(), b[axes].round(4).tolist()] for a, b in segments],
        "held": lines,
        "states": "".join(str(int(state)) for state in states),
        "gravity": round(float(np.arctan2(g[1], g[0])), 4),
        "across": round(float(np.hypot(g[0], g[1])) / size, 4),
        "tilt": round(float(np.degrees(np.arccos(np.clip(g[2] / size, -1, 1)))), 1),
        "width": round(360 * float((states > 0).mean())),
        "look": row,
    }

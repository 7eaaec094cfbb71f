// Curves over time on a canvas, tied to the replay: a click takes the replay there, and a line in every plot marks its moment.
"use strict";
const data = JSON.parse(document.getElementById("curves").textContent);
const plots = [];
let view = null; // [from, to] in seconds; null: everything

const MARGIN = { left: 58, right: 10, top: 10, bottom: 26 };

function niceStep(span, count) {
  const raw = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  for (const m of [1, 2, 2.5, 5, 10]) if (raw <= m * power * 1.0000001) return m * power;
  return 10 * power;
}

function label(value, step) {
  if (value === 0 || Math.abs(value) < step * 1e-9) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(1).replace("e+", "e");
  return value.toFixed(Math.max(0, Math.min(6, Math.ceil(-Math.log10(step) - 1e-9) + (step * 10 ** Math.ceil(-Math.log10(step)) % 1 > 1e-6 ? 1 : 0))));
}

class Plot {
  constructor(figure, chart) {
    this.chart = chart;
    this.shown = chart.names.map((_, i) => chart.groups[0].curves.includes(i));
    this.box = figure.querySelector(".plot");
    this.canvas = this.box.querySelector("canvas");
    this.tip = this.box.querySelector(".tip");
    this.now = this.box.querySelector(".now");
    this.drag = null;
    this.keys(figure.querySelector(".keys"));
    this.box.addEventListener("pointermove", (e) => this.move(e));
    this.box.addEventListener("pointerleave", () => { if (this.drag === null) hover(null); });
    this.box.addEventListener("pointerdown", (e) => { if (e.button === 0) { this.drag = this.x(e); this.box.setPointerCapture(e.pointerId); } });
    this.box.addEventListener("pointerup", (e) => this.release(e));
    this.box.addEventListener("dblclick", () => zoom(null));
  }

  keys(place) {
    if (this.chart.names.length < 2) return;
    this.buttons = [];
    for (const group of this.chart.groups) {
      const row = document.createElement("div");
      if (this.chart.groups.length > 1) row.append(this.key(group.name, "", () => {
        const on = group.curves.some((i) => !this.shown[i]);
        for (const i of group.curves) this.shown[i] = on;
      }, group.curves));
      for (const i of group.curves) {
        const name = this.chart.names[i], inside = name.startsWith(`${group.name}_`) || name.startsWith(`${group.name}/`);
        row.append(this.key(inside ? name.slice(group.name.length + 1) : name, this.chart.colours[i], () => { this.shown[i] = !this.shown[i]; }, [i]));
      }
      place.append(row);
    }
    this.press();
  }

  key(name, colour, change, curves) {
    const button = document.createElement("button");
    button.type = "button";
    if (colour) button.append(Object.assign(document.createElement("i"), { style: `background: ${colour}` }));
    else button.className = "whole";
    button.append(name);
    button.addEventListener("click", () => { change(); this.press(); this.draw(); });
    this.buttons.push([button, curves]);
    return button;
  }

  press() { for (const [button, curves] of this.buttons) button.setAttribute("aria-pressed", String(curves.some((i) => this.shown[i]))); }

  x(event) { return event.clientX - this.box.getBoundingClientRect().left; }
  time(x) { return this.t0 + (x - MARGIN.left) / this.w * (this.t1 - this.t0); }
  px(t) { return MARGIN.left + (t - this.t0) / (this.t1 - this.t0) * this.w; }
  py(y) { return MARGIN.top + (this.y1 - y) / (this.y1 - this.y0) * this.h; }

  move(event) {
    const t = this.time(this.x(event));
    hover(Math.min(this.t1, Math.max(this.t0, t)), this);
    if (this.drag !== null) this.draw(t, this.x(event));
  }

  release(event) {
    const from = this.drag, to = this.x(event);
    this.drag = null;
    if (from !== null && Math.abs(to - from) > 6) {
      const [a, b] = [this.time(Math.min(from, to)), this.time(Math.max(from, to))];
      zoom([Math.max(a, this.t0), Math.min(b, this.t1)]);
    } else {
      this.draw();
      if (from !== null) replay.seek(Math.min(this.t1, Math.max(this.t0, this.time(to))));
    }
  }

  mark(t) {
    this.now.hidden = t === null || !(t >= this.t0 && t <= this.t1);
    if (!this.now.hidden) this.now.style.left = `${this.px(t)}px`;
  }

  range() {
    const time = this.chart.time;
    [this.t0, this.t1] = view ?? [time[0], time[time.length - 1]];
    if (!(this.t1 > this.t0)) this.t1 = this.t0 + 1;
    let low = Infinity, high = -Infinity;
    this.chart.curves.forEach((curve, i) => {
      if (!this.shown[i]) return;
      for (let k = 0; k < time.length; k++) {
        if (time[k] < this.t0 || time[k] > this.t1 || curve[k] === null) continue;
        if (curve[k] < low) low = curve[k];
        if (curve[k] > high) high = curve[k];
      }
    });
    if (!(high >= low)) [low, high] = [-1, 1];
    if (high - low < 1e-12 * Math.max(Math.abs(high), Math.abs(low)) || high === low) { const pad = Math.abs(high) * 0.1 || 1; low -= pad; high += pad; }
    const pad = 0.06 * (high - low);
    [this.y0, this.y1] = [low - pad, high + pad];
  }

  draw(cursor = null, dragTo = null) {
    const ratio = window.devicePixelRatio || 1, width = this.box.clientWidth, height = this.box.clientHeight;
    if (!width) return; // folded away
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    this.w = width - MARGIN.left - MARGIN.right;
    this.h = height - MARGIN.top - MARGIN.bottom;
    this.range();
    const g = this.canvas.getContext("2d");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, width, height);
    g.font = "11.5px system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif";
    this.axes(g, width, height);
    g.save();
    g.beginPath();
    g.rect(MARGIN.left, MARGIN.top, this.w, this.h);
    g.clip();
    const time = this.chart.time;
    this.chart.curves.forEach((curve, i) => {
      if (!this.shown[i]) return;
      g.strokeStyle = this.chart.colours[i];
      g.lineWidth = 1.6;
      g.lineJoin = "round";
      g.beginPath();
      let pen = false;
      for (let k = 0; k < time.length; k++) {
        if (curve[k] === null) { pen = false; continue; }
        if (pen) g.lineTo(this.px(time[k]), this.py(curve[k]));
        else g.moveTo(this.px(time[k]), this.py(curve[k]));
        pen = true;
      }
      g.stroke();
    });
    if (this.drag !== null && dragTo !== null) {
      g.fillStyle = "rgba(43,108,176,.12)";
      g.fillRect(Math.min(this.drag, dragTo), MARGIN.top, Math.abs(dragTo - this.drag), this.h);
    }
    if (cursor !== null) {
      g.strokeStyle = "rgba(26,32,44,.35)";
      g.lineWidth = 1;
      g.beginPath();
      g.moveTo(this.px(cursor), MARGIN.top);
      g.lineTo(this.px(cursor), MARGIN.top + this.h);
      g.stroke();
    }
    g.restore();
  }

  axes(g, width, height) {
    g.fillStyle = "#718096";
    g.strokeStyle = "#edf0f5";
    g.lineWidth = 1;
    const sy = niceStep(this.y1 - this.y0, 5);
    g.textAlign = "right";
    g.textBaseline = "middle";
    for (let y = Math.ceil(this.y0 / sy) * sy; y <= this.y1; y += sy) {
      const at = Math.round(this.py(y)) + 0.5;
      g.beginPath(); g.moveTo(MARGIN.left, at); g.lineTo(width - MARGIN.right, at); g.stroke();
      g.fillText(label(y, sy), MARGIN.left - 7, at);
    }
    const st = niceStep(this.t1 - this.t0, Math.max(3, Math.floor(this.w / 90)));
    g.textAlign = "center";
    g.textBaseline = "top";
    for (let t = Math.ceil(this.t0 / st - 1e-9) * st; t <= this.t1 + 1e-9 * st; t += st) {
      const at = Math.round(this.px(t)) + 0.5;
      g.beginPath(); g.moveTo(at, MARGIN.top); g.lineTo(at, MARGIN.top + this.h); g.stroke();
      g.fillText(label(t, st) + " s", Math.min(at, width - 14), height - MARGIN.bottom + 7);
    }
  }

  showTime(t, mine) {
    this.draw(t);
    this.tip.hidden = t === null || !mine;
    if (this.tip.hidden) return;
    const time = this.chart.time;
    let k = 0, high = time.length - 1;
    while (high - k > 1) { const middle = (k + high) >> 1; if (time[middle] <= t) k = middle; else high = middle; }
    if (t - time[k] > time[high] - t) k = high;
    this.tip.replaceChildren(Object.assign(document.createElement("b"), { textContent: `${time[k].toPrecision(4)} s` }));
    this.chart.names.forEach((name, i) => {
      if (!this.shown[i] || this.tip.childElementCount > 14) return;
      const row = document.createElement("div"), value = this.chart.curves[i][k];
      row.style.color = this.chart.colours[i];
      row.textContent = `${name}  ${value === null ? "none" : Number(value.toPrecision(5))}`;
      this.tip.append(row);
    });
    const x = this.px(t), left = x > this.box.clientWidth / 2;
    this.tip.style.left = left ? "" : `${x + 12}px`;
    this.tip.style.right = left ? `${this.box.clientWidth - x + 12}px` : "";
    this.tip.style.top = "12px";
  }
}

// The replay is a page of its own in a frame; its bar tells and takes the time. Without it the plots stand alone.
class Replay {
  constructor(frame) {
    this.frame = frame;
    this.start = frame ? Number(frame.dataset.start) : 0;
    this.time = null; // of the replay
    this.wanted = null; // a moment asked for that the replay does not show yet: until it does, its old time is no news
    if (frame) setInterval(() => this.follow(), 60);
  }

  part(name) { return this.frame?.contentDocument?.querySelector(name); }

  follow() {
    const thumb = this.part("[role=slider]");
    if (!thumb) return;
    if (this.wanted !== null && !this.asked) this.ask();
    const time = this.start + Number(thumb.getAttribute("aria-valuenow"));
    if (this.wanted !== null) {
      if (Math.abs(time - this.wanted) > 2e-3 && Date.now() < this.patience) return;
      this.wanted = null;
    }
    if (time !== this.time) { this.time = time; marks(time); }
  }

  seek(t) {
    if (!this.frame) return;
    [this.wanted, this.asked, this.patience, this.time] = [t, false, Date.now() + 5000, t];
    marks(t);
    this.ask();
  }

  ask() {
    const input = this.part(".mantine-NumberInput-input");
    if (!input) return;
    const set = Object.getOwnPropertyDescriptor(this.frame.contentWindow.HTMLInputElement.prototype, "value").set;
    set.call(input, (this.wanted - this.start).toFixed(4));
    input.dispatchEvent(new this.frame.contentWindow.Event("input", { bubbles: true }));
    this.asked = true;
  }
}

function marks(t) { for (const plot of plots) plot.mark(t); }
function hover(t, from = null) { for (const plot of plots) if (plot.drag === null) plot.showTime(t, plot === from); }
function zoom(range) { view = range; redraw(); }
function redraw() { for (const plot of plots) { plot.tip.hidden = true; plot.draw(); plot.mark(replay.time); } }

const replay = new Replay(document.querySelector("iframe.replay"));
document.querySelectorAll("figure.chart").forEach((figure, i) => plots.push(new Plot(figure, data[i])));
redraw();
window.addEventListener("resize", redraw);
const folds = [...document.querySelectorAll("details")];
for (const fold of folds) fold.addEventListener("toggle", redraw);
window.addEventListener("beforeprint", () => { for (const fold of folds) fold.open = true; redraw(); }); // paper does not unfold
Object.assign(window, { carpalPlots: plots, carpalReplay: replay }); // for whoever wants to look from the console

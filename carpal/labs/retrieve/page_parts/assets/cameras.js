"use strict";
// Two images to click four marks in. The server keeps the points; every page that is open shows the same ones.
const OWN = { headers: { "X-Carpal-Page": "cameras" } };
const COLOURS = ["#f6e05e", "#68d391", "#63b3ed", "#f687b3"];
const NEAR = 9, MOVED = 4, MOST = 60;
const words = document.getElementById("words");
const cameras = {};
let seen = { born: "", number: -1, images: 0 };

class CameraView {
  constructor(name) {
    this.name = name;
    this.root = document.getElementById(name);
    this.canvas = this.root.querySelector("canvas");
    this.count = this.root.querySelector(".count");
    this.points = [];
    this.drawn = null;
    this.image = null;
    this.grip = null;
    this.chosen = -1;
    const on = (kind, act) => this.canvas.addEventListener(kind, act);
    on("wheel", (e) => { e.preventDefault(); this.zoom(Math.pow(1.0015, -e.deltaY), e.offsetX, e.offsetY); });
    on("pointerdown", (e) => this.press(e));
    on("pointermove", (e) => this.move(e));
    on("pointerup", (e) => this.release(e));
    on("pointercancel", () => { this.grip = null; });
    on("keydown", (e) => this.key(e));
    this.root.querySelector(".in").onclick = () => this.zoom(1.5);
    this.root.querySelector(".out").onclick = () => this.zoom(1 / 1.5);
    this.root.querySelector(".fit").onclick = () => this.fit();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }

  async load(number, width, height) {
    const answer = await fetch(`/cameras/${this.name}.grey?n=${number}`, OWN);
    const grey = new Uint8Array(await answer.arrayBuffer());
    const data = new ImageData(width, height);
    for (let i = 0; i < grey.length; i++) {
      data.data[4 * i] = data.data[4 * i + 1] = data.data[4 * i + 2] = grey[i];
      data.data[4 * i + 3] = 255;
    }
    const first = this.image === null;
    this.image = await createImageBitmap(data);
    if (first) this.fit(); else this.draw();
    this.canvas.dataset.image = number;
  }

  resize() {
    const r = window.devicePixelRatio || 1;
    this.canvas.width = Math.max(1, Math.round(this.canvas.clientWidth * r));
    this.canvas.height = Math.max(1, Math.round(this.canvas.clientHeight * r));
    if (this.image && (this.fitted || !this.scale)) this.fit(); else this.draw();
  }

  fit() {
    if (!this.image) return;
    const w = this.canvas.clientWidth, h = this.canvas.clientHeight;
    this.scale = Math.min(w / this.image.width, h / this.image.height);
    this.ox = (w - this.scale * this.image.width) / 2;
    this.oy = (h - this.scale * this.image.height) / 2;
    this.fitted = true;
    this.draw();
  }

  zoom(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    if (!this.image) return;
    const least = 0.5 * Math.min(this.canvas.clientWidth / this.image.width, this.canvas.clientHeight / this.image.height);
    const scale = Math.min(Math.max(this.scale * factor, least), MOST);
    this.ox = x - (x - this.ox) * scale / this.scale;
    this.oy = y - (y - this.oy) * scale / this.scale;
    this.scale = scale;
    this.fitted = false;
    this.draw();
  }

  // pixel (0, 0) is the middle of the first pixel
  screen(p) { return [(p[0] + 0.5) * this.scale + this.ox, (p[1] + 0.5) * this.scale + this.oy]; }
  pixel(x, y) { return [(x - this.ox) / this.scale - 0.5, (y - this.oy) / this.scale - 0.5]; }

  press(e) {
    if (!this.image || e.button !== 0) return;
    this.canvas.setPointerCapture(e.pointerId);
    const at = [e.offsetX, e.offsetY];
    const near = this.points.findIndex((p) => {
      const s = this.screen(p);
      return Math.hypot(s[0] - at[0], s[1] - at[1]) < NEAR;
    });
    this.grip = { at, last: at, near, far: false };
  }

  move(e) {
    if (!this.grip) return;
    const at = [e.offsetX, e.offsetY], grip = this.grip;
    if (Math.hypot(at[0] - grip.at[0], at[1] - grip.at[1]) > MOVED) grip.far = true;
    if (grip.far && grip.near >= 0) this.points[grip.near] = this.pixel(...at);
    else if (grip.far) {
      this.ox += at[0] - grip.last[0];
      this.oy += at[1] - grip.last[1];
      this.fitted = false;
    }
    grip.last = at;
    this.draw();
  }

  release(e) {
    const grip = this.grip;
    this.grip = null;
    if (!grip) return;
    if (grip.near >= 0) {
      this.chosen = grip.near;
      if (grip.far) send(this.name, grip.near, this.points[grip.near]); else this.draw();
    } else if (!grip.far && this.points.length < 4) {
      this.chosen = this.points.length;
      this.points.push(this.pixel(e.offsetX, e.offsetY));
      this.draw();
      send(this.name, this.chosen, this.points[this.chosen]);
    } else if (!grip.far) say("All four marks are set in this image: drag one, or TRY AGAIN.", true);
  }

  key(e) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (e.key === "Backspace" && this.points.length) send(this.name, -1, [0, 0]);
    else if (step && this.chosen >= 0 && this.chosen < this.points.length) {
      const p = this.points[this.chosen];
      this.points[this.chosen] = [p[0] + 0.1 * step[0], p[1] + 0.1 * step[1]];
      send(this.name, this.chosen, this.points[this.chosen]);
    } else return;
    e.preventDefault();
    this.draw();
  }

  show(points, projected) {
    if (!this.grip || this.grip.near < 0) this.points = points;
    this.drawn = projected;
    this.count.textContent = points.length < 4 ? `${points.length} of 4 marks` : "4 marks";
    this.count.classList.toggle("full", points.length === 4);
    this.draw();
  }

  draw() {
    const g = this.canvas.getContext("2d"), r = window.devicePixelRatio || 1;
    g.setTransform(r, 0, 0, r, 0, 0);
    g.clearRect(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    if (!this.image || !this.scale) return;
    Object.assign(this.canvas.dataset, { scale: this.scale, ox: this.ox, oy: this.oy, points: this.points.length });
    g.imageSmoothingEnabled = this.scale < 2;
    g.drawImage(this.image, this.ox, this.oy, this.scale * this.image.width, this.scale * this.image.height);
    if (this.drawn) this.projection(g);
    this.points.forEach((p, i) => this.mark(g, this.screen(p), COLOURS[i], `${i + 1}`, i === this.chosen));
  }

  mark(g, [x, y], colour, text, chosen) {
    const size = Math.min(13, Math.max(4, 4 * this.scale));
    g.beginPath();
    g.arc(x, y, size, 0, 2 * Math.PI);
    for (const [a, b] of [[-1.3 * size, -1.5], [1.5, 1.3 * size]]) {  // the middle stays visible
      g.moveTo(x + a, y); g.lineTo(x + b, y);
      g.moveTo(x, y + a); g.lineTo(x, y + b);
    }
    for (const [width, ink] of [[chosen ? 4 : 3, "#1a202c"], [chosen ? 2 : 1.2, colour]]) {
      g.lineWidth = width;
      g.strokeStyle = ink;
      g.stroke();
    }
    g.font = "bold 14px system-ui, sans-serif";
    g.lineWidth = 3;
    g.strokeStyle = "#1a202c";
    g.strokeText(text, x + size, y - size + 1);
    g.fillStyle = colour;
    g.fillText(text, x + size, y - size + 1);
  }

  // what the calculated pose predicts: the flap's marks joined, the knob with the direction of its flap
  projection(g) {
    const marks = this.drawn.marks.map((p) => this.screen(p));
    g.strokeStyle = "#e53e3e";
    g.lineWidth = 1.2;
    g.beginPath();
    marks.forEach((p, i) => (i ? g.lineTo(...p) : g.moveTo(...p)));
    g.closePath();
    const [x, y] = this.screen(this.drawn.knob), [one, two, three, four] = marks;
    const u = x + 0.5 * (three[0] + four[0] - one[0] - two[0]), v = y + 0.5 * (three[1] + four[1] - one[1] - two[1]);
    g.moveTo(x + 6, y); g.arc(x, y, 6, 0, 2 * Math.PI);
    g.moveTo(x, y); g.lineTo(u, v);
    const a = Math.atan2(v - y, u - x);
    for (const turn of [2.6, -2.6]) { g.moveTo(u, v); g.lineTo(u + 7 * Math.cos(a + turn), v + 7 * Math.sin(a + turn)); }
    g.stroke();
    g.fillStyle = "#e53e3e";
    g.font = "bold 12px system-ui, sans-serif";
    g.fillText("knob", x - 14, y - 10);
  }
}

function say(text, bad = false) {
  words.textContent = text;
  words.classList.toggle("bad", bad);
}

let line = Promise.resolve(), waiting = 0;
function send(camera, index, point) {
  const [x, y] = point;
  waiting += 1;
  line = line.then(async () => {
    const answer = await fetch(`/cameras/point?camera=${camera}&index=${index}&x=${x}&y=${y}`, OWN);
    const state = await answer.json();
    if (waiting === 1) take(state);  // an answer that knows nothing of the clicks behind it would take them away
    if (state.refused) say(state.refused, true);
  }).catch(() => say("The studio does not answer.", true)).finally(() => { waiting -= 1; });
}

// answers may overtake each other: an older one must not take a point away, the next click would be put in its place
async function take(state) {
  if (state.born !== seen.born) seen = { born: state.born, number: -1, images: 0 };
  if (state.images > seen.images) {
    seen.images = state.images;
    await Promise.all(Object.values(cameras).map((camera) => camera.load(state.images, ...state.size)));
  }
  if (state.number <= seen.number) return;
  seen.number = state.number;
  for (const camera of Object.values(cameras)) camera.show(state.points[camera.name], state.projected[camera.name]);
  say(state.words);
}

async function watch() {
  try {
    await line;
    const state = await (await fetch("/cameras/state", OWN)).json();
    if (!waiting) take(state);
  } catch (error) {
    say("The studio does not answer.", true);
    return setTimeout(watch, 2000);
  }
  setTimeout(watch, 300);
}

function arrange() {
  document.getElementById("cameras").classList.toggle("wide", innerWidth > 1.5 * innerHeight);
}
addEventListener("resize", arrange);
arrange();
for (const name of ["left", "right"]) cameras[name] = new CameraView(name);
watch();

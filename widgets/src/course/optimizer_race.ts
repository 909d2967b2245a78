/**
 * Optimizers side by side on a loss of two weights: the reader moves the learning rate,
 * the momentum and the start, and plays the race step by step.
 *
 * The Python half is `edutorch/course/interactions/optimizer_race.py`, whose paths are
 * those of `edutorch.optim`.
 */
import { attr, button, html, refill, setText, svg } from "../dom";
import { number } from "../format";
import { Lifetime, type Model } from "../model";
import { type Slider, slider } from "./controls";
import {
  LAST_RATE,
  NEAR,
  type Point,
  placeOf,
  RULES,
  rateAt,
  STEPS,
  SURFACES,
  type Surface,
  verdict,
  walk,
} from "./optimizer_paths";

const NAMES = Object.keys(RULES);
/** the colours of the lines, by optimizer */
const COLOURS = ["linear", "activation", "pointwise", "loss", "input"];
const DASHES = ["", "6 3", "2 3", "9 3 2 3", "12 4"];
const LINES = NAMES.map((_, i) => ({
  fill: "none",
  stroke: `var(--edt-${COLOURS[i]})`,
  "stroke-width": 1.8,
  "stroke-dasharray": DASHES[i] || null,
}));
/** sizes of the map and of the labelled chart, in units of their pictures */
const WIDE = 400;
const HIGH = 300;
const LEFT = 40;
const BANDS = 12;
/** the powers of ten at the ends of the chart */
const LOWEST = -4;
const HIGHEST = 4;
/** ms per step while a race plays */
const PACE = 40;
/** how far an arrow key moves the start, as a fraction of the map */
const KEY_STEP = 1 / 40;

/** The surface as contour bands on a log scale; deeper is darker. */
function paintBands(canvas: HTMLCanvasElement, surface: Surface): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const [left, right, bottom, top] = surface.extent;
  const heights = Array.from({ length: WIDE * HIGH }, (_, i) => {
    const x = left + ((right - left) * ((i % WIDE) + 0.5)) / WIDE;
    const y = top - ((top - bottom) * (Math.floor(i / WIDE) + 0.5)) / HIGH;
    return Math.log10(surface.loss(x, y) - surface.least + NEAR);
  });
  const low = heights.reduce((a, b) => Math.min(a, b));
  const high = heights.reduce((a, b) => Math.max(a, b));
  const image = context.createImageData(WIDE, HIGH);
  heights.forEach((height, i) => {
    const band = Math.floor(((high - height) / (high - low)) * BANDS) / BANDS;
    image.data.set([64, 116, 190, Math.round(130 * band)], 4 * i);
  });
  context.putImageData(image, 0, 0);
}

/** Points of a polyline up to the first one far out of bounds. */
function corners(points: Point[]): string {
  const far = points.findIndex(
    ([x, y]) =>
      !(Math.abs(x - WIDE / 2) < 1.5 * WIDE && Math.abs(y - HIGH / 2) < 1.5 * HIGH),
  );
  const kept = far < 0 ? points : points.slice(0, far + 1);
  return kept
    .filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y))
    .map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`)
    .join(" ");
}

const NOTE =
  "Click the map, or use its arrow keys, to move the start. Arrived: the loss stays " +
  "within 0.01 of the lowest. Diverged: it is beyond a million.";

const STYLE = `
.edr-controls { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 20px; padding: 10px 12px; }
.edr-row { display: flex; flex: 1 0 100%; flex-wrap: wrap; align-items: center; gap: 8px 16px; }
.edr-slider { display: flex; flex: 1 1 240px; align-items: center; gap: 8px; white-space: nowrap; }
.edr-slider span { min-width: 86px; }
.edr-slider input { flex: 1; min-width: 60px; accent-color: var(--edt-accent); }
.edr-slider output { min-width: 66px; font-variant-numeric: tabular-nums; }
.edr-pair { display: flex; flex-wrap: wrap; gap: 12px; padding: 0 12px; }
.edr-pair > * { flex: 1 1 300px; min-width: 0; max-width: 560px; }
.edr-map { position: relative; align-self: flex-start; cursor: crosshair; border: 1px solid var(--edt-border); }
.edr-map canvas { display: block; width: 100%; }
.edr-map svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: hidden; }
.edr-chart text { fill: var(--edt-muted); font-size: 12px; }
.edr-grid { stroke: var(--edt-grid); }
.edr-goal { stroke: var(--edt-text); stroke-width: 1.6; fill: none; }
.edr-start { stroke: var(--edt-text); stroke-width: 2; fill: none; }
.edr-end { stroke: var(--edt-bg); stroke-width: 1.5; }
.edutorch .edr-table { width: auto; max-width: calc(100% - 24px); margin: 8px 12px; }
.edr-table caption { text-align: left; padding: 2px 0 4px; }
.edutorch .edr-table :is(th, td) { padding: 2px 14px 2px 0; font-variant-numeric: tabular-nums; }
.edutorch .edr-table :is(th, td):last-child { padding-right: 0; white-space: normal; }
.edutorch .edr-bad { color: var(--edt-bad); font-weight: 600; }
.edutorch .edr-note { margin: 0 12px 10px; color: var(--edt-muted); font-size: 12px; }
`;

interface State {
  surface: string;
  lr: number;
  momentum: number;
  start: Point;
  step: number;
}

class OptimizerRace {
  private readonly life = new Lifetime();
  private readonly state: State;
  private paths: Point[][] = [];
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly canvas = html("canvas", { width: WIDE, height: HIGH });
  private readonly lines = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}` });
  private readonly map = html(
    "div",
    {
      class: "edr-map",
      tabindex: 0,
      role: "application",
      "data-testid": "map",
      "aria-label": "The surface. A click or arrow keys move the start.",
    },
    this.canvas,
    this.lines,
  );
  private readonly chart = svg("svg", {
    class: "edr-chart",
    viewBox: `0 0 ${WIDE} ${HIGH}`,
    role: "img",
    "aria-label": "Loss above the lowest over the steps; the table says the same.",
  });
  private readonly rows = html("tbody");
  private readonly formula = html("span", {
    class: "edt-info",
    "data-testid": "formula",
  });
  private readonly play = button("Play", "Play", { "data-testid": "play" });
  private readonly surfaces = html("select", { "data-testid": "surface" });
  private readonly rate = namedSlider("learning rate", 0, LAST_RATE, 1);
  private readonly momentum = namedSlider("momentum", 0, 0.99, 0.01);
  private readonly step = namedSlider("step", 0, STEPS, 1);
  /** draws at most once per frame, however fast a slider moves */
  private readonly redraw = this.life.perFrame(() => this.draw());

  constructor(model: Model, root: HTMLElement) {
    this.state = { ...(model.get("data") as State) };
    for (const [value, { title }] of Object.entries(SURFACES))
      this.surfaces.append(html("option", { value }, title));
    this.surfaces.value = this.state.surface;
    const note = html("p", { class: "edr-note" }, NOTE);
    const style = html("style");
    style.textContent = STYLE;
    root.append(style, this.controls(), this.pictures(), this.table(), note);
    this.listen();
    this.newSurface();
    this.life.add(() => this.pause());
  }

  end(): void {
    this.life.end();
  }

  private controls(): HTMLElement {
    const buttons = html("span", { class: "edt-group", role: "group" }, this.play);
    const act = (face: string, label: string, to: () => number) => {
      const made = button(face, label, { "data-testid": face.toLowerCase() });
      this.life.listen(made, "click", () => this.go(to()));
      buttons.append(made);
    };
    act("Back", "One step back", () => this.state.step - 1);
    act("Step", "One step", () => this.state.step + 1);
    act("Reset", "Back to the start", () => 0);
    const surface = html("label", { class: "edr-choice" }, "surface ", this.surfaces);
    const sliders = [this.rate, this.momentum, this.step].map(({ row }) => row);
    const row = html("div", { class: "edr-row" }, surface, buttons);
    return html("div", { class: "edr-controls" }, row, ...sliders);
  }

  private pictures(): HTMLElement {
    return html("div", { class: "edr-pair" }, this.map, this.chart);
  }

  private table(): HTMLElement {
    const head = ["optimizer", "step", "loss", ""].map((name) =>
      html("th", { scope: "col" }, name),
    );
    return html(
      "table",
      { class: "edr-table", "data-testid": "table", "aria-live": "polite" },
      html("caption", {}, this.formula),
      html("thead", {}, html("tr", {}, ...head)),
      this.rows,
    );
  }

  private listen(): void {
    const { life, state } = this;
    life.listen(this.play, "click", () => (this.timer ? this.pause() : this.begin()));
    life.listen(this.surfaces, "change", () => {
      const { lr, start } = SURFACES[this.surfaces.value];
      Object.assign(state, { surface: this.surfaces.value, lr, start });
      this.newSurface();
    });
    life.listen(this.rate.input, "input", () => {
      state.lr = rateAt(Number(this.rate.input.value));
      this.run();
    });
    life.listen(this.momentum.input, "input", () => {
      state.momentum = Number(this.momentum.input.value);
      this.run();
    });
    life.listen(this.step.input, "input", () => this.go(Number(this.step.input.value)));
    life.listen(this.map, "click", (event) => {
      const box = this.map.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width;
      this.startAt(x, (event.clientY - box.top) / box.height);
    });
    life.listen(this.map, "keydown", (event) => this.key(event));
  }

  private key(event: KeyboardEvent): void {
    const moves: Record<string, Point> = {
      ArrowLeft: [-KEY_STEP, 0],
      ArrowRight: [KEY_STEP, 0],
      ArrowUp: [0, -KEY_STEP],
      ArrowDown: [0, KEY_STEP],
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    const [x, y] = this.onMap(this.state.start);
    this.startAt(x / WIDE + move[0], y / HIGH + move[1]);
  }

  /** Restart the race elsewhere: at fractions of the map's width and height. */
  private startAt(across: number, down: number): void {
    const [left, right, bottom, top] = this.surface.extent;
    const within = (share: number) => Math.min(1, Math.max(0, share));
    const x = left + (right - left) * within(across);
    const y = top - (top - bottom) * within(down);
    this.state.start = [Number(x.toFixed(3)), Number(y.toFixed(3))];
    this.run();
  }

  private begin(): void {
    if (this.state.step >= STEPS) this.go(0);
    this.timer = setInterval(() => {
      if (this.state.step >= STEPS) this.pause();
      else this.show(this.state.step + 1);
    }, PACE);
    setText(this.play, "Pause");
    attr(this.play, { title: "Pause", "aria-label": "Pause" });
  }

  private pause(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    setText(this.play, "Play");
    attr(this.play, { title: "Play", "aria-label": "Play" });
  }

  /** Go to a step and stop the race there. */
  private go(step: number): void {
    this.pause();
    this.show(step);
  }

  private show(step: number): void {
    this.state.step = Math.max(0, Math.min(STEPS, step));
    this.redraw();
  }

  private get surface(): Surface {
    return SURFACES[this.state.surface];
  }

  private newSurface(): void {
    paintBands(this.canvas, this.surface);
    setText(this.formula, `${this.surface.title}: loss = ${this.surface.formula}`);
    this.run();
  }

  /** Run the whole race again with the current settings. */
  private run(): void {
    const { lr, momentum, start } = this.state;
    this.paths = NAMES.map((name) =>
      walk(this.surface, name, lr, momentum, start, STEPS),
    );
    this.redraw();
  }

  // ---- drawing

  private onMap([x, y]: Point): Point {
    const [left, right, bottom, top] = this.surface.extent;
    return [(WIDE * (x - left)) / (right - left), (HIGH * (top - y)) / (top - bottom)];
  }

  private draw(): void {
    const { lr, momentum, step, start } = this.state;
    this.rate.show(placeOf(lr), number(lr));
    this.momentum.show(momentum, momentum.toFixed(2));
    this.step.show(step, `${step} of ${STEPS}`);
    const paths = this.paths.map((path) => path.slice(0, step + 1));
    const losses = paths.map((path) => path.map(([x, y]) => this.surface.loss(x, y)));
    this.drawMap(paths, start);
    this.drawChart(losses);
    refill(this.rows, ...losses.map((values, i) => this.row(i, values)));
  }

  private drawMap(paths: Point[][], start: Point): void {
    const [x, y] = this.onMap(start);
    const marks = this.surface.goals.map((goal) => {
      const [gx, gy] = this.onMap(goal);
      const d = `M${gx - 5},${gy - 5}l10,10m0,-10l-10,10`;
      return svg("path", { d, class: "edr-goal" });
    });
    const lines = paths.map((path, i) =>
      svg("polyline", { points: corners(path.map((p) => this.onMap(p))), ...LINES[i] }),
    );
    const ends = paths.flatMap((path, i) => {
      const [cx, cy] = this.onMap(path[path.length - 1]);
      const fill = LINES[i].stroke;
      if (!Number.isFinite(cx) || !Number.isFinite(cy)) return [];
      return [svg("circle", { cx, cy, r: 5, fill, class: "edr-end" })];
    });
    const ring = svg("circle", { cx: x, cy: y, r: 7, class: "edr-start" });
    refill(this.lines, ...lines, ...ends, ...marks, ring);
  }

  private drawChart(losses: number[][]): void {
    const { step } = this.state;
    const [wide, high] = [WIDE - LEFT - 6, HIGH - 44];
    const up = (power: number) => (high * (HIGHEST - power)) / (HIGHEST - LOWEST);
    const grid = [4, 2, 0, -2, -4].flatMap((power) => {
      const y = 20 + up(power);
      const label = power === 0 ? "1" : `1e${power}`;
      return [
        svg("line", { x1: LEFT, x2: LEFT + wide, y1: y, y2: y, class: "edr-grid" }),
        svg("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, label),
      ];
    });
    // a nested svg clips what is above or below
    const inner = svg(
      "svg",
      { x: LEFT, y: 20, width: wide, height: high },
      ...losses.map((values, i) => {
        const points = values.map((loss, n): Point => {
          const above = Math.min(1e300, Math.max(1e-300, loss - this.surface.least));
          return [(wide * n) / Math.max(1, step), up(Math.log10(above))];
        });
        return svg("polyline", {
          points: points
            .filter(([, y]) => Number.isFinite(y))
            .map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`)
            .join(" "),
          ...LINES[i],
        });
      }),
    );
    const bottom = { y: HIGH - 6 };
    refill(
      this.chart,
      ...grid,
      inner,
      svg("text", { x: LEFT, y: 12 }, "loss above the lowest"),
      svg("text", { x: LEFT, ...bottom }, "step 0"),
      svg("text", { x: LEFT + wide, ...bottom, "text-anchor": "end" }, String(step)),
    );
  }

  private row(i: number, losses: number[]): HTMLElement {
    const last = losses.length - 1;
    const words = verdict(losses, this.surface.least);
    const line = svg("line", { x1: 0, x2: 26, y1: 5, y2: 5, ...LINES[i] });
    const key = svg("svg", { width: 26, height: 10, "aria-hidden": true }, line);
    return html(
      "tr",
      { "data-testid": NAMES[i] },
      html("th", { scope: "row" }, key, ` ${NAMES[i]}`),
      html("td", {}, String(last)),
      html("td", {}, number(losses[last])),
      html("td", { class: words.startsWith("diverged") && "edr-bad" }, words),
    );
  }
}

function namedSlider(name: string, min: number, max: number, step: number): Slider {
  const id = name === "step" ? "step-slider" : name.replace(" ", "-");
  return slider("edr-slider", id, html("span", {}, name), [min, max, step]);
}

export function renderOptimizerRace(model: Model, el: HTMLElement): () => void {
  const race = new OptimizerRace(model, el);
  return () => race.end();
}

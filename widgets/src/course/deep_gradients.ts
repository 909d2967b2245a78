/**
 * A network in the page whose depth, skips, batch norm and activation the reader chooses;
 * shown are the gradient at each layer, and the loss over 40 steps of training.
 *
 * The Python half is `edutorch/course/interactions/deep_gradients.py`, with the same
 * numbers.
 */
import { attr, html, refill, setText, svg } from "../dom";
import { number } from "../format";
import { Lifetime, type Model } from "../model";
import { chartWidth } from "./chart_width";
import { noise, size, timesTransposed, transposed } from "./small_net";

/** numbers per layer, and rows in the batch */
const N = 12;
const ROWS = 16;
const SEED = 13;
const DEEPEST = 30;
const STEPS = 40;
const LR = 0.2;
/** eps of batch norm */
const EPS = 1e-5;
/** a loss above it ends the training */
const TOO_FAR = 1e6;

type Activation = "relu" | "tanh";

/** What the reader chooses. */
export interface Choice {
  depth: number;
  skip: boolean;
  norm: boolean;
  activation: Activation;
}

/** Sizes by layer in the first step; losses before the first step and after each. */
export interface Training {
  gradients: number[];
  sizes: number[];
  losses: number[];
}

/** What the forward of a layer saves for its backward. */
interface Kept {
  sums: Float64Array;
  roots: Float64Array;
  bent: Float64Array;
}

/** Gradient descent on random rows; ends early if it diverges. */
export function train(choice: Choice): Training {
  const net = new Net(choice);
  const losses = [net.forward()];
  const gradients = net.backward();
  const sizes = net.outputs.slice(1).map(size);
  while (losses.length <= STEPS && Math.abs(losses[losses.length - 1]) <= TOO_FAR) {
    net.step();
    losses.push(net.forward());
    net.backward();
  }
  return { gradients, sizes, losses };
}

/** Square layers, an output layer for a single number, and one batch. */
class Net {
  outputs: Float64Array[] = [];
  private kept: Kept[] = [];
  private readonly x = noise(SEED, ROWS * N);
  private readonly sides: Float64Array;
  private readonly weights: Float64Array[];
  private last: Float64Array;
  private doubts = new Float64Array(ROWS);
  private ofWeights: Float64Array[] = [];
  private ofLast = new Float64Array(N);

  constructor(private readonly choice: Choice) {
    const scale = 1 / Math.sqrt(3 * N);
    const scores = timesTransposed(this.x, noise(SEED + 1, N), N);
    this.sides = scores.map((score) => (score > 0 ? 1 : -1));
    const drawn = noise(SEED + 2, DEEPEST * N * N);
    this.weights = Array.from({ length: choice.depth }, (_, l) =>
      drawn.slice(l * N * N, (l + 1) * N * N).map((w) => w * scale),
    );
    this.last = noise(SEED + 3, N).map((w) => w * scale);
  }

  /** The loss; values needed by backward are saved. */
  forward(): number {
    const { skip, norm, activation } = this.choice;
    this.outputs = [this.x];
    this.kept = [];
    for (const w of this.weights) {
      const x = this.outputs[this.outputs.length - 1];
      const sums = timesTransposed(x, w, N);
      const roots = norm ? normalize(sums) : new Float64Array(N).fill(1);
      const bent = bend(sums, activation);
      this.kept.push({ sums, roots, bent });
      this.outputs.push(skip ? sum(x, bent) : bent);
    }
    const scores = timesTransposed(this.outputs[this.weights.length], this.last, N);
    let loss = 0;
    for (let r = 0; r < ROWS; r++) {
      const margin = this.sides[r] * scores[r];
      const small = Math.exp(-Math.abs(margin));
      this.doubts[r] = (margin > 0 ? small : 1) / (1 + small);
      loss += Math.max(-margin, 0) + Math.log(1 + small);
    }
    return loss / ROWS;
  }

  /** The size of the gradient of each layer's output; saves those of weights. */
  backward(): number[] {
    const { skip, norm, activation } = this.choice;
    const ofScores = this.sides.map((side, r) => (-side * this.doubts[r]) / ROWS);
    const out = this.outputs[this.weights.length];
    this.ofLast = timesTransposed(
      transposed(out, N),
      ofScores,
      ROWS,
    ) as typeof this.ofLast;
    this.ofWeights = [];
    const found: number[] = new Array(this.weights.length);
    let back: Float64Array = new Float64Array(ROWS * N).map(
      (_, i) => ofScores[Math.floor(i / N)] * this.last[i % N],
    );
    for (let l = this.weights.length - 1; l >= 0; l--) {
      found[l] = size(back);
      const { sums, roots, bent } = this.kept[l];
      let g: Float64Array = new Float64Array(back.length);
      for (let i = 0; i < g.length; i++) g[i] = back[i] * slope(bent[i], activation);
      if (norm) g = throughNorm(g, sums, roots);
      const before = transposed(this.outputs[l], N);
      this.ofWeights[l] = timesTransposed(transposed(g, N), before, ROWS);
      const through = timesTransposed(g, transposed(this.weights[l], N), N);
      back = skip ? sum(through, back) : through;
    }
    return found;
  }

  /** One step of gradient descent. */
  step(): void {
    this.weights.forEach((w, l) => {
      const g = this.ofWeights[l];
      for (let i = 0; i < w.length; i++) w[i] -= LR * g[i];
    });
    this.last = this.last.map((w, i) => w - LR * this.ofLast[i]);
  }
}

function bend(sums: Float64Array, activation: Activation): Float64Array {
  const bent = new Float64Array(sums.length);
  for (let i = 0; i < bent.length; i++)
    bent[i] = activation === "tanh" ? Math.tanh(sums[i]) : Math.max(sums[i], 0);
  return bent;
}

function sum(a: Float64Array, b: Float64Array): Float64Array {
  const c = new Float64Array(a.length);
  for (let i = 0; i < c.length; i++) c[i] = a[i] + b[i];
  return c;
}

function slope(out: number, activation: Activation): number {
  return activation === "tanh" ? 1 - out * out : out > 0 ? 1 : 0;
}

/** Normalise each column to mean 0 and size 1 in place; returns the divisors. */
function normalize(sums: Float64Array): Float64Array {
  return new Float64Array(N).map((_, j) => {
    let mean = 0;
    for (let i = j; i < sums.length; i += N) mean += sums[i] / ROWS;
    let square = 0;
    for (let i = j; i < sums.length; i += N) square += (sums[i] - mean) ** 2 / ROWS;
    const root = Math.sqrt(square + EPS);
    for (let i = j; i < sums.length; i += N) sums[i] = (sums[i] - mean) / root;
    return root;
  });
}

/** The gradient of the input of `normalize`. */
function throughNorm(g: Float64Array, sums: Float64Array, roots: Float64Array) {
  const found = new Float64Array(g.length);
  for (let j = 0; j < N; j++) {
    let mean = 0;
    let along = 0;
    for (let i = j; i < g.length; i += N) {
      mean += g[i] / ROWS;
      along += (g[i] * sums[i]) / ROWS;
    }
    for (let i = j; i < g.length; i += N)
      found[i] = (g[i] - mean - sums[i] * along) / roots[j];
  }
  return found;
}

/** A description of the outcome. */
export function verdict({ gradients, sizes, losses }: Training): string {
  const first = losses[0];
  const last = losses[losses.length - 1];
  if (!(Math.abs(last) <= TOO_FAR))
    return (
      `Explodes: the last layer's output has size ${number(sizes[sizes.length - 1])} ` +
      `at first, and training diverges at step ${losses.length - 1}.`
    );
  let word = "Does not learn";
  if (last < 0.9 * first) word = last > 0.5 * first ? "Hardly learns" : "Learns";
  const end = gradients[gradients.length - 1];
  const share = end ? gradients[0] / end : 0;
  return (
    `${word}: the first layer gets ${number(share)} times the last one's gradient, ` +
    `and ${STEPS} steps take the loss from ${number(first)} to ${number(last)}.`
  );
}

/** powers of ten at the ends of the axes for gradients and for the loss */
const LOWEST = -15;
const HIGHEST = 3;
const APART = 3;
const LEAST = -3;
const MOST = 3;
/** the size of both charts in pixels */
const LEFT = 44;
const TALL = 190;
const LOW = 130;
const BELOW = 32;
const ABOVE = 20;

const STYLE = `
.edg-controls { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 18px; padding: 10px 12px 4px; }
.edg-slider { display: flex; flex: 1 1 220px; align-items: center; gap: 8px; white-space: nowrap; }
.edg-slider input { flex: 1; min-width: 60px; accent-color: var(--edt-accent); }
.edg-slider output { min-width: 64px; font-variant-numeric: tabular-nums; }
.edg-controls input[type=checkbox] { accent-color: var(--edt-accent); }
.edutorch .edg-verdict { margin: 6px 12px; min-height: 38px; font-size: 14px; font-variant-numeric: tabular-nums; }
.edg-verdict strong { padding-right: .3em; }
.edg-chart { display: block; margin: 0 12px; }
.edg-chart text { fill: var(--edt-muted); font-size: 12px; }
.edg-chart .edg-name { fill: var(--edt-text); font-weight: 600; }
.edg-bar { fill: var(--edt-grad); }
.edg-grid { stroke: var(--edt-grid); }
.edg-one { stroke: var(--edt-line); stroke-dasharray: 2 3; }
.edg-loss { stroke: var(--edt-linear); fill: none; stroke-width: 2.2; }
.edutorch .edg-table { margin: 4px 12px 10px; }
.edg-table summary { cursor: pointer; color: var(--edt-muted); font-size: 12px; }
.edutorch .edg-table table { width: auto; }
.edutorch .edg-table :is(th, td) { padding: 1px 20px 1px 0; text-align: right; font-variant-numeric: tabular-nums; }
`;

class DeepGradients {
  private readonly life = new Lifetime();
  private readonly state: Choice;
  private readonly slider = html("input", {
    type: "range",
    min: 1,
    max: DEEPEST,
    step: 1,
    "data-testid": "depth",
    "aria-label": "layers",
  });
  private readonly shownDepth = html("output");
  private readonly skip = box("skip");
  private readonly norm = box("norm");
  private readonly activation = html(
    "select",
    { "data-testid": "activation" },
    html("option", { value: "relu" }, "ReLU"),
    html("option", { value: "tanh" }, "tanh"),
  );
  private readonly verdict = html("p", {
    class: "edg-verdict",
    role: "status",
    "data-testid": "verdict",
  });
  private readonly bars = chart("gradients", TALL, "Gradient by layer");
  private readonly curve = chart("losses", LOW, "Loss over the steps");
  private readonly rows = html("tbody", { "data-testid": "rows" });
  /** computes and draws at most once per frame, however fast the slider moves */
  private readonly redraw = this.life.perFrame(() => this.draw());

  constructor(
    model: Model,
    private readonly root: HTMLElement,
  ) {
    this.state = { ...(model.get("data") as Choice) };
    const style = html("style");
    style.textContent = STYLE;
    root.append(
      style,
      this.controls(),
      this.verdict,
      this.bars,
      this.curve,
      this.table(),
    );
    this.listen();
    this.life.onAppearance(root, this.redraw);
    this.draw();
  }

  end(): void {
    this.life.end();
  }

  private controls(): HTMLElement {
    this.activation.value = this.state.activation;
    this.skip.checked = this.state.skip;
    this.norm.checked = this.state.norm;
    return html(
      "div",
      { class: "edg-controls" },
      html("label", { class: "edg-slider" }, "layers", this.slider, this.shownDepth),
      html("label", {}, this.skip, " skips"),
      html("label", {}, this.norm, " batch norm"),
      html("label", {}, "activation ", this.activation),
    );
  }

  private table(): HTMLElement {
    const head = ["layer", "gradient", "size of output"].map((name) =>
      html("th", { scope: "col" }, name),
    );
    const table = html("table", {}, html("thead", {}, html("tr", {}, ...head)));
    table.append(this.rows);
    const summary = html("summary", {}, "The numbers as a table");
    return html("details", { class: "edg-table" }, summary, table);
  }

  private listen(): void {
    const { life, state } = this;
    const on = (
      element: HTMLElement,
      event: "input" | "change",
      read: () => Partial<Choice>,
    ) =>
      life.listen(element, event, () => {
        Object.assign(state, read());
        this.redraw();
      });
    on(this.slider, "input", () => ({ depth: Number(this.slider.value) }));
    on(this.skip, "change", () => ({ skip: this.skip.checked }));
    on(this.norm, "change", () => ({ norm: this.norm.checked }));
    on(this.activation, "change", () => ({
      activation: this.activation.value as Activation,
    }));
  }

  private draw(): void {
    const training = train(this.state);
    const { depth } = this.state;
    this.slider.value = String(depth);
    setText(this.shownDepth, depth === 1 ? "1 layer" : `${depth} layers`);
    const [word, rest] = verdict(training).split(/(?<=:)/);
    this.verdict.replaceChildren(html("strong", {}, word), rest);
    const wide = chartWidth(this.root);
    for (const made of [this.bars, this.curve]) attr(made, { width: wide });
    refill(this.bars, ...barsOf(training.gradients, wide));
    refill(this.curve, ...curveOf(training.losses, wide));
    const rows = training.gradients.map((gradient, i) => {
      const texts = [String(i + 1), number(gradient), number(training.sizes[i])];
      return html("tr", {}, ...texts.map((text) => html("td", {}, text)));
    });
    refill(this.rows, ...rows);
  }
}

function box(name: string): HTMLInputElement {
  return html("input", { type: "checkbox", "data-testid": name });
}

function chart(name: string, height: number, says: string): SVGSVGElement {
  return svg("svg", {
    class: "edg-chart",
    height,
    role: "img",
    "aria-label": `${says}, as in the table and the sentence.`,
    "data-testid": name,
  }) as SVGSVGElement;
}

/** The position of a number between two powers of ten, from 0 to 1. */
function share(value: number, low: number, high: number): number {
  if (!(value > 0)) return Number.isNaN(value) ? 1 : 0;
  return (Math.min(Math.max(Math.log10(value), low), high) - low) / (high - low);
}

/** Labelled lines at powers of ten. */
function levels(
  [low, high, apart]: number[],
  wide: number,
  y: (v: number) => number,
): SVGElement[] {
  const parts: SVGElement[] = [];
  for (let power = low; power <= high; power += apart) {
    const at = y(10 ** power);
    const text = power === 0 ? "1" : `1e${power}`;
    parts.push(
      svg("line", {
        x1: LEFT,
        x2: wide - 10,
        y1: at,
        y2: at,
        class: power === 0 ? "edg-one" : "edg-grid",
      }),
      svg("text", { x: LEFT - 6, y: at + 4, "text-anchor": "end" }, text),
    );
  }
  return parts;
}

function named(x: number, y: number, text: string): SVGElement {
  return svg("text", { x, y, "text-anchor": "middle" }, text);
}

/** A bar for each layer on a logarithmic scale. */
function barsOf(gradients: number[], wide: number): SVGElement[] {
  const bottom = TALL - BELOW;
  const y = (v: number) => bottom - share(v, LOWEST, HIGHEST) * (bottom - ABOVE);
  const parts = levels([LOWEST, HIGHEST, APART], wide, y);
  const each = (wide - 10 - LEFT) / gradients.length;
  gradients.forEach((value, i) => {
    const [x, top] = [LEFT + i * each, y(value)];
    parts.push(
      svg("rect", {
        x: x + each * 0.1,
        y: top,
        width: each * 0.8,
        height: bottom - top,
        class: "edg-bar",
      }),
    );
    if (i === 0 || gradients.length <= 10 || (i + 1) % 5 === 0)
      parts.push(named(x + each / 2, bottom + 14, String(i + 1)));
  });
  parts.push(
    svg("text", { x: LEFT, y: 13, class: "edg-name" }, "size of the gradient"),
    named((LEFT + wide) / 2, TALL - 4, "layer"),
  );
  return parts;
}

/** The loss by step on a logarithmic scale. */
function curveOf(losses: number[], wide: number): SVGElement[] {
  const bottom = LOW - BELOW;
  const x = (i: number) => LEFT + (i / STEPS) * (wide - 20 - LEFT);
  const y = (v: number) => bottom - share(v, LEAST, MOST) * (bottom - ABOVE);
  const parts = levels([LEAST, MOST, APART], wide, y);
  const points = losses.map((v, i) => `${x(i).toFixed(1)},${y(v).toFixed(1)}`);
  parts.push(
    svg("polyline", { points: points.join(" "), class: "edg-loss" }),
    svg("text", { x: LEFT, y: 13, class: "edg-name" }, "loss"),
    ...[0, 10, 20, 30, 40].map((step) => named(x(step), bottom + 14, String(step))),
    named((LEFT + wide) / 2, LOW - 4, "step"),
  );
  return parts;
}

/** Draw the interaction; returns a function that ends it. */
export function renderDeepGradients(model: Model, el: HTMLElement): () => void {
  const made = new DeepGradients(model, el);
  return () => made.end();
}

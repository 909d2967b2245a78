/**
 * A deep network in the page: the reader changes the scale of its initial weights, and
 * sees how activations change in forward, and gradients in backward.
 *
 * The Python half is `edutorch/course/interactions/init_scale.py`, with the same numbers.
 */
import { attr, button, html, refill, setText, svg } from "../dom";
import { exponent, number } from "../format";
import { Lifetime, type Model } from "../model";
import { chartWidth } from "./chart_width";
import { asWords, choice } from "./controls";
import { noise, size, timesTransposed, transposed } from "./small_net";

/** numbers per layer, and rows in the batch */
const WIDTH = 32;
const DEEPEST = 30;
/** bars of a histogram, over -1 to 1 with tanh, 0 to 3 with relu */
const BARS = 20;

type Activation = "tanh" | "relu";

/** For each layer: sizes are root mean squares, bars are shares of the activations. */
interface Signals {
  sizes: number[];
  gradients: number[];
  bars: number[][];
  /** shares of activations that are exactly 0 and are in no bar */
  zeros: number[];
}

/** Random weights before scaling. */
export class DeepNet {
  private readonly inputs: Float64Array;
  private readonly returning: Float64Array;
  private readonly weights: Float64Array;

  constructor(seed: number) {
    const square = WIDTH * WIDTH;
    this.inputs = noise(seed, square);
    this.weights = noise(seed + 1, DEEPEST * square).map((w) => w / Math.sqrt(WIDTH));
    this.returning = noise(seed + 2, square);
  }

  /** Forward with weights times `scale`, and backward with a gradient of size 1. */
  run(scale: number, depth: number, activation: Activation): Signals {
    const square = WIDTH * WIDTH;
    const weights = Array.from({ length: depth }, (_, l) =>
      this.weights.subarray(l * square, (l + 1) * square).map((w) => w * scale),
    );
    const states = [this.inputs];
    for (const w of weights) {
      const sums = timesTransposed(states[states.length - 1], w, WIDTH);
      states.push(sums.map(activation === "tanh" ? Math.tanh : (a) => Math.max(a, 0)));
    }
    const gradients: number[] = [];
    let back = this.returning;
    for (let l = depth - 1; l >= 0; l--) {
      const out = states[l + 1];
      back = back.map((g, i) => g * slope(out[i], activation));
      const g = timesTransposed(
        transposed(back, WIDTH),
        transposed(states[l], WIDTH),
        WIDTH,
      );
      gradients.unshift(size(g) / WIDTH);
      back = timesTransposed(back, transposed(weights[l], WIDTH), WIDTH);
    }
    const outputs = states.slice(1);
    return {
      sizes: outputs.map(size),
      gradients,
      bars: outputs.map((h) => histogram(h, activation)),
      zeros: outputs.map((h) => h.filter((v) => v === 0).length / h.length),
    };
  }
}

function slope(out: number, activation: Activation): number {
  return activation === "tanh" ? 1 - out * out : out > 0 ? 1 : 0;
}

/** Shares of the activations per bar, without zeros; the last bar is open-ended. */
function histogram(values: Float64Array, activation: Activation): number[] {
  const [low, high] = activation === "tanh" ? [-1, 1] : [0, 3];
  const bars = new Array(BARS).fill(0);
  for (const v of values) {
    if (v === 0) continue;
    const bar = Math.floor(((v - low) / (high - low)) * BARS);
    bars[Math.min(bar, BARS - 1)] += 1 / values.length;
  }
  return bars;
}

/** A sentence that says what the numbers mean for training. */
export function verdict({ sizes, gradients }: Signals): string {
  const last = sizes[sizes.length - 1];
  const most = Math.max(...gradients);
  const least = Math.min(...gradients);
  if (last === 0)
    return "Nothing: all activations and all gradients are 0, and no step changes that.";
  const facts =
    `activations of size ${number(last)} in the last layer, ` +
    `gradients from ${number(least)} to ${number(most)}.`;
  if (most > 10 || last > 10) return `Too large: ${facts}`;
  if (least < 1e-3 || last < 1e-3) return `Too small: ${facts}`;
  if (most > 30 * least) return `Uneven: ${facts}`;
  return `Good: ${facts}`;
}

/** The layers with a histogram: first, last, and some in between. */
export function shownLayers(depth: number): number[] {
  const places = [0, 1, 2, 3, 4].map((i) => 1 + Math.round((i * (depth - 1)) / 4));
  return [...new Set(places)];
}

/** Named scales. */
export const PRESETS: [string, number][] = [
  ["zero", 0],
  ["too small", 0.5],
  ["Xavier", 1],
  ["Kaiming", Math.SQRT2],
  ["too large", 2.5],
];
const DEPTHS = [5, 10, 20, 30];
const LARGEST = 3;
/** powers of ten at the ends of the chart, and the distance of its lines */
const LOWEST = -15;
const HIGHEST = 9;
const APART = 3;
/** sizes of the chart and of a histogram, in pixels and units of the picture */
const HIGH = 230;
const LEFT = 44;
const BELOW = 34;
const BAR = 6;
const TALL = 64;

const STYLE = `
.eis-controls { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 18px; padding: 10px 12px 4px; }
.eis-slider { display: flex; flex: 1 1 260px; align-items: center; gap: 8px; white-space: nowrap; }
.eis-slider input { flex: 1; min-width: 60px; accent-color: var(--edt-accent); }
.eis-slider output { min-width: 64px; font-variant-numeric: tabular-nums; }
.edutorch .eis-verdict { margin: 6px 12px; min-height: 38px; font-size: 14px; font-variant-numeric: tabular-nums; }
.eis-verdict strong { padding-right: .3em; }
.eis-bars { display: grid; grid-template-columns: repeat(auto-fit, minmax(106px, 1fr)); gap: 6px 12px; padding: 2px 12px 8px; }
.eis-bars svg { width: 100%; max-width: 140px; }
.eis-chart { display: block; margin: 0 12px; }
.eis-bars text, .eis-chart text { fill: var(--edt-muted); font-size: 12px; }
.eis-bars .eis-head { fill: var(--edt-text); font-weight: 600; }
.eis-bar { fill: var(--edt-linear); }
.eis-axis { stroke: var(--edt-line); }
.eis-grid { stroke: var(--edt-grid); }
.eis-one { stroke: var(--edt-line); stroke-dasharray: 2 3; }
.eis-forward { stroke: var(--edt-linear); fill: none; stroke-width: 2.2; }
.eis-back { stroke: var(--edt-grad); fill: none; stroke-width: 2.2; stroke-dasharray: 6 4; }
.eis-chart .eis-forward-name { fill: var(--edt-linear); font-weight: 600; }
.eis-chart .eis-back-name { fill: var(--edt-grad); font-weight: 600; }
.edutorch .eis-table { margin: 4px 12px 10px; }
.eis-table summary { cursor: pointer; color: var(--edt-muted); font-size: 12px; }
.edutorch .eis-table table { width: auto; }
.edutorch .eis-table :is(th, td) { padding: 1px 20px 1px 0; text-align: right; font-variant-numeric: tabular-nums; }
`;

interface State {
  scale: number;
  depth: number;
  activation: Activation;
  seed: number;
}

class InitScale {
  private readonly life = new Lifetime();
  private readonly state: State;
  private readonly net: DeepNet;
  private readonly slider = html("input", {
    type: "range",
    min: 0,
    max: LARGEST,
    step: 0.01,
    "data-testid": "scale",
    "aria-label": "scale",
  });
  private readonly shownScale = html("output");
  private readonly depth = choice("depth", asWords(DEPTHS));
  private readonly activation = choice("activation", [
    ["relu", "ReLU"],
    ["tanh", "tanh"],
  ]);
  private readonly presets = html("span", {
    class: "edt-group",
    role: "group",
    "aria-label": "Scales with a name",
  });
  private readonly verdict = html("p", {
    class: "eis-verdict",
    role: "status",
    "data-testid": "verdict",
  });
  private readonly bars = html("div", { class: "eis-bars", "data-testid": "bars" });
  private readonly chart = svg("svg", {
    class: "eis-chart",
    height: HIGH,
    role: "img",
    "aria-label":
      "Size of activations and gradients by layer; the table says the same.",
  });
  private readonly rows = html("tbody", { "data-testid": "rows" });
  /** computes and draws at most once per frame, however fast the slider moves */
  private readonly redraw = this.life.perFrame(() => this.draw());

  constructor(
    model: Model,
    private readonly root: HTMLElement,
  ) {
    this.state = { ...(model.get("data") as State) };
    this.net = new DeepNet(this.state.seed);
    const style = html("style");
    style.textContent = STYLE;
    root.append(
      style,
      this.controls(),
      this.verdict,
      this.bars,
      this.chart,
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
    const { depth, activation } = this.state;
    this.depth.value = String(depth);
    this.activation.value = activation;
    for (const [name, scale] of PRESETS) {
      const made = button(name, `Scale ${number(scale)}`, { "data-testid": name });
      this.life.listen(made, "click", () => this.change({ scale }));
      this.presets.append(made);
    }
    return html(
      "div",
      { class: "eis-controls" },
      html("label", {}, "layers ", this.depth),
      html("label", {}, "activation ", this.activation),
      this.presets,
      html("label", { class: "eis-slider" }, "scale", this.slider, this.shownScale),
    );
  }

  private table(): HTMLElement {
    const head = ["layer", "activations", "gradient"].map((name) =>
      html("th", { scope: "col" }, name),
    );
    const table = html("table", {}, html("thead", {}, html("tr", {}, ...head)));
    table.append(this.rows);
    const summary = html("summary", {}, "The sizes as a table");
    return html("details", { class: "eis-table" }, summary, table);
  }

  private listen(): void {
    const { life } = this;
    life.listen(this.slider, "input", () =>
      this.change({ scale: Number(this.slider.value) }),
    );
    life.listen(this.depth, "change", () =>
      this.change({ depth: Number(this.depth.value) }),
    );
    life.listen(this.activation, "change", () =>
      this.change({ activation: this.activation.value as Activation }),
    );
  }

  private change(some: Partial<State>): void {
    Object.assign(this.state, some);
    this.redraw();
  }

  private draw(): void {
    const { scale, depth, activation } = this.state;
    const signals = this.net.run(scale, depth, activation);
    this.slider.value = String(scale);
    setText(this.shownScale, `${number(scale)} / √n`);
    for (const [i, made] of [...this.presets.children].entries())
      made.setAttribute("aria-pressed", String(PRESETS[i][1] === scale));
    const [word, rest] = verdict(signals).split(/(?<=:)/);
    this.verdict.replaceChildren(html("strong", {}, word), rest);
    const layers = shownLayers(depth);
    refill(
      this.bars,
      ...layers.map((layer) => histogramOf(signals, layer, activation)),
    );
    const wide = chartWidth(this.root);
    attr(this.chart, { width: wide });
    refill(this.chart, ...chartOf(signals, wide));
    const rows = signals.sizes.map((size, i) =>
      html(
        "tr",
        {},
        ...[String(i + 1), number(size), number(signals.gradients[i])].map((text) =>
          html("td", {}, text),
        ),
      ),
    );
    refill(this.rows, ...rows);
  }
}

/** The activations of a layer: bars, the ends of the axis, and the share of zeros. */
function histogramOf(signals: Signals, layer: number, activation: Activation) {
  const bars = signals.bars[layer - 1];
  const most = Math.max(...bars, 1e-9);
  const [low, high] = activation === "tanh" ? ["-1", "1"] : ["0", "≥ 3"];
  const zeros = signals.zeros[layer - 1];
  const width = BARS * BAR;
  const value = signals.sizes[layer - 1];
  const tiny = value > 0 && value < 1e-3; // two digits: the head is as wide as the bars
  const size = `layer ${layer}: ${tiny ? exponent(value) : number(value)}`;
  const made = svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${TALL + 34}`,
      role: "img",
      "aria-label": `size, ${size}`,
    },
    svg("text", { x: 0, y: 12, class: "eis-head" }, size),
  );
  bars.forEach((share, i) => {
    const height = (share / most) * (TALL - 4);
    const y = 18 + TALL - height;
    made.append(
      svg("rect", { x: i * BAR, y, width: BAR - 1, height, class: "eis-bar" }),
    );
  });
  const foot = TALL + 18;
  made.append(
    svg("line", { x1: 0, x2: width, y1: foot, y2: foot, class: "eis-axis" }),
    svg("text", { x: 0, y: foot + 13 }, low),
    svg("text", { x: width, y: foot + 13, "text-anchor": "end" }, high),
    svg(
      "text",
      { x: width / 2, y: foot + 13, "text-anchor": "middle" },
      zeros > 0 ? `${Math.round(zeros * 100)}% are 0` : "",
    ),
  );
  return made;
}

/** Both curves by layer on a logarithmic scale. */
function chartOf({ sizes, gradients }: Signals, wide: number): SVGElement[] {
  const bottom = HIGH - BELOW;
  const y = (value: number) => {
    const power = Math.max(LOWEST, Math.min(HIGHEST, Math.log10(value)));
    return bottom - ((power - LOWEST) / (HIGHEST - LOWEST)) * (bottom - 22);
  };
  const x = (i: number) => LEFT + ((i + 0.5) / sizes.length) * (wide - LEFT - 10);
  const parts: SVGElement[] = [];
  for (let power = LOWEST; power <= HIGHEST; power += APART) {
    const at = y(10 ** power);
    const look = power === 0 ? "eis-one" : "eis-grid";
    const text = power === 0 ? "1" : `1e${power}`;
    parts.push(
      svg("line", { x1: LEFT, x2: wide - 10, y1: at, y2: at, class: look }),
      svg("text", { x: LEFT - 6, y: at + 4, "text-anchor": "end" }, text),
    );
  }
  const every = sizes.length > 10 ? 5 : 1;
  sizes.forEach((_, i) => {
    if (i > 0 && (i + 1) % every !== 0) return;
    const text = String(i + 1);
    parts.push(svg("text", { x: x(i), y: bottom + 15, "text-anchor": "middle" }, text));
  });
  const line = (values: number[], name: string) =>
    svg("polyline", {
      points: values.map((v, i) => `${x(i).toFixed(1)},${y(v).toFixed(1)}`).join(" "),
      class: name,
    });
  parts.push(
    svg(
      "text",
      { x: (LEFT + wide) / 2, y: HIGH - 4, "text-anchor": "middle" },
      "layer",
    ),
    svg("text", { x: LEFT, y: 13, class: "eis-forward-name" }, "— activations"),
    svg("text", { x: LEFT + 120, y: 13, class: "eis-back-name" }, "- - gradients"),
    line(sizes, "eis-forward"),
    line(gradients, "eis-back"),
  );
  return parts;
}

/** Draw the interaction; returns a function that ends it. */
export function renderInitScale(model: Model, el: HTMLElement): () => void {
  const made = new InitScale(model, el);
  return () => made.end();
}

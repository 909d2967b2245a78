/**
 * One row of logits under sliders: probabilities, loss and gradient in float32, stable
 * and as on paper, where a large shift of all logits overflows.
 *
 * The Python half is `edutorch/course/interactions/logit_sliders.py`, with the same
 * numbers: both compute in double precision and round every result to float32.
 */
import { attr, button, html, refill, setText } from "../dom";
import { number } from "../format";
import { Lifetime, type Model } from "../model";
import { type Slider, slider } from "./controls";

/** The reader's settings. */
export interface Settings {
  logits: number[];
  right: number;
  shift: number;
  smoothing: number;
  temperature: number;
}

/** One row of logits through softmax and cross entropy, computed in two ways. */
export interface Numbers {
  /** logits after the shift and temperature */
  z: number[];
  targets: number[];
  p: number[];
  gradient: number[];
  loss: number;
  paperExp: number[];
  paperP: number[];
  paperLoss: number;
}

const f = Math.fround;
const sum = (values: number[]) => values.reduce((total, v) => f(total + v), 0);
const exp = (x: number) => f(Math.exp(x));
const log = (x: number) => f(Math.log(x));
/** relative error visible in the digits that the page shows */
const SAME = 1e-3;

/** Probabilities, loss and gradient; every step is rounded to float32. */
export function numbersOf(settings: Settings): Numbers {
  const { logits, right, shift, smoothing } = settings;
  const temperature = f(settings.temperature);
  const z = logits.map((v) => f(f(f(v) + f(shift)) / temperature));
  const share = f(smoothing / z.length);
  const targets = z.map((_, i) => (i === right ? f(share + f(1 - smoothing)) : share));
  const paperExp = z.map(exp);
  const paperP = paperExp.map((e) => f(e / sum(paperExp)));
  const most = Math.max(...z);
  const distances = z.map((v) => f(v - most));
  const rest = log(sum(distances.map(exp)));
  const logs = distances.map((d) => f(d - rest));
  const p = logs.map(exp);
  return {
    z,
    targets,
    p,
    gradient: p.map((v, i) => f(f(v - targets[i]) / temperature)),
    loss: lossOf(targets, logs),
    paperExp,
    paperP,
    paperLoss: lossOf(targets, paperP.map(log)),
  };
}

/** -Σ y log p; classes with target 0 are omitted, as for labels. */
function lossOf(targets: number[], logs: number[]): number {
  const parts = targets.flatMap((y, i) => (y > 0 ? [f(y * logs[i])] : []));
  return Math.abs(sum(parts));
}

/** A sentence about the naively computed loss. */
export function verdict(numbers: Numbers): string {
  const total = sum(numbers.paperExp);
  const { loss, paperLoss } = numbers;
  const paper = number(paperLoss);
  const most = Number(Math.max(...numbers.z).toPrecision(6));
  let words = "the same.";
  if (Math.max(...numbers.paperExp) === Number.POSITIVE_INFINITY)
    words = `exp(${most}) is inf in float32, and the loss ${paper}.`;
  else if (total === Number.POSITIVE_INFINITY)
    words = `the sum of all exp is inf in float32, and the loss ${paper}.`;
  else if (total === 0) words = `every exp is 0 in float32, and 0 / 0 is ${paper}.`;
  else if (!Number.isFinite(paperLoss))
    words = `a p is 0 in float32, and the loss ${paper}.`;
  else if (Math.abs(paperLoss - loss) > SAME * (loss + SAME))
    words = `${paper}, most of the digits are lost.`;
  return `Stable: loss ${number(loss)}. On paper: ${words}`;
}

/** ranges of the sliders; two buttons shift further */
const FARTHEST = 10;
const SHIFT = 120;
const SHIFTS = [-1000, 0, 1000];
/** the named logits: that of the right class, and that of another */
const PRESETS: [string, string, number, number][] = [
  ["undecided", "All logits 0", 0, 0],
  ["sure and right", "8 for the right class, 0 for the others", 8, 0],
  ["sure and wrong", "8 for another class, 0 for the rest", 0, 8],
];

const STYLE = `
.els-controls { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 18px; padding: 10px 12px 4px; }
.els-slider { display: flex; flex: 1 1 205px; align-items: center; gap: 8px; white-space: nowrap; }
.els-slider input { flex: 1; width: 60px; accent-color: var(--edt-accent); }
.els-slider output { min-width: 44px; font-variant-numeric: tabular-nums; }
.els-shift { display: flex; flex: 1 0 100%; flex-wrap: wrap; align-items: center; gap: 8px 18px; }
.edutorch .els-verdict { margin: 8px 12px; min-height: 38px; font-size: 14px; font-variant-numeric: tabular-nums; }
.els-row { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 14px; padding: 6px 12px; border-top: 1px solid var(--edt-grid); }
.els-row .els-slider { flex: 1 1 250px; }
.els-name { min-width: 84px; max-width: 140px; overflow: hidden; text-overflow: ellipsis; }
.els-row[data-right] .els-name { font-weight: 650; }
.els-pair { display: flex; flex: 1 1 320px; gap: 14px; }
.els-bar { display: flex; flex: 1; align-items: center; gap: 8px; min-width: 0; }
.els-bar output { min-width: 56px; font-size: 12px; font-variant-numeric: tabular-nums; }
.els-track { position: relative; flex: 1; height: 18px; background: var(--edt-grid); }
.els-track > * { position: absolute; top: 0; bottom: 0; }
.els-p { left: 0; background: var(--edt-linear); }
.els-target { width: 3px; margin-left: -1.5px; top: -4px !important; bottom: -4px !important; background: var(--edt-text); }
.els-g { background: var(--edt-grad); }
.els-zero { left: 50%; width: 1px; top: -4px !important; bottom: -4px !important; background: var(--edt-line); }
.els-heads { padding-bottom: 0; border-top: 0; color: var(--edt-muted); font-size: 12px; }
.els-heads .els-bar { align-self: flex-end; }
.edutorch .els-table { width: auto; margin: 8px 12px 10px; }
.els-table caption { text-align: left; padding: 2px 0 4px; color: var(--edt-muted); }
.edutorch .els-table :is(th, td) { padding: 2px 10px 2px 0; text-align: right; }
.edutorch .els-table th:first-child { max-width: 110px; overflow: hidden; text-align: left; text-overflow: ellipsis; }
.edutorch .els-bad { color: var(--edt-bad); font-weight: 600; }
`;

interface State extends Settings {
  classes: string[];
}

/** The elements of the page for one class. */
interface Row {
  element: HTMLElement;
  slider: Slider;
  p: HTMLElement;
  target: HTMLElement;
  gradient: HTMLElement;
  shownP: HTMLElement;
  shownGradient: HTMLElement;
}

class LogitSliders {
  private readonly life = new Lifetime();
  private readonly state: State;
  private readonly rows: Row[];
  private readonly right = html("select", { "data-testid": "right" });
  private readonly shift = named("added to all", "shift", -SHIFT, SHIFT, 1);
  private readonly smoothing = named("label smoothing", "smoothing", 0, 0.5, 0.01);
  private readonly temperature = named("temperature", "temperature", 0.1, 5, 0.1);
  private readonly shifts = html("span", {
    class: "edt-group",
    role: "group",
    "aria-label": "Added to all logits",
  });
  private readonly verdict = html("p", {
    class: "els-verdict",
    role: "status",
    "data-testid": "verdict",
  });
  private readonly cells = html("tbody", { "data-testid": "cells" });
  /** computes and draws at most once per frame, however fast a slider moves */
  private readonly redraw = this.life.perFrame(() => this.draw());

  constructor(model: Model, root: HTMLElement) {
    const state = model.get("data") as State;
    this.state = { ...state, logits: [...state.logits] };
    this.rows = this.state.classes.map((name, i) => row(name, i));
    const style = html("style");
    style.textContent = STYLE;
    root.append(style, this.choices(), heads(), ...this.rows.map((r) => r.element));
    root.append(this.verdict, this.settings(), this.table());
    this.listen();
    this.draw();
  }

  end(): void {
    this.life.end();
  }

  /** The right class, and named logits. */
  private choices(): HTMLElement {
    this.state.classes.forEach((name, i) => {
      this.right.append(html("option", { value: i }, name));
    });
    const presets = html("span", { class: "edt-group", role: "group" });
    for (const [name, label, right, other] of PRESETS) {
      const made = button(name, label, { "data-testid": name.replaceAll(" ", "-") });
      this.life.listen(made, "click", () => this.preset(right, other));
      presets.append(made);
    }
    const label = html("label", {}, "right class ", this.right);
    return html("div", { class: "els-controls" }, label, presets);
  }

  /** Changes to all logits, or to the targets. */
  private settings(): HTMLElement {
    for (const shift of SHIFTS) {
      const face = shift > 0 ? `+${shift}` : String(shift).replace("-", "−");
      const made = button(face, `${face} added to all logits`, {
        "data-testid": `shift${shift}`,
      });
      this.life.listen(made, "click", () => this.change({ shift }));
      this.shifts.append(made);
    }
    const sliders = [this.smoothing, this.temperature];
    const shift = html("div", { class: "els-shift" }, this.shifts, this.shift.row);
    return html(
      "div",
      { class: "els-controls" },
      shift,
      ...sliders.map((made) => made.row),
    );
  }

  private table(): HTMLElement {
    const names = ["class", "p", "gradient", "exp, paper", "p, paper"];
    const head = html(
      "tr",
      {},
      ...names.map((name) => html("th", { scope: "col" }, name)),
    );
    return html(
      "table",
      { class: "els-table" },
      html("caption", {}, "The numbers in float32: stable, and as on paper"),
      html("thead", {}, head),
      this.cells,
    );
  }

  private listen(): void {
    const { life, rows } = this;
    const value = (made: Slider) => Number(made.input.value);
    rows.forEach((made, i) => {
      life.listen(made.slider.input, "input", () => {
        this.state.logits[i] = value(made.slider);
        this.redraw();
      });
    });
    life.listen(this.right, "change", () =>
      this.change({ right: Number(this.right.value) }),
    );
    life.listen(this.shift.input, "input", () =>
      this.change({ shift: value(this.shift) }),
    );
    life.listen(this.smoothing.input, "input", () =>
      this.change({ smoothing: value(this.smoothing) }),
    );
    life.listen(this.temperature.input, "input", () =>
      this.change({ temperature: value(this.temperature) }),
    );
  }

  /** A logit for the right class, one for the next class, and 0 for the others. */
  private preset(right: number, other: number): void {
    const { state } = this;
    const next = (state.right + 1) % state.logits.length;
    state.logits = state.logits.map((_, i) =>
      i === state.right ? right : i === next ? other : 0,
    );
    this.redraw();
  }

  private change(some: Partial<State>): void {
    Object.assign(this.state, some);
    this.redraw();
  }

  private draw(): void {
    const { state } = this;
    const numbers = numbersOf(state);
    this.right.value = String(state.right);
    show(this.shift, state.shift);
    show(this.smoothing, state.smoothing);
    show(this.temperature, state.temperature);
    for (const [i, made] of [...this.shifts.children].entries())
      attr(made, { "aria-pressed": String(SHIFTS[i] === state.shift) });
    this.rows.forEach((made, i) => {
      this.drawRow(made, i, numbers);
    });
    const told = verdict(numbers);
    const bad = !Number.isFinite(numbers.paperLoss);
    const [stable, paper] = told.split(/(?<=\.) (?=On paper)/);
    this.verdict.replaceChildren(
      html("strong", {}, `${stable} `),
      html("span", { class: bad && "els-bad" }, paper),
    );
    refill(this.cells, ...state.classes.map((name, i) => cellsOf(name, i, numbers)));
  }

  private drawRow(made: Row, i: number, numbers: Numbers): void {
    const { right, logits } = this.state;
    const [p, g] = [numbers.p[i], numbers.gradient[i]];
    attr(made.element, { "data-right": i === right });
    show(made.slider, logits[i]);
    made.p.style.width = cssPercent(p);
    made.target.style.left = cssPercent(numbers.targets[i]);
    const long = Math.min(1, Math.abs(g)) / 2;
    made.gradient.style.left = cssPercent(g < 0 ? 0.5 - long : 0.5);
    made.gradient.style.width = cssPercent(long);
    setText(made.shownP, number(p));
    setText(made.shownGradient, number(g));
  }
}

function cssPercent(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}

function cellsOf(name: string, i: number, numbers: Numbers): HTMLElement {
  const { p, gradient, paperExp, paperP } = numbers;
  const values = [p[i], gradient[i], paperExp[i], paperP[i]];
  const cells = values.map((v) =>
    html("td", { class: !Number.isFinite(v) && "els-bad" }, number(v)),
  );
  return html("tr", {}, html("th", { scope: "row" }, name), ...cells);
}

function heads(): HTMLElement {
  return html(
    "div",
    { class: "els-row els-heads", "aria-hidden": true },
    html("span", { class: "els-slider" }, "logit"),
    html(
      "span",
      { class: "els-pair" },
      html("span", { class: "els-bar" }, "p, with a mark at its target"),
      html("span", { class: "els-bar" }, "gradient, from -1 to 1"),
    ),
  );
}

/** A slider for a class's logit, and two bars. */
function row(name: string, i: number): Row {
  const made = named(name, `logit-${i}`, -FARTHEST, FARTHEST, 0.1);
  const [p, target, gradient] = ["els-p", "els-target", "els-g"].map((look) =>
    html("span", { class: look }),
  );
  const zero = html("span", { class: "els-zero" });
  const [shownP, shownGradient] = ["p", "gradient"].map((what) =>
    html("output", { "data-testid": `${what}-${i}` }),
  );
  const pair = html(
    "span",
    { class: "els-pair" },
    html(
      "span",
      { class: "els-bar" },
      html("span", { class: "els-track" }, p, target),
      shownP,
    ),
    html(
      "span",
      { class: "els-bar" },
      html("span", { class: "els-track" }, gradient, zero),
      shownGradient,
    ),
  );
  const element = html("div", { class: "els-row" }, made.row, pair);
  return { element, slider: made, p, target, gradient, shownP, shownGradient };
}

function named(name: string, id: string, min: number, max: number, step: number) {
  const title = html("span", { class: "els-name" }, name);
  return slider("els-slider", id, title, [min, max, step]);
}

function show(made: Slider, value: number): void {
  made.show(value, number(value));
}

/** Draw the interaction; returns a function that ends it. */
export function renderLogitSliders(model: Model, el: HTMLElement): () => void {
  const made = new LogitSliders(model, el);
  return () => made.end();
}

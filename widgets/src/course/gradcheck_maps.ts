/**
 * A gradient check in the page: gradients of a small layer by backward and by central
 * differences, and their difference, as maps. The reader chooses a mistake in backward,
 * moves the step, and goes from cell to cell by pointer or arrow keys.
 *
 * The Python half is `edutorch/course/interactions/gradcheck_maps.py`.
 */
import { attr, html, refill, setText, svg } from "../dom";
import { number } from "../format";
import { Lifetime, type Model } from "../model";
import { inkOn, valueColour } from "../value_colours";
import { choice } from "./controls";
import {
  type Compared,
  checked,
  errorsByStep,
  type Layer,
  type Matrix,
  MISTAKES,
  NAMES,
  type Name,
  type Precision,
  passes,
  STEPS,
  stepText,
  TOLERANCES,
  verdict,
} from "./gradcheck_numbers";

/** the size of the board and of the chart, in units of their pictures */
const CELL = 28;
const LEFT = 20;
const APART = 128;
const GAP = 10;
const HEAD = 20;
const WIDE = 400;
const HIGH = 300;
const AXIS = 44;
const COLUMNS = ["analytic", "numeric", "difference"];
/** the powers of ten at the ends of the chart */
const LOWEST = -13;
const HIGHEST = 1;
/** the colours of an error of at most 1e-12, and of 1 or more */
const NO_ERROR = [247, 248, 250];
const ERROR = [192, 16, 64];
const NOTE =
  "y = (x @ w + b)³ with matrices of 4 × 4, and b with 4 numbers; blue is negative, " +
  "orange positive. The difference is relative: white up to 1e-12, red from 1 on, with " +
  "✕ where it is beyond the tolerance. Point at a cell, or use the arrow keys.";

const STYLE = `
.egm-controls { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 18px; padding: 10px 12px 4px; }
.edutorch .egm-controls select { max-width: none; }
.egm-slider { display: flex; flex: 1 1 240px; align-items: center; gap: 8px; white-space: nowrap; }
.egm-slider input { flex: 1; min-width: 60px; accent-color: var(--edt-accent); }
.egm-slider output { min-width: 46px; font-variant-numeric: tabular-nums; }
.egm-verdict { margin: 4px 12px; min-height: 86px; font-size: 14px; font-variant-numeric: tabular-nums; }
.egm-verdict p { margin: 0; line-height: 1.5; }
.edutorch .egm-bad { color: var(--edt-bad); }
.egm-pair { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 4px 20px; padding: 0 12px; }
.egm-pair > * { flex: 1 1 320px; min-width: 0; max-width: 480px; }
.egm-board text { fill: var(--edt-text); font-size: 13px; }
.egm-board .egm-head, .egm-chart text { fill: var(--edt-muted); font-size: 12px; }
.egm-board .egm-wrong { font-size: 13px; pointer-events: none; }
.egm-board .egm-differ { fill: var(--edt-bad); font-weight: 600; }
.egm-cell { stroke: var(--edt-grid); }
.egm-at { fill: none; stroke: var(--edt-text); stroke-width: 2.5; pointer-events: none; }
.egm-grid { stroke: var(--edt-grid); }
.egm-line { fill: none; stroke: var(--edt-linear); stroke-width: 2; }
.egm-dot { fill: var(--edt-linear); stroke: var(--edt-bg); stroke-width: 1.5; }
.egm-tolerance { stroke: var(--edt-bad); stroke-dasharray: 4 4; }
.egm-chart .egm-tolerance-name { fill: var(--edt-bad); }
.egm-board { display: block; width: 100%; }
.edutorch .egm-said { margin: 6px 0; min-height: 42px; font-variant-numeric: tabular-nums; }
.edutorch .egm-note { margin: 0 12px 8px; color: var(--edt-muted); font-size: 12px; }
.egm-table { margin: 0 12px 10px; }
.egm-table summary { cursor: pointer; color: var(--edt-muted); font-size: 12px; }
.edutorch .egm-table table { width: auto; }
.edutorch .egm-table :is(th, td) { padding: 1px 14px 1px 0; text-align: right; font-variant-numeric: tabular-nums; }
`;

interface State {
  mistake: string;
  precision: Precision;
  step: number;
  tolerance: number;
  layer: Layer;
}

interface Place {
  name: Name;
  i: number;
  j: number;
}

class GradcheckMaps {
  private readonly life = new Lifetime();
  private readonly state: State;
  private found: Record<Name, Compared>;
  private errors: number[] = [];
  private at: Place = { name: "w", i: 0, j: 0 };
  private readonly mistake = choice("mistake", Object.entries(MISTAKES));
  private readonly precision = choice("precision", [
    ["float64", "float64"],
    ["float32", "float32"],
  ]);
  private readonly tolerance = choice(
    "tolerance",
    TOLERANCES.map((t) => [String(t), stepText(t)]),
  );
  private readonly slider = html("input", {
    type: "range",
    min: 0,
    max: STEPS.length - 1,
    step: 1,
    "data-testid": "step",
  });
  private readonly shownStep = html("output");
  private readonly verdict = html("div", {
    class: "egm-verdict",
    role: "status",
    "data-testid": "verdict",
  });
  private readonly board = svg("svg", {
    class: "egm-board",
    tabindex: 0,
    role: "application",
    "data-testid": "board",
    "aria-label": "Maps of the gradients. Arrow keys go from cell to cell.",
  });
  private readonly chart = svg("svg", {
    class: "egm-chart",
    viewBox: `0 0 ${WIDE} ${HIGH}`,
    role: "img",
  });
  private readonly said = html("p", {
    class: "egm-said",
    "aria-live": "polite",
    "data-testid": "said",
  });
  private readonly rows = html("tbody", { "data-testid": "rows" });
  /** draws at most once per frame, however fast the slider moves */
  private readonly redraw = this.life.perFrame(() => this.draw());

  constructor(model: Model, root: HTMLElement) {
    this.state = { ...(model.get("data") as State) };
    const style = html("style");
    style.textContent = STYLE;
    const pair = html("div", { class: "egm-pair" });
    pair.append(html("div", {}, this.board, this.said), this.chart);
    const note = html("p", { class: "egm-note" }, NOTE);
    root.append(style, this.controls(), this.verdict, pair, note);
    root.append(this.table());
    this.found = this.compute();
    this.newCurve();
    this.listen();
    this.draw();
  }

  end(): void {
    this.life.end();
  }

  private controls(): HTMLElement {
    const { mistake, precision, tolerance } = this.state;
    this.mistake.value = mistake;
    this.precision.value = precision;
    this.tolerance.value = String(tolerance);
    return html(
      "div",
      { class: "egm-controls" },
      html("label", {}, "mistake ", this.mistake),
      html("label", {}, "precision ", this.precision),
      html("label", {}, "tolerance ", this.tolerance),
      html(
        "label",
        { class: "egm-slider" },
        html("span", {}, "step h"),
        this.slider,
        this.shownStep,
      ),
    );
  }

  private table(): HTMLElement {
    const head = ["", ...COLUMNS].map((name) => html("th", { scope: "col" }, name));
    const table = html("table", {}, html("thead", {}, html("tr", {}, ...head)));
    table.append(this.rows);
    const summary = html("summary", {}, "All numbers as a table");
    return html("details", { class: "egm-table" }, summary, table);
  }

  private listen(): void {
    const { life, state } = this;
    life.listen(this.mistake, "change", () => {
      state.mistake = this.mistake.value;
      this.newCurve();
    });
    life.listen(this.precision, "change", () => {
      state.precision = this.precision.value as Precision;
      this.newCurve();
    });
    life.listen(this.tolerance, "change", () => {
      state.tolerance = Number(this.tolerance.value);
      this.redraw();
    });
    life.listen(this.slider, "input", () => {
      state.step = Number(this.slider.value);
      this.redraw();
    });
    for (const type of ["pointerover", "pointerdown"] as const)
      life.listen(this.board, type, ({ target }) => {
        const cell = target instanceof Element && target.getAttribute("data-cell");
        if (cell) this.goTo(cell);
      });
    life.listen(this.board, "keydown", (event) => this.key(event));
  }

  private goTo(cell: string): void {
    const [name, i, j] = cell.split(" ");
    this.at = { name: name as Name, i: Number(i), j: Number(j) };
    this.redraw();
  }

  private key(event: KeyboardEvent): void {
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    const rows = NAMES.flatMap((name) =>
      this.found[name].analytic.map((_, i) => ({ name, i })),
    );
    const { name, i, j } = this.at;
    const row = rows.findIndex((r) => r.name === name && r.i === i) + move[0];
    const next = rows[Math.min(rows.length - 1, Math.max(0, row))];
    this.at = { ...next, j: Math.min(3, Math.max(0, j + move[1])) };
    this.redraw();
  }

  private compute(): Record<Name, Compared> {
    const { layer, precision, mistake, step } = this.state;
    return checked(layer, precision, mistake, STEPS[step]);
  }

  private newCurve(): void {
    const { layer, precision, mistake } = this.state;
    this.errors = errorsByStep(layer, precision, mistake);
    this.redraw();
  }

  // ---- drawing

  private draw(): void {
    const { step, tolerance } = this.state;
    this.found = this.compute();
    const rows = this.found[this.at.name].analytic.length;
    this.at.i = Math.min(this.at.i, rows - 1);
    this.slider.value = String(step);
    setText(this.shownStep, stepText(STEPS[step]));
    attr(this.slider, { "aria-valuetext": stepText(STEPS[step]) });
    this.drawVerdict(tolerance);
    this.drawBoard(tolerance);
    refill(this.chart, ...chartOf(this.errors, step, tolerance));
    const label = `The largest error over the step: ${number(this.errors[step])} now.`;
    attr(this.chart, { "aria-label": label });
    setText(this.said, this.words());
    refill(this.rows, ...this.tableRows());
  }

  private drawVerdict(tolerance: number): void {
    const good = passes(this.found, tolerance);
    const head = good ? "The check passes." : "The check fails.";
    const lines = NAMES.map((name) => {
      const words = verdict(name, this.found[name], tolerance);
      return html("p", { class: !words.includes("agrees") && "egm-bad" }, words);
    });
    refill(this.verdict, html("p", {}, html("strong", {}, head)), ...lines);
  }

  private drawBoard(tolerance: number): void {
    const parts: SVGElement[] = COLUMNS.map((name, column) => {
      const x = LEFT + column * APART + 2 * CELL;
      return svg(
        "text",
        { x, y: 13, class: "egm-head", "text-anchor": "middle" },
        name,
      );
    });
    let top = HEAD;
    for (const name of NAMES) {
      parts.push(svg("text", { x: 2, y: top + 19 }, name));
      parts.push(...this.maps(name, top, tolerance));
      top += CELL * this.found[name].analytic.length + GAP;
    }
    attr(this.board, { viewBox: `0 0 ${LEFT + 2 * APART + 4 * CELL + 4} ${top}` });
    refill(this.board, ...parts);
  }

  /** The three maps of a tensor, with a frame around the described cell. */
  private maps(name: Name, top: number, tolerance: number): SVGElement[] {
    const { analytic, numeric, errors } = this.found[name];
    const sizes = [...analytic, ...numeric].flat().map(Math.abs);
    const bound = Math.max(...sizes);
    const parts: SVGElement[] = [];
    const frames: SVGElement[] = [];
    [analytic, numeric, errors ?? []].forEach((values, column) => {
      const left = LEFT + column * APART;
      eachOf(values, (value, i, j) => {
        const x = left + CELL * j;
        const y = top + CELL * i;
        const shade = column === 2 ? errorColour(value) : valueColour(value, bound);
        const box = { x, y, width: CELL - 1, height: CELL - 1 };
        const fill = `rgb(${shade})`;
        const cell = `${name} ${i} ${j}`;
        parts.push(svg("rect", { ...box, fill, class: "egm-cell", "data-cell": cell }));
        if (column === 2 && value > tolerance) {
          const ink = value > 1e-5 ? "#ffffff" : inkOn(0, 1);
          const place = { x: x + CELL / 2 - 0.5, y: y + CELL / 2 + 4 };
          const look = { fill: ink, class: "egm-wrong", "text-anchor": "middle" };
          parts.push(svg("text", { ...place, ...look, style: `fill: ${ink}` }, "✕"));
        }
        if (this.at.name === name && this.at.i === i && this.at.j === j)
          frames.push(svg("rect", { ...box, class: "egm-at" }));
      });
    });
    if (!errors)
      parts.push(
        svg(
          "text",
          { x: LEFT + 2 * APART, y: top + 19, class: "egm-differ" },
          "shapes differ",
        ),
      );
    return [...parts, ...frames];
  }

  /** A description of the described cell. */
  private words(): string {
    const { name, i, j } = this.at;
    const { analytic, numeric, errors } = this.found[name];
    const a = analytic[i][j];
    if (!errors) {
      const told = `the numeric gradient of b[${j}] is ${long(numeric[0][j])}`;
      return `${name}[${i}, ${j}]: analytic ${long(a)}; ${told}`;
    }
    const n = numeric[i][j];
    const wrong = errors[i][j] > this.state.tolerance ? ": beyond the tolerance" : "";
    return (
      `${indexText(name, i, j)}: analytic ${long(a)}, numeric ${long(n)}, difference ` +
      `${number(a - n)}, relative ${number(errors[i][j])}${wrong}`
    );
  }

  private tableRows(): HTMLElement[] {
    return NAMES.flatMap((name) => {
      const { analytic, numeric, errors } = this.found[name];
      const made: HTMLElement[] = [];
      eachOf(analytic, (a, i, j) => {
        const n = numeric[errors ? i : 0][j];
        const head = errors ? indexText(name, i, j) : `${name}[${i}, ${j}]`;
        const cells = [long(a), errors ? long(n) : "–", number(errors?.[i][j])];
        made.push(
          html(
            "tr",
            {},
            html("th", { scope: "row" }, head),
            ...cells.map((text) => html("td", {}, text)),
          ),
        );
      });
      return made;
    });
  }
}

function eachOf(
  values: Matrix,
  action: (value: number, i: number, j: number) => void,
): void {
  values.forEach((row, i) => {
    row.forEach((value, j) => {
      action(value, i, j);
    });
  });
}

const indexText = (name: Name, i: number, j: number) =>
  name === "b" ? `b[${j}]` : `${name}[${i}, ${j}]`;

/** Nine digits, for numbers that differ only in the last ones. */
const long = (value: number) => String(Number(value.toPrecision(9)));

/** A colour from white (error up to 1e-12) to red (1 or more), on a log scale. */
function errorColour(error: number): number[] {
  const share = Math.log10(Math.max(error, 1e-300)) / 12 + 1;
  const t = Math.min(1, Math.max(0, share));
  return NO_ERROR.map((c, i) => Math.floor(c + (ERROR[i] - c) * t + 0.5));
}

/** The largest error by step size, with the tolerance and the current step size. */
function chartOf(errors: number[], step: number, tolerance: number): SVGElement[] {
  const wide = WIDE - AXIS - 12;
  const high = HIGH - 56;
  const x = (index: number) => AXIS + (wide * index) / (STEPS.length - 1);
  const y = (error: number) => {
    const power = Math.log10(Math.max(error, 1e-300));
    const kept = Math.min(HIGHEST, Math.max(LOWEST, power));
    return 22 + (high * (HIGHEST - kept)) / (HIGHEST - LOWEST);
  };
  const grid = [0, -4, -8, -12].flatMap((power) => {
    const at = y(10 ** power);
    const words = power === 0 ? "1" : `1e${power}`;
    return [
      svg("line", { x1: AXIS, x2: AXIS + wide, y1: at, y2: at, class: "egm-grid" }),
      svg("text", { x: AXIS - 6, y: at + 4, "text-anchor": "end" }, words),
    ];
  });
  const ticks = [0, 15, 30, 45].map((index) =>
    svg(
      "text",
      { x: x(index), y: high + 38, "text-anchor": "middle" },
      stepText(STEPS[index]),
    ),
  );
  const limit = y(tolerance);
  return [
    ...grid,
    ...ticks,
    svg("text", { x: AXIS, y: 12 }, "largest error"),
    svg("text", { x: AXIS + wide / 2, y: HIGH - 3, "text-anchor": "middle" }, "step h"),
    svg("line", {
      x1: AXIS,
      x2: AXIS + wide,
      y1: limit,
      y2: limit,
      class: "egm-tolerance",
    }),
    svg(
      "text",
      {
        x: AXIS + wide,
        y: limit - 4,
        "text-anchor": "end",
        class: "egm-tolerance-name",
      },
      "tolerance",
    ),
    svg("polyline", {
      points: errors.map((e, i) => `${x(i).toFixed(1)},${y(e).toFixed(1)}`).join(" "),
      class: "egm-line",
    }),
    svg("circle", { cx: x(step), cy: y(errors[step]), r: 5, class: "egm-dot" }),
  ];
}

/** Draw the interaction; returns a function that ends it. */
export function renderGradcheckMaps(model: Model, el: HTMLElement): () => void {
  const made = new GradcheckMaps(model, el);
  return () => made.end();
}

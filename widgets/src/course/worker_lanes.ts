/**
 * A loader's workers and the trainer as lanes of time: the reader moves how many workers
 * there are and what everything takes, sees the trainer wait, and steps through time.
 *
 * The Python half is `edutorch/course/interactions/worker_lanes.py`.
 */
import { attr, html, refill, svg } from "../dom";
import { Lifetime, type Model } from "../model";
import { chartWidth, USUAL_WIDTH } from "./chart_width";
import { slider, stepButtons } from "./controls";
import {
  type Batch,
  facts,
  lanesAt,
  moments,
  type Settings,
  schedule,
  withoutWorkers,
} from "./worker_schedule";

/** name, label, smallest, largest, step */
type Range = ["workers" | "load" | "step" | "prefetch", string, number, number, number];
const RANGES: Range[] = [
  ["workers", "workers", 0, 6, 1],
  ["load", "load a batch", 10, 120, 10],
  ["step", "training step", 10, 120, 10],
  ["prefetch", "prefetch factor", 1, 4, 1],
];
/** sizes in pixels; the picture is as wide as its container */
const NARROWEST = 300;
const WIDEST = 960;
const LEFT = 62;
const HIGH = 26;
const TOP = 8;
const FOOT = 22;
/** ms between grid lines, and their smallest distance */
const APART = 56;
const GAPS = [50, 100, 200, 500, 1000, 2000];
/** the smallest width of a batch with a number */
const LETTER = 7;

const STYLE = `
.ewl-controls { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 20px; padding: 10px 12px 4px; }
.ewl-slider { display: flex; flex: 1 1 240px; align-items: center; gap: 8px; white-space: nowrap; }
.ewl-slider > span { min-width: 96px; }
.ewl-slider input { flex: 1; min-width: 60px; accent-color: var(--edt-accent); }
.ewl-slider output { min-width: 52px; font-variant-numeric: tabular-nums; }
.edutorch .ewl-facts { margin: 6px 12px; min-height: 40px; font-size: 14px; font-variant-numeric: tabular-nums; }
.ewl-facts strong { display: block; }
.ewl-chart { display: block; margin: 0 12px; }
.ewl-chart text { fill: var(--edt-muted); font-size: 12px; }
.ewl-chart .ewl-name { fill: var(--edt-text); }
.ewl-chart .ewl-number { fill: var(--edt-bg); font-size: 11px; }
.ewl-chart .ewl-on-wait { fill: var(--edt-bad); font-size: 11px; font-weight: 600; }
.ewl-grid { stroke: var(--edt-grid); }
.ewl-load { fill: var(--edt-linear); }
.ewl-train { fill: var(--edt-pointwise); }
.ewl-wait { fill: var(--edt-bad); fill-opacity: .16; stroke: var(--edt-bad); stroke-width: 1.4; stroke-dasharray: 3 2; }
.ewl-now { stroke: var(--edt-text); stroke-width: 1.5; }
.ewl-key { display: flex; flex-wrap: wrap; gap: 2px 16px; padding: 2px 12px; color: var(--edt-muted); font-size: 12px; }
.ewl-key svg { vertical-align: -1px; margin-right: 4px; }
.ewl-time { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 14px; padding: 6px 12px; }
.edutorch .ewl-lanes { width: auto; margin: 2px 12px 6px; }
.edutorch .ewl-lanes :is(th, td) { padding: 1px 18px 1px 0; }
.edutorch .ewl-table { margin: 4px 12px 10px; }
.ewl-table summary { cursor: pointer; color: var(--edt-muted); font-size: 12px; }
.edutorch .ewl-table table { width: auto; }
.edutorch .ewl-table :is(th, td) { padding: 1px 16px 1px 0; text-align: right; font-variant-numeric: tabular-nums; }
`;

class WorkerLanes {
  private readonly life = new Lifetime();
  private readonly state: Settings;
  /** the index of the moment shown */
  private place = 0;
  private wide = USUAL_WIDTH;
  private made: Batch[] = [];
  private readonly sliders = RANGES.map(([name, words, ...range]) =>
    slider("ewl-slider", name, html("span", {}, words), range),
  );
  private readonly slow = html("input", { type: "checkbox", "data-testid": "slow" });
  private readonly time = slider(
    "ewl-slider",
    "time",
    html("span", {}, "time"),
    [0, 1, 1],
  );
  private readonly facts = html("p", {
    class: "ewl-facts",
    role: "status",
    "data-testid": "facts",
  });
  private readonly chart = svg("svg", {
    class: "ewl-chart",
    role: "img",
    "data-testid": "chart",
    "aria-label":
      "A lane for the trainer and for each worker; the table says the same.",
  });
  private readonly key = html("div", { class: "ewl-key", "aria-hidden": true });
  private readonly lanes = html("tbody", { "data-testid": "lanes" });
  private readonly rows = html("tbody", { "data-testid": "rows" });
  /** draws at most once per frame, however fast a slider moves */
  private readonly redraw = this.life.perFrame(() => this.draw());

  constructor(model: Model, root: HTMLElement) {
    this.state = { ...(model.get("data") as Settings) };
    const style = html("style");
    style.textContent = STYLE;
    const now = html(
      "table",
      { class: "ewl-lanes", "aria-live": "polite" },
      this.lanes,
    );
    root.append(style, this.controls(), this.facts, this.chart, this.key);
    root.append(this.stepper(), now, this.table());
    this.listen();
    this.life.onAppearance(root, () => this.fit(root));
    this.fit(root);
  }

  private fit(root: HTMLElement): void {
    this.wide = chartWidth(root, NARROWEST, WIDEST);
    this.draw();
  }

  end(): void {
    this.life.end();
  }

  private controls(): HTMLElement {
    this.slow.checked = this.state.slow;
    const slow = html("label", {}, this.slow, " every fifth batch is slow (4 ×)");
    const rows = this.sliders.map(({ row }) => row);
    return html("div", { class: "ewl-controls" }, ...rows, slow);
  }

  private stepper(): HTMLElement {
    const buttons = stepButtons(this.life, ["Previous moment", "Next moment"], (by) =>
      this.go(this.place + by),
    );
    return html("div", { class: "ewl-time" }, buttons, this.time.row);
  }

  private table(): HTMLElement {
    const names = ["batch", "worker", "begun", "ready", "taken", "waited"];
    const head = names.map((name) => html("th", { scope: "col" }, name));
    const table = html("table", {}, html("thead", {}, html("tr", {}, ...head)));
    table.append(this.rows);
    const summary = html("summary", {}, "The times of each batch, in ms");
    return html("details", { class: "ewl-table" }, summary, table);
  }

  private listen(): void {
    for (const [i, [name]] of RANGES.entries()) {
      const { input } = this.sliders[i];
      this.life.listen(input, "input", () => {
        this.state[name] = Number(input.value);
        this.redraw();
      });
    }
    this.life.listen(this.slow, "change", () => {
      this.state.slow = this.slow.checked;
      this.redraw();
    });
    const { input } = this.time;
    this.life.listen(input, "input", () => this.go(Number(input.value)));
  }

  private go(place: number): void {
    this.place = Math.max(0, Math.min(place, moments(this.made).length - 1));
    this.redraw();
  }

  private draw(): void {
    this.made = schedule(this.state);
    const { workers, load, step, prefetch } = this.state;
    const units = [String(workers), `${load} ms`, `${step} ms`, String(prefetch)];
    const values = [workers, load, step, prefetch];
    for (const [i, made] of this.sliders.entries()) made.show(values[i], units[i]);
    this.sliders[3].input.disabled = workers === 0;
    const times = moments(this.made);
    this.place = Math.min(this.place, times.length - 1);
    const at = times[this.place];
    attr(this.time.input, { max: times.length - 1 });
    this.time.show(this.place, `${at} ms`);
    const [first, second] = facts(this.made);
    refill(this.facts, html("strong", {}, first), html("span", {}, second));
    this.drawLanes(at);
    this.drawKey();
    const words = lanesAt(this.made, at);
    refill(
      this.lanes,
      ...words.map((doing, i) =>
        html("tr", {}, html("th", { scope: "row" }, lane(i)), html("td", {}, doing)),
      ),
    );
    refill(this.rows, ...this.made.map((b, k) => rowOf(b, k)));
  }

  private drawLanes(at: number): void {
    const { workers } = this.state;
    const span = withoutWorkers(this.made);
    const foot = TOP + HIGH * (workers + 1);
    const room = this.wide - LEFT - 14;
    const x = (t: number) => LEFT + (room * t) / span;
    attr(this.chart, { width: this.wide, height: foot + FOOT });
    const gap = GAPS.find((g) => (room * g) / span >= APART) ?? span;
    const grid: Node[] = [];
    for (let t = 0; t <= span; t += gap) {
      const place = { x: x(t), y: foot + 16, "text-anchor": "middle" };
      grid.push(
        svg("line", { x1: x(t), x2: x(t), y1: 2, y2: foot, class: "ewl-grid" }),
        svg("text", place, t ? String(t) : "0 ms"),
      );
    }
    const names = Array.from({ length: workers + 1 }, (_, i) => {
      const place = { x: LEFT - 6, y: TOP + HIGH * i + 16, "text-anchor": "end" };
      return svg("text", { ...place, class: "ewl-name" }, lane(i));
    });
    const bars = this.made.flatMap((b, k) => barsOf(b, k, x));
    const now = { x1: x(at), x2: x(at), y1: 2, y2: foot + 4, class: "ewl-now" };
    refill(this.chart, ...grid, ...names, ...bars, svg("line", now));
  }

  private drawKey(): void {
    const names = [
      ["ewl-load", "makes a batch"],
      ["ewl-train", "trains"],
      ["ewl-wait", "waits"],
    ].slice(0, this.state.workers ? 3 : 2);
    const marks = names.map(([kind, name]) => {
      const box = svg("rect", { x: 1, y: 1, width: 12, height: 8, class: kind });
      return html("span", {}, svg("svg", { width: 14, height: 10 }, box), name);
    });
    refill(this.key, ...marks);
  }
}

function lane(i: number): string {
  return i ? `worker ${i - 1}` : "trainer";
}

/** A batch in its worker's lane and, after the wait for it, in the trainer's. */
function barsOf(b: Batch, k: number, x: (t: number) => number): Node[] {
  const made: Node[] = [];
  const bar = (begin: number, end: number, at: number, kind: string) => {
    const width = x(end) - x(begin) - 1;
    if (end === begin) return;
    const y = TOP + HIGH * at + 2;
    const place = { x: x(begin), y, width: Math.max(width, 0.5), height: HIGH - 6 };
    made.push(svg("rect", { ...place, class: kind }));
    const words = kind === "ewl-wait" ? "waits" : String(k);
    if (width < LETTER * words.length + 3) return;
    const look = kind === "ewl-wait" ? "ewl-on-wait" : "ewl-number";
    const middle = { x: x(begin) + width / 2, y: y + 14, "text-anchor": "middle" };
    made.push(svg("text", { ...middle, class: look }, words));
  };
  const alone = b.worker < 0;
  bar(b.free, b.taken, 0, alone ? "ewl-load" : "ewl-wait");
  bar(b.taken, b.done, 0, "ewl-train");
  if (!alone) bar(b.begin, b.ready, b.worker + 1, "ewl-load");
  return made;
}

function rowOf(b: Batch, k: number): HTMLElement {
  const who = b.worker < 0 ? "-" : String(b.worker);
  const times = [b.begin, b.ready, b.taken, b.taken - b.free].map(String);
  return html(
    "tr",
    {},
    ...[String(k), who, ...times].map((text) => html("td", {}, text)),
  );
}

export function renderWorkerLanes(model: Model, el: HTMLElement): () => void {
  const lanes = new WorkerLanes(model, el);
  return () => lanes.end();
}

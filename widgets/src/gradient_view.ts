/**
 * GradientView: where does the gradient vanish or explode, and since when?
 *
 * The Python half is `edutorch/widgets/gradient_view.py`. Synced traits: `data`, `frozen`,
 * `status`. A heat map of log10 of the gradient norm, layer by step; or lines.
 */
import { availableWidth, label, moved, type Plot, pointer } from "./chart";
import { attr, button, consume, html, refill, setText, svg } from "./dom";
import { number, plural } from "./format";
import { alerts, brokenCells, MARK_SIGN, marksAt } from "./gradient_alerts";
import {
  heatMap,
  labelWidth,
  legendOf,
  lineChart,
  type Range,
  rangeOf,
  stepsTitle,
} from "./gradient_charts";
import type { GradientData } from "./gradient_types";
import type { Model } from "./model";
import { readout, Shell } from "./shell";

const EMPTY: GradientData = {
  v: 1,
  rev: 0,
  layers: [],
  steps: [],
  norms: [],
  marks: [],
  stride: 1,
};
const ROW = 20;
const MAX_HEIGHT = 420;

class GradientView {
  private readonly shell: Shell;
  private readonly chart = html("div", {
    class: "edt-chart",
    tabindex: 0,
    role: "application",
    "aria-label":
      "Gradient norms by layer and step. Arrow keys move from cell to cell.",
  });
  private readonly readout = readout();
  private readonly keys = html("ul", { class: "edt-keys" });
  private readonly marks = html("ul", { class: "edt-marks", "aria-label": "Alerts" });
  private readonly empty = html(
    "p",
    { class: "edt-empty" },
    "No gradients yet. They appear after the first optimizer.step().",
  );
  private readonly cursor = svg("rect", { class: "edt-cursor", rx: 2 });
  private data = EMPTY;
  private lines = false;
  /** all alerts are listed, not only the newest */
  private whole = false;
  private cell: [number, number] | null = null;
  private plot: Plot = { left: 0, top: 0, width: 1, height: 1 };
  private range: Range = { low: -1, high: 1 };

  constructor(
    private readonly model: Model,
    el: HTMLElement,
  ) {
    this.shell = new Shell(model, el, "gradient", "Gradients");
    this.addModes();
    this.shell.root.append(this.empty, this.chart, this.readout, this.keys, this.marks);
    const { life } = this.shell;
    pointer(
      life,
      this.chart,
      (x, y) => this.point(x, y),
      () => this.show(null),
    );
    life.listen(this.chart, "keydown", (event) => this.key(event));
    life.listen(this.marks, "click", ({ target }) => {
      if (!(target instanceof HTMLButtonElement)) return;
      this.whole = !this.whole;
      this.listMarks();
    });
    life.onAppearance(this.chart, () => this.draw());
    this.shell.follow(() => this.update());
  }

  end(): void {
    this.shell.life.end();
  }

  private addModes(): void {
    const group = html("span", {
      class: "edt-group",
      role: "group",
      "aria-label": "Chart",
    });
    for (const [face, lines] of [
      ["Heat map", false],
      ["Lines", true],
    ] as const) {
      const mode = button(face, face, { "aria-pressed": String(lines === this.lines) });
      this.shell.life.listen(mode, "click", () => {
        this.lines = lines;
        for (const other of group.children)
          attr(other, { "aria-pressed": String(other === mode) });
        this.draw();
      });
      group.append(mode);
    }
    this.shell.bar.append(group);
  }

  private update(): void {
    this.data = {
      ...EMPTY,
      ...((this.model.get("data") ?? {}) as Partial<GradientData>),
    };
    const { layers, steps, stride, rev } = this.data;
    this.range = rangeOf(this.data);
    this.draw();
    this.listMarks();
    const every = stride > 1 ? ` (1 of ${stride} kept)` : "";
    const last = steps.length > 0 ? steps[steps.length - 1] : null;
    const rows = plural(layers.length, "parameter");
    const columns = `${plural(steps.length, "step")}${every}`;
    this.shell.drawn(rev, `${rows} · ${columns}`, last);
  }

  private draw(): void {
    const { layers, steps } = this.data;
    const blank = layers.length === 0 || steps.length === 0;
    this.empty.hidden = !blank;
    this.chart.hidden = blank;
    this.readout.hidden = blank;
    this.keys.hidden = blank;
    if (blank) return;
    const width = availableWidth(this.chart);
    const names = this.lines ? 46 : labelWidth(layers, width);
    const rows = Math.min(MAX_HEIGHT, Math.max(96, layers.length * ROW));
    const height = this.shell.chart(this.lines ? 240 : rows);
    this.plot = { left: names, top: 8, width: width - names - 14, height };
    const picture = svg("svg", { width, height: height + 44, role: "img" });
    attr(picture, { "aria-label": "Gradient norms" });
    const paint = this.lines ? lineChart : heatMap;
    picture.append(...paint(this.data, this.plot, this.range), this.cursor);
    const middle = this.plot.left + this.plot.width / 2;
    picture.append(label(middle, height + 40, stepsTitle(this.data), "middle"));
    this.chart.replaceChildren(picture);
    this.keys.replaceChildren(...legendOf(this.data, this.range, this.lines));
    this.show(this.cell);
  }

  private point(x: number, y: number): void {
    const { layers, steps } = this.data;
    const { left, top, width, height } = this.plot;
    const column = Math.floor(((x - 10 - left) / width) * steps.length);
    const row = Math.floor(((y - 8 - top) / height) * layers.length);
    const inside =
      column >= 0 && column < steps.length && row >= 0 && row < layers.length;
    this.show(
      inside ? [column, this.lines ? this.nearestLine(column, y - 8) : row] : null,
    );
  }

  /** In the line chart the pointer selects the nearest line. */
  private nearestLine(column: number, y: number): number {
    const { low, high } = this.range;
    const want = high - ((y - this.plot.top) / this.plot.height) * (high - low);
    const distance = (norm: number | null) =>
      norm === null || norm <= 0
        ? Number.POSITIVE_INFINITY
        : Math.abs(Math.log10(norm) - want);
    const row = this.data.norms[column] ?? [];
    return row.reduce(
      (best: number, n, i) => (distance(n) < distance(row[best]) ? i : best),
      0,
    );
  }

  private key(event: KeyboardEvent): void {
    const { layers, steps } = this.data;
    const from = this.cell ?? [steps.length - 1, 0];
    const to =
      event.key === "Escape"
        ? null
        : moved(event.key, from, steps.length, layers.length);
    if (!to && event.key !== "Escape") return;
    consume(event);
    this.show(to);
  }

  /** Mark a cell and report its value. */
  private show(cell: [number, number] | null): void {
    const { layers, steps, norms } = this.data;
    this.cell = cell && cell[0] < steps.length && cell[1] < layers.length ? cell : null;
    attr(this.cursor, { visibility: this.cell ? null : "hidden" });
    if (!this.cell) {
      const hint = this.chart.hidden
        ? ""
        : "Hover over a cell or use the arrow keys to see its value.";
      setText(this.readout, hint);
      return;
    }
    const [column, row] = this.cell;
    this.placeCursor(column, row);
    const signs = marksAt(this.data, column, row).map(
      (m) => `${MARK_SIGN[m.kind]} ${m.kind}: ${m.rule}`,
    );
    const norm = norms[column]?.[row] ?? null;
    const none = () =>
      brokenCells(this.data)[column][row] ? "nan or inf" : "no gradient";
    const value = norm === null ? none() : `norm ${number(norm)}`;
    const parts = [`step ${steps[column]}`, layers[row], value, ...signs];
    setText(this.readout, parts.join(" · "));
  }

  private placeCursor(column: number, row: number): void {
    const { left, top, width, height } = this.plot;
    const w = width / this.data.steps.length;
    const h = height / this.data.layers.length;
    const cell = { x: left + column * w, y: top + row * h, width: w, height: h };
    const line = { x: left + (column + 0.5) * w, y: top, width: 0.5, height };
    attr(this.cursor, this.lines ? line : cell);
  }

  private listMarks(): void {
    const items = alerts(this.data.marks, this.whole);
    refill(this.marks, ...items);
    this.marks.hidden = items.length === 0;
  }
}

/** Draw a GradientView into `el`; returns a function that removes it. */
export function renderGradient(model: Model, el: HTMLElement): () => void {
  const view = new GradientView(model, el);
  return () => view.end();
}

/**
 * MemoryView: what fills memory, and since when?
 *
 * Python's twin is `edutorch/widgets/memory_view.py`. Synced traits: `data`, `frozen`,
 * `status`. A stacked area of bytes over time by category.
 */
import {
  label,
  moved,
  PALETTE,
  type Plot,
  pattern,
  pointer,
  rule,
  ticks,
} from "./chart";
import { attr, html, setText, svg } from "./dom";
import { bytes, number } from "./format";
import type { Model } from "./model";
import { Shell } from "./shell";
import type { MemoryData } from "./types";

const EMPTY: MemoryData = {
  v: 1,
  rev: 0,
  device: "cpu",
  kind: "",
  categories: [],
  t: [],
  bytes: [],
  marks: [],
  now: 0,
  peak: 0,
  limit: null,
  reserved: null,
};
const HEIGHT = 220;
const MAX_SAMPLES = 600;
const MAX_MARKS = 60;
let views = 0;

/** Indices of samples to draw: of too many neighbours, the one with most bytes. */
export function thin(totals: number[], most = MAX_SAMPLES): number[] {
  const step = Math.max(1, Math.ceil(totals.length / most));
  const kept: number[] = [];
  for (let i = 0; i < totals.length; i += step) {
    let best = i;
    for (let k = i; k < Math.min(i + step, totals.length); k++)
      if (totals[k] > totals[best]) best = k;
    kept.push(best);
  }
  const last = totals.length - 1;
  if (last >= 0 && kept[kept.length - 1] !== last) kept.push(last);
  return kept;
}

class MemoryView {
  private readonly shell: Shell;
  private readonly prefix = `edtm${++views}-`;
  private readonly facts = html("dl", { class: "edt-facts" });
  private readonly chart = html("div", {
    class: "edt-chart",
    tabindex: 0,
    role: "application",
    "aria-label": "Memory over time. Left and right arrow keys move in time.",
  });
  private readonly readout = html("div", {
    class: "edt-readout",
    "data-testid": "readout",
    "aria-live": "polite",
  });
  private readonly keys = html("ul", { class: "edt-keys" });
  private readonly empty = html("p", { class: "edt-empty" }, "No memory recorded yet.");
  private readonly cursor = svg("line", { class: "edt-cursor" });
  private data = EMPTY;
  private totals: number[] = [];
  private kept: number[] = [];
  private sample: number | null = null;
  private plot: Plot = { left: 0, top: 0, width: 1, height: 1 };

  constructor(
    private readonly model: Model,
    el: HTMLElement,
  ) {
    this.shell = new Shell(model, el, "memory", "Memory");
    this.shell.root.append(this.empty, this.facts, this.chart, this.readout, this.keys);
    const { life } = this.shell;
    pointer(
      life,
      this.chart,
      (x) => this.show(this.sampleAt(x - 10)),
      () => this.show(null),
    );
    life.listen(this.chart, "keydown", (event) => this.key(event));
    life.onAppearance(this.chart, () => this.draw());
    this.shell.follow(() => this.update());
  }

  end(): void {
    this.shell.life.end();
  }

  private update(): void {
    this.data = {
      ...EMPTY,
      ...((this.model.get("data") ?? {}) as Partial<MemoryData>),
    };
    this.totals = this.data.bytes.map((row) => row.reduce((a, b) => a + b, 0));
    this.kept = thin(this.totals);
    this.draw();
    const last = this.data.marks[this.data.marks.length - 1]?.name ?? "";
    const step = /^step (\d+)$/.exec(last);
    const info = `${this.data.kind || "no device"} · ${this.data.device}`;
    this.shell.drawn(this.data.rev, info, step ? Number(step[1]) : null);
  }

  private draw(): void {
    const blank = this.data.t.length === 0;
    this.empty.hidden = !blank;
    for (const part of [this.facts, this.chart, this.readout, this.keys])
      part.hidden = blank;
    if (blank) return;
    this.drawFacts();
    const width = Math.max(320, (this.chart.clientWidth || 780) - 20);
    this.plot = { left: 66, top: 12, width: width - 66 - 16, height: HEIGHT };
    const picture = svg("svg", { width, height: HEIGHT + 34, role: "img" });
    attr(picture, {
      "aria-label": `Memory by category, peak ${bytes(this.data.peak)}`,
    });
    const patterns = this.data.categories.map((_, i) =>
      pattern(`${this.prefix}${i}`, i),
    );
    picture.append(svg("defs", {}, ...patterns), ...this.axes(), ...this.areas());
    picture.append(...this.levels(), ...this.markLines(), this.cursor);
    this.chart.replaceChildren(picture);
    this.drawKeys();
    this.show(this.sample);
  }

  private drawFacts(): void {
    const { now, peak, limit, reserved, kind } = this.data;
    const facts: [string, string][] = [
      ["now", bytes(now)],
      ["peak", bytes(peak)],
      ["limit", limit === null ? "none" : bytes(limit)],
    ];
    if (reserved !== null) facts.push(["reserved by the pool", bytes(reserved)]);
    facts.push(["measured on", kind]);
    this.facts.replaceChildren(
      ...facts.map(([name, value]) =>
        html("div", {}, html("dt", {}, name), html("dd", { "data-fact": name }, value)),
      ),
    );
  }

  /** Highest value on the axis: the peak, and the limit if it is not far above. */
  private top(): number {
    const { peak, limit } = this.data;
    const seen = this.totals.reduce((a, b) => Math.max(a, b), Math.max(peak, 1));
    return (limit !== null && limit < seen * 2.5 ? Math.max(limit, seen) : seen) * 1.08;
  }

  private x(ms: number): number {
    const { t } = this.data;
    const span = Math.max(1e-9, t[t.length - 1] - t[0]);
    return this.plot.left + ((ms - t[0]) / span) * this.plot.width;
  }

  private y(n: number): number {
    return this.plot.top + (1 - n / this.top()) * this.plot.height;
  }

  private axes(): SVGElement[] {
    const { left, top, width, height } = this.plot;
    const { t } = this.data;
    const parts: SVGElement[] = [];
    for (const n of ticks(this.top(), 5, 1024)) {
      parts.push(rule(left, this.y(n), left + width, this.y(n), "edt-gridline"));
      parts.push(label(left - 8, this.y(n) + 4, bytes(n), "end"));
    }
    const seconds = (t[t.length - 1] - t[0]) / 1000;
    for (const s of ticks(seconds, Math.max(2, width / 110))) {
      const x = this.x(t[0] + s * 1000);
      parts.push(rule(x, top + height, x, top + height + 4, "edt-axis"));
      parts.push(label(x, top + height + 17, `${number(s)} s`, "middle"));
    }
    parts.push(rule(left, top + height, left + width, top + height, "edt-axis"));
    return parts;
  }

  /** One area for each category, the first at the bottom. Bytes change in jumps. */
  private areas(): SVGElement[] {
    const { categories, bytes: rows, t } = this.data;
    const under = this.kept.map(() => 0);
    return categories.map((name, j) => {
      const lower = this.outline(under, t);
      this.kept.forEach((i, k) => {
        under[k] += rows[i]?.[j] ?? 0;
      });
      const upper = this.outline(under, t);
      const d = `M${upper.join("L")}L${lower.reverse().join("L")}z`;
      const colour = PALETTE[j % PALETTE.length];
      const fill = {
        fill: `url(#${this.prefix}${j})`,
        stroke: colour,
        "stroke-width": 1,
      };
      const area = svg("path", { d, ...fill, "data-category": name });
      area.append(svg("title", {}, name));
      return area;
    });
  }

  private outline(levels: number[], t: number[]): string[] {
    const points: string[] = [];
    this.kept.forEach((i, k) => {
      const x = this.x(t[i]).toFixed(1);
      if (k > 0) points.push(`${x},${this.y(levels[k - 1]).toFixed(1)}`);
      points.push(`${x},${this.y(levels[k]).toFixed(1)}`);
    });
    return points;
  }

  private levels(): SVGElement[] {
    const { peak, limit } = this.data;
    const { left, width } = this.plot;
    const line = (n: number, name: string, dash: string) => [
      svg("path", {
        d: `M${left},${this.y(n)}H${left + width}`,
        class: "edt-level",
        "stroke-dasharray": dash,
      }),
      label(
        left + width - 4,
        this.y(n) - 5,
        `${name} ${bytes(n)}`,
        "end",
        "edt-ink edt-halo",
      ),
    ];
    const shown = limit !== null && limit <= this.top();
    return [
      ...line(peak, "peak", "5 4"),
      ...(shown ? line(limit, "limit", "1 3") : []),
    ];
  }

  private markLines(): SVGElement[] {
    const { t, marks } = this.data;
    const seen = marks.filter((m) => m.t >= t[0] && m.t <= t[t.length - 1]);
    const every = Math.max(1, Math.ceil(seen.length / MAX_MARKS));
    const { top, height } = this.plot;
    return seen
      .filter((_, i) => i % every === 0)
      .map((mark) => {
        const x = this.x(mark.t);
        const line = rule(x, top + height - 7, x, top + height, "edt-cursor");
        line.append(svg("title", {}, mark.name));
        return line;
      });
  }

  private drawKeys(): void {
    const { categories, bytes: rows } = this.data;
    const now = rows[rows.length - 1] ?? [];
    const items = categories.map((name, j) => {
      const sample = svg("rect", {
        width: 26,
        height: 13,
        rx: 3,
        fill: `url(#${this.prefix}${j})`,
      });
      return html("li", {}, svg("svg", {}, sample), `${name} ${bytes(now[j] ?? 0)}`);
    });
    this.keys.replaceChildren(...items);
  }

  private sampleAt(x: number): number | null {
    const { t } = this.data;
    const { left, width } = this.plot;
    if (x < left || x > left + width || t.length === 0) return null;
    const ms = t[0] + ((x - left) / width) * (t[t.length - 1] - t[0]);
    let at = 0;
    while (at + 1 < t.length && t[at + 1] <= ms) at++;
    return at;
  }

  private key(event: KeyboardEvent): void {
    const n = this.data.t.length;
    const to = moved(event.key, [this.sample ?? n - 1, 0], n, 1);
    if (!to && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    this.show(to ? to[0] : null);
  }

  /** Tell what was in memory at a sample. */
  private show(sample: number | null): void {
    const { t, categories, bytes: rows, marks } = this.data;
    this.sample = sample !== null && sample < t.length ? sample : null;
    attr(this.cursor, { visibility: this.sample === null ? "hidden" : null });
    if (this.sample === null) {
      setText(this.readout, "Point at the chart, or use the arrow keys, to read it.");
      return;
    }
    const i = this.sample;
    const x = this.x(t[i]);
    const { top, height } = this.plot;
    attr(this.cursor, { x1: x, x2: x, y1: top, y2: top + height });
    const each = categories.map((name, j) => `${name} ${bytes(rows[i]?.[j] ?? 0)}`);
    const mark = marks.filter((m) => m.t <= t[i]).pop()?.name;
    const head = [
      `${number((t[i] - t[0]) / 1000)} s`,
      mark,
      `total ${bytes(this.totals[i])}`,
    ];
    setText(this.readout, [...head.filter(Boolean), ...each].join(" · "));
  }
}

/** Draw a MemoryView into `el`; returns what undoes it. */
export function renderMemory(model: Model, el: HTMLElement): () => void {
  const view = new MemoryView(model, el);
  return () => view.end();
}

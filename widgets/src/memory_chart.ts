/** Stacked areas of bytes over time by category, read with the pointer or by keys. */
import {
  availableWidth,
  label,
  moved,
  PALETTE,
  type Plot,
  pattern,
  pointer,
  rule,
  ticks,
} from "./chart";
import { attr, consume, html, svg } from "./dom";
import { bytes, number } from "./format";
import type { Lifetime } from "./model";

const MAX_SAMPLES = 600;
const MAX_MARKS = 60;
const MAX_NAMED = 12;
/** pixels of a letter of a phase's name */
const LETTER = 6.5;

/** What a chart shows. */
export interface Stack {
  categories: string[];
  /** ms */
  t: number[];
  bytes: number[][];
  /** the end of the axis, in ms */
  end: number;
  /** bytes that the axis must include */
  reach: number;
  /** lines across, with names and dashes */
  levels: { bytes: number; name: string; dash: string }[];
  /** moments: ends of steps on the axis, others with a name across the chart */
  marks: { t: number; name: string }[];
  /** stretches with a name, each up to the next */
  phases: { t: number; name: string }[];
  /** the time of the peak in ms, if it is marked */
  peakAt: number | null;
}

export const NOTHING: Stack = {
  categories: [],
  t: [],
  bytes: [],
  end: 0,
  reach: 1,
  levels: [],
  marks: [],
  phases: [],
  peakAt: null,
};

/** Whether a mark is the end of a training step. */
export function isStep({ name }: { name: string }): boolean {
  return /^step \d+$/.test(name);
}

export function totalOf(row: number[]): number {
  return row.reduce((a, b) => a + b, 0);
}

/** Indices of samples to draw: among too many, the one with the most bytes. */
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

export class MemoryChart {
  readonly element: HTMLElement;
  private readonly cursor = svg("line", { class: "edt-cursor" });
  private stack = NOTHING;
  private kept: number[] = [];
  private sample: number | null = null;
  private plot: Plot = { left: 0, top: 0, width: 1, height: 1 };

  constructor(
    private readonly life: Lifetime,
    private readonly prefix: string,
    private readonly height: () => number,
    about: string,
    private readonly read: (sample: number | null) => void,
  ) {
    this.element = html("div", {
      class: "edt-chart",
      tabindex: 0,
      role: "application",
      "aria-label": `${about}. Left and right arrow keys move in time.`,
    });
    pointer(
      life,
      this.element,
      (x) => this.show(this.sampleAt(x - 10)),
      () => this.show(null),
    );
    life.listen(this.element, "keydown", (event) => this.key(event));
    this.life.onAppearance(this.element, () => this.draw());
  }

  /** Set the data to draw; `about` is read aloud. */
  take(stack: Stack, about: string): void {
    this.stack = stack;
    this.kept = thin(stack.bytes.map(totalOf));
    this.draw(about);
  }

  private draw(
    about = this.element.firstElementChild?.getAttribute("aria-label"),
  ): void {
    if (this.stack.t.length === 0) return;
    const width = availableWidth(this.element);
    const high = this.height();
    const top = this.stack.phases.length > 0 || this.named().length > 0 ? 22 : 12;
    this.plot = { left: 66, top, width: width - 66 - 16, height: high };
    const size = { width, height: top + high + 22 };
    const picture = svg("svg", { ...size, role: "img", "aria-label": about });
    const patterns = this.stack.categories.map((_, i) =>
      pattern(`${this.prefix}${i}`, i),
    );
    picture.append(svg("defs", {}, ...patterns), ...this.axes(), ...this.areas());
    picture.append(
      ...this.levels(),
      ...this.stepLines(),
      ...this.stretches(this.named(), "edt-level"),
      ...this.stretches(this.stack.phases, "edt-axis"),
      ...this.peak(),
      this.cursor,
    );
    this.element.replaceChildren(picture);
    this.show(this.sample);
  }

  private get start(): number {
    return this.stack.t[0] ?? 0;
  }

  private get span(): number {
    return Math.max(1e-9, this.stack.end - this.start);
  }

  private x(ms: number): number {
    return this.plot.left + ((ms - this.start) / this.span) * this.plot.width;
  }

  private y(n: number): number {
    return this.plot.top + (1 - n / this.stack.reach) * this.plot.height;
  }

  private axes(): SVGElement[] {
    const { left, top, width, height } = this.plot;
    const parts: SVGElement[] = [];
    for (const n of ticks(this.stack.reach, height / 45, 1024)) {
      parts.push(rule(left, this.y(n), left + width, this.y(n), "edt-gridline"));
      parts.push(label(left - 8, this.y(n) + 4, bytes(n), "end"));
    }
    const [unit, scale] = this.span < 2000 ? ["ms", 1] : ["s", 1000];
    for (const s of ticks(this.span / scale, Math.max(2, width / 110))) {
      const x = this.x(this.start + s * scale);
      parts.push(rule(x, top + height, x, top + height + 4, "edt-axis"));
      const anchor = x > left + width - 18 ? "end" : "middle"; // not beyond the edge
      const end = anchor === "end" ? left + width + 12 : x;
      parts.push(label(end, top + height + 17, `${number(s)} ${unit}`, anchor));
    }
    parts.push(rule(left, top + height, left + width, top + height, "edt-axis"));
    return parts;
  }

  /** One area per category, the first at the bottom. Bytes change in steps. */
  private areas(): SVGElement[] {
    const { categories, bytes: rows } = this.stack;
    const under = this.kept.map(() => 0);
    return categories.map((name, j) => {
      const lower = this.outline(under);
      this.kept.forEach((i, k) => {
        under[k] += rows[i]?.[j] ?? 0;
      });
      const upper = this.outline(under);
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

  private outline(levels: number[]): string[] {
    const points: string[] = [];
    const point = (ms: number, n: number) =>
      points.push(`${this.x(ms).toFixed(1)},${this.y(n).toFixed(1)}`);
    this.kept.forEach((i, k) => {
      const ms = this.stack.t[i];
      if (k > 0) point(ms, levels[k - 1]);
      point(ms, levels[k]);
    });
    point(this.stack.end, levels[levels.length - 1] ?? 0);
    return points;
  }

  private levels(): SVGElement[] {
    const { left, width } = this.plot;
    return this.stack.levels.flatMap(({ bytes: n, name, dash }) => [
      svg("path", {
        d: `M${left},${this.y(n)}H${left + width}`,
        class: "edt-level",
        "stroke-dasharray": dash,
      }),
      label(
        left + 6,
        this.y(n) - 5,
        `${name} ${bytes(n)}`,
        "start",
        "edt-ink edt-halo",
      ),
    ]);
  }

  private seen(): Stack["marks"] {
    return this.stack.marks.filter((m) => m.t >= this.start && m.t <= this.stack.end);
  }

  private named(): Stack["marks"] {
    return this.seen()
      .filter((m) => !isStep(m))
      .slice(-MAX_NAMED);
  }

  private stepLines(): SVGElement[] {
    const steps = this.seen().filter(isStep);
    const every = Math.max(1, Math.ceil(steps.length / MAX_MARKS));
    const { top, height } = this.plot;
    return steps
      .filter((_, i) => i % every === 0)
      .map((mark) => {
        const x = this.x(mark.t);
        const line = rule(x, top + height - 7, x, top + height, "edt-cursor");
        line.append(svg("title", {}, mark.name));
        return line;
      });
  }

  /** Lines across the chart, each with its name if there is space. */
  private stretches(moments: Stack["marks"], look: string): SVGElement[] {
    const { top, height, left, width } = this.plot;
    return moments.flatMap(({ t, name }, i) => {
      const x = this.x(t);
      const next = moments[i + 1];
      const space = (next ? this.x(next.t) : left + width) - x;
      const line = rule(x, top - 14, x, top + height, look);
      line.append(svg("title", {}, name));
      const long = LETTER * name.length + 6;
      if (space > long) return [line, label(x + 4, top - 5, name, "start", "edt-ink")];
      const before = x - (i > 0 ? this.x(moments[i - 1].t) : left);
      if (next || before < (i > 0 ? 2 : 1) * long) return [line];
      return [line, label(x - 4, top - 5, name, "end", "edt-ink")];
    });
  }

  private peak(): SVGElement[] {
    const { peakAt, bytes: rows, t } = this.stack;
    if (peakAt === null) return [];
    const { top, height } = this.plot;
    const high = this.y(totalOf(rows[t.indexOf(peakAt)] ?? []));
    const line = rule(this.x(peakAt), high, this.x(peakAt), top + height, "edt-level");
    attr(line, { "stroke-dasharray": "5 4", "data-peak": true });
    return [line];
  }

  private sampleAt(x: number): number | null {
    const { t } = this.stack;
    const { left, width } = this.plot;
    if (x < left || x > left + width || t.length === 0) return null;
    const ms = this.start + ((x - left) / width) * this.span;
    let at = 0;
    while (at + 1 < t.length && t[at + 1] <= ms) at++;
    return at;
  }

  private key(event: KeyboardEvent): void {
    const n = this.stack.t.length;
    const to = moved(event.key, [this.sample ?? n - 1, 0], n, 1);
    if (!to && event.key !== "Escape") return;
    consume(event);
    this.show(to ? to[0] : null);
  }

  /** Put the cursor at a sample and describe what was in memory. */
  private show(sample: number | null): void {
    const { t } = this.stack;
    const before = this.sample;
    this.sample = sample !== null && sample < t.length ? sample : null;
    attr(this.cursor, { visibility: this.sample === null ? "hidden" : null });
    if (this.sample !== null) {
      const x = this.x(t[this.sample]);
      const { top, height } = this.plot;
      attr(this.cursor, { x1: x, x2: x, y1: top, y2: top + height });
    }
    if (this.sample !== null || before !== null) this.read(this.sample);
  }
}

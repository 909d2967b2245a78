/** Small charts of a run's metrics, side by side, overlaid with other runs. */
import { DASHES, label, PALETTE, type Plot, rule } from "./chart";
import { svg } from "./dom";
import { clip, number } from "./format";
import { placeOf, type Scale, scaleOf, sideOf, valueText } from "./run_scale";
import type { RunSeries } from "./run_types";

export const INSIDE = 96;
const ABOVE = 30;
const BELOW = 26;
const LEFT = 58;
const GAP = 14;
/** the smallest width of a chart */
const LEAST = 330;
const MAX_COLUMNS = 4;
/** pixels between two crosses or arrows */
const APART = 9;
/** pixels of a letter */
const LETTER = 7;

/** A run's number in the list, and its series for one metric. */
export interface Line {
  run: number;
  series: RunSeries;
}

/** One metric: the position of its chart, and its lines. */
export interface Chart {
  name: string;
  lines: Line[];
  plot: Plot;
  scale: Scale;
  first: number;
  last: number;
}

export function look(run: number): { stroke: string; "stroke-dasharray": string } {
  return {
    stroke: PALETTE[run % PALETTE.length],
    "stroke-dasharray": DASHES[run % DASHES.length],
  };
}

/** Charts in as many columns as fit, and their total height. */
export function arrange(
  metrics: { name: string; lines: Line[] }[],
  width: number,
  insideOf = (_rows: number) => INSIDE,
): { charts: Chart[]; height: number } {
  const fit = Math.floor(width / LEAST);
  const columns = Math.max(1, Math.min(MAX_COLUMNS, metrics.length, fit));
  const rows = Math.ceil(metrics.length / columns);
  const inside = insideOf(rows);
  const each = (width - GAP * (columns - 1)) / columns;
  // one axis for all: charts are stacked, and what is logged rarely
  // is not drawn as if it were logged always
  const steps = metrics.flatMap(({ lines }) => lines.flatMap((l) => l.series.steps));
  const last = steps.reduce((most, step) => Math.max(most, step), 0);
  const first = steps.reduce((least, step) => Math.min(least, step), 0);
  const charts = metrics.map(({ name, lines }, i) => {
    const left = (i % columns) * (each + GAP) + LEFT;
    const top = Math.floor(i / columns) * (ABOVE + inside + BELOW) + ABOVE;
    return {
      name,
      lines,
      plot: { left, top, width: each - LEFT - 8, height: inside },
      scale: scaleOf(lines.map(({ series }) => series.values)),
      first,
      last,
    };
  });
  return { charts, height: rows * (ABOVE + inside + BELOW) };
}

export function xOf({ plot, first, last }: Chart, step: number): number {
  return plot.left + (plot.width * (step - first)) / Math.max(1, last - first);
}

function yOf({ plot, scale }: Chart, value: number): number {
  return plot.top + plot.height * (1 - placeOf(scale, value));
}

/** The index of the sample nearest to a step. */
export function nearest({ steps }: RunSeries, step: number): number {
  let [low, high] = [0, steps.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle] < step) low = middle + 1;
    else high = middle;
  }
  const before = low > 0 && step - steps[low - 1] <= steps[low] - step;
  return before ? low - 1 : low;
}

/** A note on the points omitted from a thinned series. */
export function keptText({ stride }: RunSeries): string {
  return stride > 1 ? ` (1 of ${stride} kept)` : "";
}

/** A chart: its name and newest value, axes, and a line per run. */
export function draw(chart: Chart): SVGElement[] {
  const { plot, lines, name } = chart;
  const own = lines.find(({ run }) => run === 0)?.series;
  const last = own ? `${valueText(own.last)}${keptText(own)}` : "";
  const letters = Math.max(6, Math.floor(plot.width / LETTER) - last.length - 2);
  const title = label(
    plot.left,
    plot.top - 11,
    clip(name, letters),
    "start",
    "edt-ink edt-metric",
  );
  title.append(svg("title", {}, name));
  return [
    title,
    label(plot.left + plot.width, plot.top - 11, last, "end"),
    ...axes(chart),
    ...[...lines].reverse().flatMap((line) => strokes(chart, line)),
  ];
}

function axes(chart: Chart): SVGElement[] {
  const { plot, scale, first, last } = chart;
  const { left, top, width, height } = plot;
  const parts = [scale.low, scale.high].flatMap((value) => {
    const y = yOf(chart, value);
    return [
      rule(left, y, left + width, y, "edt-gridline"),
      label(left - 6, y + 4, number(value), "end"),
    ];
  });
  if (scale.log) parts.push(label(left - 6, top + height / 2 + 4, "log", "end"));
  parts.push(label(left, top + height + 16, `step ${first}`, "start"));
  parts.push(label(left + width, top + height + 16, String(last), "end"));
  return parts;
}

/** A sample in its chart: `y` is null for non-finite values, `side` 0 on the axis. */
interface Point {
  x: number;
  y: number | null;
  side: number;
}

/** The line of a run, with signs for values off the scale. */
function strokes(chart: Chart, { run, series }: Line): SVGElement[] {
  const points = series.steps.map((step, i): Point => {
    const value = series.values[i];
    const y = typeof value === "string" ? null : yOf(chart, value);
    return { x: xOf(chart, step), y, side: sideOf(chart.scale, value) };
  });
  const about = { class: "edt-series", "data-run": run, "stroke-linecap": "round" };
  const line = svg("path", { d: pathOf(points) || "M0,0", ...look(run), ...about });
  const crosses = apart(points.filter(({ y }) => y === null));
  const arrows = apart(points.filter(({ side }) => side !== 0));
  return [
    line,
    ...crosses.map(({ x }) => crossAt(chart, x)),
    ...arrows.map(({ x, side }) => arrowAt(chart, x, side, run)),
  ];
}

/** Interrupted at non-finite values, and between two values off the scale. */
function pathOf(points: Point[]): string {
  let path = "";
  points.forEach((point, i) => {
    if (point.y === null) return;
    const begins = !joined(points[i - 1], point);
    path += `${begins ? "M" : "L"}${point.x.toFixed(1)},${point.y.toFixed(1)}`;
    if (begins && !joined(point, points[i + 1])) path += "h-2h4"; // to be visible
  });
  return path;
}

function joined(one: Point | undefined, next: Point | undefined): boolean {
  if (!one || !next || one.y === null || next.y === null) return false;
  return next.side === 0 || next.side !== one.side;
}

/** Those far enough apart that their signs do not overlap. */
function apart(points: Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points)
    if (kept.length === 0 || point.x - kept[kept.length - 1].x >= APART)
      kept.push(point);
  return kept;
}

function crossAt({ plot }: Chart, x: number): SVGElement {
  return label(x, plot.top + 4, "✕", "middle", "edt-mark");
}

/** Draw an arrow at the edge beyond which a value lies. */
function arrowAt({ plot }: Chart, x: number, side: number, run: number): SVGElement {
  const y = side > 0 ? plot.top : plot.top + plot.height;
  const d = `M${x - 4},${y + 5 * side}h8l-4,${-7 * side}z`;
  return svg("path", { d, fill: look(run).stroke, class: "edt-beyond" });
}

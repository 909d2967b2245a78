/** The two pictures of gradient norms: a heat map and lines. */
import { DASHES, label, labelled, PALETTE, type Plot, rule, spread } from "./chart";
import { html, svg } from "./dom";
import { clipStart, powerOfTen } from "./format";
import { brokenCells, MARK_SIGN } from "./gradient_alerts";
import type { GradientData } from "./gradient_types";

/** Powers of ten the picture spans. */
export interface Range {
  low: number;
  high: number;
}

/** Dark blue to yellow through grey: lightness alone is in order (after cividis). */
const RAMP: [number, number, number][] = [
  [8, 29, 88],
  [46, 66, 125],
  [86, 105, 130],
  [124, 139, 130],
  [176, 170, 110],
  [222, 205, 80],
  [255, 236, 90],
];
/** pixels of a letter of a layer's name */
const LETTER = 6.6;
const MAX_SIGNS = 400;
const MAX_KEYS = 24;
const MAX_CELLS = 4000;

/** The powers of ten that enclose all norms, at least two of them. */
export function rangeOf({ norms }: GradientData): Range {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const row of norms)
    for (const norm of row) {
      if (norm === null || !(norm > 0) || !Number.isFinite(norm)) continue;
      low = Math.min(low, Math.log10(norm));
      high = Math.max(high, Math.log10(norm));
    }
  if (low > high) return { low: -2, high: 0 };
  [low, high] = [Math.floor(low), Math.ceil(high)];
  return high - low < 2 ? { low: high - 2, high } : { low, high };
}

/** Colour of a norm. */
export function heat(norm: number, { low, high }: Range): string {
  const power = norm > 0 ? Math.log10(norm) : low;
  const t = Math.min(1, Math.max(0, (power - low) / (high - low))) * (RAMP.length - 1);
  const i = Math.min(RAMP.length - 2, Math.floor(t));
  const mix = RAMP[i].map((c, k) => Math.round(c + (RAMP[i + 1][k] - c) * (t - i)));
  return `rgb(${mix.join(",")})`;
}

function stepAxis({ steps }: GradientData, plot: Plot): SVGElement[] {
  const y = plot.top + plot.height;
  return labelled(steps.length, plot.width / 64).flatMap((i) => {
    const x = plot.left + ((i + 0.5) / steps.length) * plot.width;
    return [
      rule(x, y, x, y + 4, "edt-axis"),
      label(x, y + 16, String(steps[i]), "middle"),
    ];
  });
}

/** The title of the axis, which leaves no gaps for steps that are missing. */
export function stepsTitle({ steps, stride }: GradientData): string {
  const gaps = steps.some((step, i) => i > 0 && step - steps[i - 1] > stride);
  return gaps ? "training step (only those that were watched)" : "training step";
}

/** Columns to draw: neighbouring steps share one if there are too many. */
function columns(data: GradientData, rows: number): number[] {
  return spread(data.steps.length, Math.max(60, Math.floor(MAX_CELLS / rows)));
}

/** Layer by step, coloured by log10 of the norm, with signs where alerts begin. */
export function heatMap(data: GradientData, plot: Plot, range: Range): SVGElement[] {
  const { layers, norms, steps } = data;
  const h = plot.height / layers.length;
  const shown = columns(data, layers.length);
  const broken = brokenCells(data);
  const cells: SVGElement[] = [];
  shown.forEach((i, k) => {
    const x = plot.left + (i / steps.length) * plot.width;
    const next = shown[k + 1] ?? steps.length;
    const w = ((next - i) / steps.length) * plot.width;
    layers.forEach((_, j) => {
      const norm = norms[i]?.[j] ?? null;
      if (norm === null && !broken[i][j]) return;
      const y = plot.top + j * h;
      const gap = w > 5 ? 1 : 0;
      const size = { width: w - gap + (gap ? 0 : 0.5), height: Math.max(1, h - 1) };
      const look =
        norm === null
          ? { class: "edt-cell edt-broken" }
          : { class: "edt-cell", fill: heat(norm, range) };
      cells.push(svg("rect", { x, y, ...size, ...look }));
    });
  });
  return [
    backdrop(plot),
    ...cells,
    ...layerNames(layers, plot),
    ...signs(data, plot),
    ...stepAxis(data, plot),
  ];
}

function backdrop({ left, top, width, height }: Plot): SVGElement {
  return svg("rect", { x: left, y: top, width, height, class: "edt-backdrop" });
}

/** Pixels for the layers' names: less than half of a narrow view. */
export function labelWidth(layers: string[], width: number): number {
  const longest = layers.reduce((most, name) => Math.max(most, name.length), 0);
  return Math.min(220, width * 0.48, 16 + LETTER * longest);
}

function layerNames(layers: string[], plot: Plot): SVGElement[] {
  const h = plot.height / layers.length;
  const fits = Math.floor((plot.left - 10) / LETTER);
  return spread(layers.length, plot.height / 13).map((j) => {
    const y = plot.top + (j + 0.5) * h + 4;
    const name = label(plot.left - 8, y, clipStart(layers[j], fits), "end", "edt-ink");
    name.append(svg("title", {}, layers[j]));
    return name;
  });
}

function signs(data: GradientData, plot: Plot): SVGElement[] {
  const column = new Map(data.steps.map((step, i) => [step, i]));
  const row = new Map(data.layers.map((layer, j) => [layer, j]));
  const [w, h] = [plot.width / data.steps.length, plot.height / data.layers.length];
  return data.marks.slice(-MAX_SIGNS).flatMap((mark) => {
    const [i, j] = [column.get(mark.step), row.get(mark.layer)];
    if (i === undefined || j === undefined) return [];
    const [x, y] = [plot.left + (i + 0.5) * w, plot.top + (j + 0.5) * h + 4];
    const sign = label(x, y, MARK_SIGN[mark.kind], "middle", "edt-mark");
    sign.setAttribute("data-mark", mark.kind);
    return [sign];
  });
}

/** One line for each layer, on a logarithmic scale. */
export function lineChart(data: GradientData, plot: Plot, range: Range): SVGElement[] {
  const { low, high } = range;
  const y = (power: number) =>
    plot.top +
    ((high - Math.min(high, Math.max(low, power))) / (high - low)) * plot.height;
  const parts: SVGElement[] = [];
  for (const k of spread(high - low + 1, 8)) {
    const power = low + k;
    parts.push(
      rule(plot.left, y(power), plot.left + plot.width, y(power), "edt-gridline"),
    );
    parts.push(label(plot.left - 8, y(power) + 4, powerOfTen(power), "end"));
  }
  data.layers.forEach((_, j) => {
    const place = (i: number, norm: number) => {
      const x = plot.left + ((i + 0.5) / data.steps.length) * plot.width;
      return `${x.toFixed(1)},${y(norm > 0 ? Math.log10(norm) : low).toFixed(1)}`;
    };
    parts.push(
      svg("path", { d: linePath(data, j, place), ...ink(j), class: "edt-series" }),
    );
  });
  return [...parts, ...stepAxis(data, plot)];
}

/** Interrupted where a layer had no gradient. */
function linePath(
  data: GradientData,
  layer: number,
  place: (i: number, norm: number) => string,
): string {
  let path = "";
  let pen = "M";
  data.steps.forEach((_, i) => {
    const norm = data.norms[i]?.[layer] ?? null;
    path += norm === null ? "" : `${pen}${place(i, norm)}`;
    pen = norm === null ? "M" : "L";
  });
  return path || "M0,0";
}

function ink(layer: number) {
  return {
    stroke: PALETTE[layer % PALETTE.length],
    "stroke-dasharray":
      DASHES[Math.floor(layer / PALETTE.length) % DASHES.length] || null,
    "stroke-width": 2,
    fill: "none",
  };
}

/** The meaning of colours, lines and signs, as list items. */
export function legendOf(
  data: GradientData,
  range: Range,
  lines: boolean,
): HTMLElement[] {
  const items = lines ? lineKeys(data) : [heatKey(range)];
  const kinds = [...new Set(data.marks.map((m) => m.kind))];
  return [
    ...items,
    ...kinds.map((kind) =>
      html(
        "li",
        { class: "edt-sign", "data-mark": kind },
        `${MARK_SIGN[kind]} ${kind}`,
      ),
    ),
  ];
}

function lineKeys(data: GradientData): HTMLElement[] {
  const keys = data.layers.slice(0, MAX_KEYS).map((layer, j) => {
    const sample = svg("svg", {}, svg("path", { d: "M0,6.5 H26", ...ink(j) }));
    return html("li", {}, sample, layer);
  });
  const more = data.layers.length - keys.length;
  return more > 0 ? [...keys, html("li", {}, `and ${more} more`)] : keys;
}

function heatKey(range: Range): HTMLElement {
  const bar = svg("svg", { viewBox: "0 0 168 13", preserveAspectRatio: "none" });
  for (let i = 0; i < 42; i++) {
    const power = range.low + ((range.high - range.low) * i) / 41;
    bar.append(
      svg("rect", { x: i * 4, width: 4.5, height: 13, fill: heat(10 ** power, range) }),
    );
  }
  const [low, high] = [range.low, range.high].map(powerOfTen);
  const ends = [html("span", {}, low), bar, html("span", {}, high)];
  return html("li", { class: "edt-ramp" }, html("span", {}, "gradient norm"), ...ends);
}

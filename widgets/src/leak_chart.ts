/** LeakFinder's two charts: bytes and graph nodes that survive, by step. */
import { DASHES, label, PALETTE, type Plot, rule } from "./chart";
import { svg } from "./dom";
import { bytes } from "./format";
import type { LeakData } from "./leak_types";

export type Measure = "bytes" | "nodes";
export const MEASURES: Measure[] = ["bytes", "nodes"];
/** lines of the table that are charted */
export const DRAWN = 6;
const HIGH = 96;
const ABOVE = 20;
const GAP = 16;
const NARROW = 520;

/** The positions of the charts: side by side, or one below the other. */
export function plots(
  width: number,
  heightOf = (full: number, _rows: number) => full,
): { plots: Plot[]; height: number } {
  const narrow = width < NARROW;
  const high = heightOf(HIGH, narrow ? MEASURES.length : 1);
  const wide = narrow ? width : (width - GAP) / 2;
  const found = MEASURES.map((_, i) => ({
    left: narrow ? 0 : i * (wide + GAP),
    top: ABOVE + (narrow ? i * (high + ABOVE + GAP) : 0),
    width: wide,
    height: high,
  }));
  return { plots: found, height: found[1].top + high + GAP };
}

/** A colour and dashes, the same in chart and table. */
export function look(row: number) {
  return {
    stroke: PALETTE[row % PALETTE.length],
    "stroke-dasharray": DASHES[row % DASHES.length] || null,
    fill: "none",
  };
}

export function amount(value: number, what: Measure): string {
  return what === "bytes" ? bytes(value) : value.toLocaleString("en-US");
}

/** The horizontal position of a sample. */
export function xOf({ steps }: LeakData, i: number, plot: Plot): number {
  const range = Math.max(1, (steps.at(-1) ?? 0) - steps[0]);
  return plot.left + (plot.width * (steps[i] - steps[0])) / range;
}

export function drawChart(data: LeakData, what: Measure, plot: Plot): SVGElement[] {
  const total = data[what];
  const top = Math.max(...total, 0);
  const most = Math.max(top, 1);
  const bottom = plot.top + plot.height;
  const path = (values: number[]) =>
    values
      .map((v, i) => {
        const y = bottom - (plot.height * v) / most;
        return `${i ? "L" : "M"}${xOf(data, i, plot).toFixed(1)},${y.toFixed(1)}`;
      })
      .join("");
  const name = what === "bytes" ? "Surviving bytes" : "Surviving graph nodes";
  const lines = data.lines.slice(0, DRAWN).flatMap((row, k) => {
    const values = row[`${what}_at`];
    if (!values.some((v) => v > 0)) return [];
    return [svg("path", { d: path(values), "stroke-width": 1.8, ...look(k) })];
  });
  return [
    label(
      plot.left,
      plot.top - 6,
      `${name} (thin line: total): up to ${amount(top, what)}`,
      "start",
    ),
    rule(plot.left, bottom, plot.left + plot.width, bottom, "edt-axis"),
    svg("path", { d: path(total), class: "edt-level" }),
    ...lines,
    label(plot.left, bottom + 13, `step ${data.steps[0]}`, "start"),
    label(plot.left + plot.width, bottom + 13, `step ${data.steps.at(-1)}`, "end"),
  ];
}

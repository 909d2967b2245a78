/** Shared by charts: scales, ticks, patterns, and a cursor moved by pointer or keys. */
import { svg } from "./dom";
import type { Lifetime } from "./model";

/** Okabe and Ito's colours, in an order that keeps neighbours apart. */
export const PALETTE = [
  "#0072b2",
  "#d55e00",
  "#009e73",
  "#cc79a7",
  "#8b95a3",
  "#e69f00",
  "#56b4e9",
  "#7a6ad8",
];

export const DASHES = ["", "6 3", "2 3", "9 3 2 3", "12 4"];

/** Round steps (1, 2 or 5 times a power of `base`) from 0 up to `most`. */
export function ticks(most: number, count: number, base = 10): number[] {
  if (!(most > 0)) return [0];
  const rough = most / count;
  const power = base ** Math.floor(Math.log(rough) / Math.log(base));
  const steps =
    base === 10 ? [1, 2, 5, 10] : [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
  const step = (steps.find((s) => s * power >= rough) ?? base) * power;
  const list: number[] = [];
  for (let i = 0; i * step <= most * 1.0001; i++) list.push(i * step);
  return list;
}

/** Indices of at most `most` labels at round distances, for `n` positions. */
export function labelled(n: number, most: number): number[] {
  const all = ticks(n - 1, Math.max(1, most)).map((i) => Math.round(i));
  return [...new Set(all)].filter((i) => i < n);
}

/** Indices of at most `most` items spread over `n` positions. */
export function spread(n: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(n / Math.max(1, most)));
  return Array.from({ length: Math.ceil(n / step) }, (_, i) => i * step);
}

/** pixels beside a chart's picture, and its smallest width */
const SIDES = 20;
const MIN_WIDTH = 200;
const USUAL = 780;

/** The width available for a picture. */
export function availableWidth(place: HTMLElement): number {
  return Math.max(MIN_WIDTH, (place.clientWidth || USUAL) - SIDES);
}

export interface Plot {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A straight line with a CSS class. */
export function rule(x1: number, y1: number, x2: number, y2: number, name: string) {
  return svg("line", { x1, y1, x2, y2, class: name });
}

/** Text at a position; `anchor` is start, middle or end. */
export function label(x: number, y: number, value: string, anchor: string, name = "") {
  return svg("text", { x, y, "text-anchor": anchor, class: name || null }, value);
}

const STROKES = [
  "",
  "M0,8 L8,0 M-2,2 L2,-2 M6,10 L10,6",
  "M2,2 h1.6 v1.6 h-1.6 z M6,6 h1.6 v1.6 h-1.6 z",
  "M0,0 L8,8 M-2,6 L2,10 M6,-2 L10,2",
  "M0,4 H8",
  "M2,0 V8 M6,0 V8",
  "M0,2 H8 M4,0 V8",
];

/**
 * A colour with a pattern, so that it can be told apart without colour vision. The strokes
 * are faint: the largest area must not dominate the others.
 */
export function pattern(id: string, index: number): SVGPatternElement {
  const colour = PALETTE[index % PALETTE.length];
  const size = { width: 8, height: 8 };
  return svg(
    "pattern",
    { id, patternUnits: "userSpaceOnUse", ...size },
    svg("rect", { ...size, fill: colour, "fill-opacity": 0.82 }),
    svg("path", {
      d: STROKES[index % STROKES.length] || "M0,0",
      stroke: "#ffffff",
      "stroke-opacity": 0.45,
      "stroke-width": 1,
      fill: "none",
    }),
  );
}

/** Report the pointer's position within an element, and when it leaves. */
export function pointer(
  life: Lifetime,
  element: HTMLElement,
  at: (x: number, y: number) => void,
  left: () => void,
): void {
  life.listen(element, "pointermove", (event) => {
    const box = element.getBoundingClientRect();
    at(event.clientX - box.left, event.clientY - box.top);
  });
  life.listen(element, "pointerleave", left);
}

/** Move a cell by arrow keys, Home and End; null for any other key. */
export function moved(
  key: string,
  [column, row]: [number, number],
  columns: number,
  rows: number,
): [number, number] | null {
  const by: Record<string, [number, number]> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
    Home: [-columns, 0],
    End: [columns, 0],
  };
  const step = by[key];
  if (!step) return null;
  const within = (value: number, n: number) => Math.max(0, Math.min(n - 1, value));
  return [within(column + step[0], columns), within(row + step[1], rows)];
}

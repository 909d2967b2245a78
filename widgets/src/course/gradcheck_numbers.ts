/**
 * Gradients of (x @ w + b)³ by backward and by central differences.
 *
 * The same numbers as `edutorch/course/interactions/gradcheck_maps.py`, to the last bit:
 * both halves add, multiply and round in the same order.
 */

import { number } from "../format";

export type Matrix = number[][];
/** The tensors x, w, b and r, the gradient from later layers, in hundredths. */
export type Layer = Record<"x" | "w" | "b" | "r", Matrix>;
export type Name = "w" | "b" | "x";
export type Precision = "float64" | "float32";
type Round = (value: number) => number;

const N = 4;
/** the least divisor of a difference */
const LEAST = 1e-8;
export const NAMES: Name[] = ["w", "b", "x"];
export const MISTAKES: Record<string, string> = {
  none: "no mistake",
  transpose: "transpose forgotten",
  broadcast: "un-broadcast forgotten",
  incoming: "incoming gradient forgotten",
  mean: "mean for sum",
};
export const TOLERANCES = [1e-2, 1e-4, 1e-6, 1e-8];
/** 1e-15, 2e-15, 5e-15, 1e-14, ..., 0.5, 1: parsed as Python parses them */
export const STEPS: number[] = [
  ...Array.from({ length: 15 }, (_, i) => 15 - i).flatMap((power) =>
    [1, 2, 5].map((digit) => Number(`${digit}e-${power}`)),
  ),
  1,
];

/** The gradients of one tensor; `errors` is null where the shapes differ. */
export interface Compared {
  analytic: Matrix;
  numeric: Matrix;
  errors: Matrix | null;
}

const rounding = (precision: Precision): Round =>
  precision === "float32" ? Math.fround : (value) => value;

const zeros = (rows: number): Matrix =>
  Array.from({ length: rows }, () => new Array(N).fill(0));

function tensors(layer: Layer, round: Round): Layer {
  const made = {} as Layer;
  for (const name of ["x", "w", "b", "r"] as const)
    made[name] = layer[name].map((row) => row.map((v) => round(v / 100)));
  return made;
}

/** x @ w + b */
function sums({ x, w, b }: Layer, round: Round): Matrix {
  const s = zeros(N);
  for (let i = 0; i < N; i++)
    for (let j = 0; j < N; j++) {
      for (let k = 0; k < N; k++) s[i][j] = round(s[i][j] + round(x[i][k] * w[k][j]));
      s[i][j] = round(s[i][j] + b[0][j]);
    }
  return s;
}

/** The sum of r · (x @ w + b)³, in the order of the page's loops. */
function loss(given: Layer, round: Round): number {
  let total = 0;
  sums(given, round).forEach((row, i) => {
    row.forEach((s, j) => {
      const cube = round(round(s * s) * s);
      total = round(total + round(given.r[i][j] * cube));
    });
  });
  return total;
}

/** The gradients by central differences. */
function numeric(layer: Layer, precision: Precision, h: number): Record<Name, Matrix> {
  const round = rounding(precision);
  const given = tensors(layer, round);
  const step = round(h);
  const found = { w: zeros(N), b: zeros(1), x: zeros(N) };
  for (const name of NAMES)
    given[name].forEach((row, i) => {
      row.forEach((old, j) => {
        row[j] = round(old + step);
        const up = loss(given, round);
        row[j] = round(old - step);
        const down = loss(given, round);
        row[j] = old;
        found[name][i][j] = round(round(up - down) / round(step + step));
      });
    });
  return found;
}

/** The gradients by backward, with a chosen mistake. */
function analytic(
  layer: Layer,
  precision: Precision,
  mistake: string,
): Record<Name, Matrix> {
  const round = rounding(precision);
  const given = tensors(layer, round);
  const { x, w, r } = given;
  const g = sums(given, round).map((row, i) =>
    row.map((s, j) => {
      const slope = round(round(s * s) * 3);
      return mistake === "incoming" ? slope : round(slope * r[i][j]);
    }),
  );
  const found = { w: zeros(N), b: zeros(1), x: zeros(N) };
  for (let k = 0; k < N; k++)
    for (let j = 0; j < N; j++) {
      for (let i = 0; i < N; i++) {
        const input = mistake === "transpose" ? x[i][k] : x[k][i];
        found.w[i][j] = round(found.w[i][j] + round(input * g[k][j]));
        found.x[i][j] = round(found.x[i][j] + round(g[i][k] * w[j][k]));
      }
      found.b[0][j] = round(found.b[0][j] + g[k][j]);
    }
  if (mistake === "broadcast") found.b = g;
  if (mistake === "mean") found.b = [found.b[0].map((v) => round(v / N))];
  return found;
}

function compared(a: Matrix, n: Matrix): Compared {
  if (a.length !== n.length) return { analytic: a, numeric: n, errors: null };
  const errors = a.map((row, i) =>
    row.map((v, j) => {
      const size = Math.max(Math.abs(v), Math.abs(n[i][j]), LEAST);
      return Math.abs(v - n[i][j]) / size;
    }),
  );
  return { analytic: a, numeric: n, errors };
}

/** Both gradients of w, b and x, and their differences. */
export function checked(
  layer: Layer,
  precision: Precision,
  mistake: string,
  h: number,
): Record<Name, Compared> {
  const a = analytic(layer, precision, mistake);
  const n = numeric(layer, precision, h);
  return {
    w: compared(a.w, n.w),
    b: compared(a.b, n.b),
    x: compared(a.x, n.x),
  };
}

/** The largest error among tensors whose shapes agree. */
export function worstOf(found: Record<Name, Compared>): number {
  const errors = NAMES.flatMap((name) => found[name].errors?.flat() ?? []);
  return Math.max(...errors);
}

/** The largest error for each step size. */
export function errorsByStep(
  layer: Layer,
  precision: Precision,
  mistake: string,
): number[] {
  return STEPS.map((h) => worstOf(checked(layer, precision, mistake, h)));
}

const shapeOf = (values: Matrix) =>
  values.length === 1 ? "(4,)" : `(${values.length}, ${N})`;

/** The verdict on one tensor. */
export function verdict(name: Name, found: Compared, tolerance: number): string {
  if (!found.errors)
    return `${name}: the shapes differ, ${shapeOf(found.analytic)} and (4,)`;
  const errors = found.errors.flat();
  const wrong = errors.filter((error) => error > tolerance).length;
  const worst = number(Math.max(...errors));
  if (wrong > 0)
    return `${name}: ${wrong} of ${errors.length} are wrong, the largest error is ${worst}`;
  return `${name}: agrees, the largest error is ${worst}`;
}

export function passes(found: Record<Name, Compared>, tolerance: number): boolean {
  return NAMES.every((name) =>
    found[name].errors?.flat().every((error) => error <= tolerance),
  );
}

/** A step size as it is written in code. */
export function stepText(h: number): string {
  return h >= 1e-3 ? String(h) : h.toExponential(0);
}

/** Colours of numbers: zero is white, negative blue, positive orange. */

/** A number, or "nan", "inf" or "-inf", which JSON does not have. */
export type Cell = number | string;

const ZERO = [247, 248, 250];
const NEGATIVE = [11, 79, 170];
const POSITIVE = [176, 66, 4];
const NONFINITE = [192, 16, 64];
/** fraction of the full colour from which text on a cell is white */
const DARK = 0.55;

/** The largest magnitude among the finite numbers, which gets the full colour. */
export function boundOf(values: Cell[]): number {
  let bound = 0;
  for (const value of values)
    if (typeof value === "number") bound = Math.max(bound, Math.abs(value));
  return bound;
}

/** Red, green and blue of a number between -bound and bound. */
export function valueColour(value: Cell, bound: number): number[] {
  if (typeof value === "string") return NONFINITE;
  const t = bound > 0 ? Math.min(1, Math.abs(value) / bound) : 0;
  const end = value < 0 ? NEGATIVE : POSITIVE;
  return ZERO.map((c, i) => Math.floor(c + (end[i] - c) * t + 0.5));
}

/** The colour of text on a cell. */
export function inkOn(value: Cell, bound: number): string {
  const dark = typeof value === "string" || Math.abs(value) > DARK * bound;
  return dark && bound > 0 ? "#ffffff" : "#14181f";
}

/** Bytes of an RGBA picture of one slice. */
export function cellPixels(values: Cell[], bound: number): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(4 * values.length);
  values.forEach((value, i) => {
    pixels.set([...valueColour(value, bound), 255], 4 * i);
  });
  return pixels;
}

/** The same for an image: one plane is gray, three are red, green and blue. */
export function imagePixels(planes: Cell[][], top: number): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(4 * planes[0].length);
  const byte = (value: Cell) =>
    typeof value === "string" ? 0 : Math.round((value / top) * 255);
  planes[0].forEach((_, i) => {
    const channels = [0, 1, 2].map((c) => byte((planes[c] ?? planes[0])[i]));
    pixels.set([...channels, 255], 4 * i);
  });
  return pixels;
}

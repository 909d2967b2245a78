/** The cells of a buffer that a view covers. */
import type { MemoryOfView } from "./tensor_types";

/** elements of a view that are looked up one by one */
const MOST = 4096;

/**
 * For each of at most `most` equal parts of a buffer of `total` elements, whether the
 * view is in it. A view of many elements is represented by every k-th of them.
 */
export function cellsOfView(
  view: Pick<MemoryOfView, "shape" | "strides" | "offset">,
  total: number,
  most: number,
): boolean[] {
  const parts = Math.min(total, most);
  const lit = new Array<boolean>(parts).fill(false);
  const numel = view.shape.reduce((n, size) => n * size, 1);
  const stride = Math.max(1, Math.ceil(numel / MOST));
  for (let flat = 0; flat < numel; flat += stride) {
    const place = placeOf(flat, view);
    if (place >= 0 && place < total) lit[Math.floor((place * parts) / total)] = true;
  }
  return lit;
}

/** The offset in the buffer of an element, given by its index in reading order. */
function placeOf(
  flat: number,
  { shape, strides, offset }: Pick<MemoryOfView, "shape" | "strides" | "offset">,
): number {
  let place = offset;
  let rest = flat;
  for (let dim = shape.length - 1; dim >= 0; dim--) {
    place += (rest % shape[dim]) * strides[dim];
    rest = Math.floor(rest / shape[dim]);
  }
  return place;
}

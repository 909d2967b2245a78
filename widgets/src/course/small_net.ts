/**
 * Numerics of small networks in the page, shared by interactions on deep networks.
 * A matrix is an array in row-major order.
 */

/** Uniform numbers with mean 0 and variance 1, bit for bit equal to Python's. */
export function noise(seed: number, count: number): Float64Array {
  const start = Math.imul(seed, 0x9e3779b9);
  return Float64Array.from({ length: count }, (_, i) => {
    let x = (i + start) | 0;
    x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
    x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
    x ^= x >>> 16;
    return ((x >>> 0) / 2 ** 31 - 1) * Math.sqrt(3);
  });
}

/** a bᵀ for matrices whose rows have `inner` elements, an even number. */
export function timesTransposed(
  a: Float64Array,
  b: Float64Array,
  inner: number,
): Float64Array {
  const columns = b.length / inner;
  const c = new Float64Array((a.length / inner) * columns);
  for (let i = 0, at = 0; i < a.length; i += inner)
    for (let row = 0; row < b.length; row += inner) {
      let even = 0;
      let odd = 0;
      for (let k = 0; k < inner; k += 2) {
        even += a[i + k] * b[row + k];
        odd += a[i + k + 1] * b[row + k + 1];
      }
      c[at++] = even + odd;
    }
  return c;
}

/** aᵀ for a matrix with this number of columns. */
export function transposed(a: Float64Array, columns: number): Float64Array {
  const rows = a.length / columns;
  const b = new Float64Array(a.length);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) b[j * rows + i] = a[i * columns + j];
  return b;
}

/** The root mean square. */
export function size(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] * values[i];
  return Math.sqrt(sum / values.length);
}

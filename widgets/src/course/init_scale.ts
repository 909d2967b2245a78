/** A deep network in the page: what the initial scale does to activations and gradients. */

/** numbers per layer, and rows in the batch */
export const WIDTH = 32;
const DEEPEST = 30;
/** bars of a histogram, over -1 to 1 with tanh, 0 to 3 with relu */
export const BARS = 20;

export type Activation = "tanh" | "relu";

/** Of each layer: sizes are roots of mean squares, bars are shares of the activations. */
export interface Signals {
  sizes: number[];
  gradients: number[];
  bars: number[][];
}

/** Numbers with mean 0 and variance 1, spread evenly; the same in Python, to the bit. */
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

/** Random weights without a scale: what there is before the slider. */
export class DeepNet {
  private readonly inputs: Float64Array;
  private readonly returning: Float64Array;
  private readonly weights: Float64Array;

  constructor(seed: number) {
    const square = WIDTH * WIDTH;
    this.inputs = noise(seed, square);
    this.weights = noise(seed + 1, DEEPEST * square).map((w) => w / Math.sqrt(WIDTH));
    this.returning = noise(seed + 2, square);
  }

  /** Forward with weights times `scale`, and a gradient of size 1 sent back. */
  run(scale: number, depth: number, activation: Activation): Signals {
    const square = WIDTH * WIDTH;
    const weights = Array.from({ length: depth }, (_, l) =>
      this.weights.subarray(l * square, (l + 1) * square).map((w) => w * scale),
    );
    const states = [this.inputs];
    for (const w of weights) {
      const sums = timesTransposed(states[states.length - 1], w);
      states.push(sums.map(activation === "tanh" ? Math.tanh : (a) => Math.max(a, 0)));
    }
    const gradients: number[] = [];
    let back = this.returning;
    for (let l = depth - 1; l >= 0; l--) {
      const out = states[l + 1];
      back = back.map((g, i) => g * slope(out[i], activation));
      const g = timesTransposed(transposed(back), transposed(states[l]));
      gradients.unshift(size(g) / WIDTH);
      back = timesTransposed(back, transposed(weights[l]));
    }
    const outputs = states.slice(1);
    return {
      sizes: outputs.map(size),
      gradients,
      bars: outputs.map((h) => histogram(h, activation)),
    };
  }
}

function slope(out: number, activation: Activation): number {
  return activation === "tanh" ? 1 - out * out : out > 0 ? 1 : 0;
}

/** a bᵀ for square matrices, whose rows lie one after the other. */
function timesTransposed(a: Float64Array, b: Float64Array): Float64Array {
  const c = new Float64Array(a.length);
  for (let i = 0; i < a.length; i += WIDTH)
    for (let j = 0; j < WIDTH; j++) {
      const row = j * WIDTH;
      let even = 0;
      let odd = 0;
      for (let k = 0; k < WIDTH; k += 2) {
        even += a[i + k] * b[row + k];
        odd += a[i + k + 1] * b[row + k + 1];
      }
      c[i + j] = even + odd;
    }
  return c;
}

function transposed(a: Float64Array): Float64Array {
  const b = new Float64Array(a.length);
  for (let i = 0; i < WIDTH; i++)
    for (let j = 0; j < WIDTH; j++) b[j * WIDTH + i] = a[i * WIDTH + j];
  return b;
}

function size(values: Float64Array): number {
  return Math.sqrt(values.reduce((sum, v) => sum + v * v, 0) / values.length);
}

/** Shares of the activations per bar; the last bar takes what lies beyond. */
function histogram(values: Float64Array, activation: Activation): number[] {
  const [low, high] = activation === "tanh" ? [-1, 1] : [0, 3];
  const bars = new Array(BARS).fill(0);
  for (const v of values) {
    const bar = Math.floor(((v - low) / (high - low)) * BARS);
    bars[Math.min(bar, BARS - 1)] += 1 / values.length;
  }
  return bars;
}

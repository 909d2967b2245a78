/** The paths of optimizers on losses of two weights, as torch.optim computes them. */

export type Point = [number, number];

/** A loss of two weights, its gradient, and the region shown. */
export interface Surface {
  readonly title: string;
  readonly formula: string;
  readonly loss: (x: number, y: number) => number;
  readonly slope: (x: number, y: number) => Point;
  /** the region shown: left, right, bottom, top */
  readonly extent: [number, number, number, number];
  readonly start: Point;
  /** an initial learning rate */
  readonly lr: number;
  readonly least: number;
  readonly goals: Point[];
}

export const SURFACES: Record<string, Surface> = {
  valley: {
    title: "valley",
    formula: "(x² + 20 y²) / 2",
    loss: (x, y) => (x * x + 20 * y * y) / 2,
    slope: (x, y) => [x, 20 * y],
    extent: [-4.4, 4.4, -3.3, 3.3],
    start: [-4, 1.5],
    lr: 0.06,
    least: 0,
    goals: [[0, 0]],
  },
  rosenbrock: {
    title: "Rosenbrock",
    formula: "(1 - x)² + 10 (y - x²)²",
    loss: (x, y) => (1 - x) ** 2 + 10 * (y - x * x) ** 2,
    slope: (x, y) => [-2 * (1 - x) - 40 * x * (y - x * x), 20 * (y - x * x)],
    extent: [-2, 2, -1, 2],
    start: [-1.5, 1.5],
    lr: 0.005,
    least: 0,
    goals: [[1, 1]],
  },
  saddle: {
    title: "saddle",
    formula: "(x² - y²) / 2 + y⁴ / 16",
    loss: (x, y) => (x * x - y * y) / 2 + y ** 4 / 16,
    slope: (x, y) => [x, y ** 3 / 4 - y],
    extent: [-4, 4, -3, 3],
    start: [-3.5, 0.001],
    lr: 0.1,
    least: -1,
    goals: [
      [0, -2],
      [0, 2],
    ],
  },
};

/** The state of an optimizer for one weight. */
interface Slot {
  velocity: number;
  square: number;
  t: number;
}

/** The step of one weight, which is subtracted, as torch.optim computes it. */
type Rule = (g: number, slot: Slot, lr: number, momentum: number) => number;

export const RULES: Record<string, Rule> = {
  SGD: (g, _, lr) => lr * g,
  momentum: (g, slot, lr, momentum) => lr * roll(g, slot, momentum),
  Nesterov: (g, slot, lr, momentum) => lr * (g + momentum * roll(g, slot, momentum)),
  RMSprop: (g, slot, lr) => {
    slot.square = 0.99 * slot.square + 0.01 * g * g;
    return (lr * g) / (Math.sqrt(slot.square) + 1e-8);
  },
  Adam: (g, slot, lr) => {
    slot.t += 1;
    slot.velocity += (g - slot.velocity) * (1 - 0.9);
    slot.square = 0.999 * slot.square + (1 - 0.999) * g * g;
    const size = Math.sqrt(slot.square) / Math.sqrt(1 - 0.999 ** slot.t) + 1e-8;
    return ((lr / (1 - 0.9 ** slot.t)) * slot.velocity) / size;
  },
};

/** The buffer starts as the gradient, so the first step is not damped. */
function roll(g: number, slot: Slot, momentum: number): number {
  slot.velocity = slot.t === 0 ? g : momentum * slot.velocity + g;
  slot.t += 1;
  return slot.velocity;
}

/** a loss above it ends a path */
export const TOO_FAR = 1e6;

/** The position of an optimizer after 0, 1, ... steps; ends early if it diverges. */
export function walk(
  surface: Surface,
  name: string,
  lr: number,
  momentum: number,
  start: Point,
  steps: number,
): Point[] {
  const slots = [0, 1].map(() => ({ velocity: 0, square: 0, t: 0 }));
  const path: Point[] = [start];
  let [x, y] = start;
  while (path.length <= steps && Math.abs(surface.loss(x, y)) <= TOO_FAR) {
    const [gx, gy] = surface.slope(x, y);
    x -= RULES[name](gx, slots[0], lr, momentum);
    y -= RULES[name](gy, slots[1], lr, momentum);
    path.push([x, y]);
  }
  return path;
}

/** steps per race */
export const STEPS = 300;
/** above the minimum: arrived */
export const NEAR = 0.01;

/** A description of a path's outcome. */
export function verdict(losses: number[], least: number): string {
  const last = losses[losses.length - 1];
  if (!(Math.abs(last) <= TOO_FAR)) return `diverged at step ${losses.length - 1}`;
  let since = losses.length;
  while (since > 0 && !(losses[since - 1] - least > NEAR)) since--;
  return since < losses.length ? `arrived at step ${since}` : "on its way";
}

/** Learning rates by slider position: 1 % apart, from 0.001 to 1. */
const PER_DECADE = 230;
export const LAST_RATE = 3 * PER_DECADE;
export const rateAt = (i: number) =>
  Number((10 ** (i / PER_DECADE - 3)).toPrecision(3));
export const placeOf = (lr: number) =>
  Math.max(0, Math.min(LAST_RATE, Math.round((Math.log10(lr) + 3) * PER_DECADE)));

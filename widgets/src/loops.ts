/** Finds repetitions in a computation, as in `loops.py`. */

/** Fewer units are drawn individually. */
export const MANY_UNITS = 60;
/** An open loop of more iterations is split into as many parts. */
export const PAGE = 12;
/** units of an iteration */
const LONGEST = 64;
const MIN_ITERATIONS = 3;
/** units that a loop replaces */
const MIN_COVERED = 12;

export interface Loop {
  start: number;
  /** units of an iteration */
  period: number;
  iterations: number;
}

/** Repetitions of neighbours, in order; equal units have equal marks. */
export function findLoops(marks: string[]): Loop[] {
  const loops: Loop[] = [];
  for (let i = 0; i < marks.length; ) {
    const loop = loopAt(marks, i);
    const covered = loop.period * loop.iterations;
    if (covered >= MIN_COVERED) loops.push(loop);
    i += covered >= MIN_COVERED ? covered : 1;
  }
  return loops;
}

/** The repetition at `start` that covers the most units; of equals, the shortest. */
function loopAt(marks: string[], start: number): Loop {
  let best: Loop = { start, period: 0, iterations: 0 };
  const longest = Math.min(
    LONGEST,
    Math.floor((marks.length - start) / MIN_ITERATIONS),
  );
  for (let period = 1; period <= longest; period++) {
    let k = start + period;
    while (k < marks.length && marks[k] === marks[k - period]) k++;
    const iterations = Math.floor((k - start) / period);
    if (
      iterations >= MIN_ITERATIONS &&
      period * iterations > best.period * best.iterations
    )
      best = { start, period, iterations };
  }
  return best;
}

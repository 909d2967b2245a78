/** Find what a computation does again and again, as `loops.py` does. */

/** Fewer units are drawn one by one. */
export const MANY_UNITS = 60;
/** An open loop of more rounds is split into as many parts. */
export const PAGE = 12;
/** units of a round */
const LONGEST = 64;
const MIN_ROUNDS = 3;
/** units that a loop takes the place of */
const MIN_COVERED = 12;

export interface Loop {
  start: number;
  /** units of a round */
  period: number;
  rounds: number;
}

/** Where neighbours repeat, in order; alike units have equal marks. */
export function findLoops(marks: string[]): Loop[] {
  const loops: Loop[] = [];
  for (let i = 0; i < marks.length; ) {
    const loop = loopAt(marks, i);
    const covered = loop.period * loop.rounds;
    if (covered >= MIN_COVERED) loops.push(loop);
    i += covered >= MIN_COVERED ? covered : 1;
  }
  return loops;
}

/** The repetition from `start` on that takes in most, of equals the shortest. */
function loopAt(marks: string[], start: number): Loop {
  let best: Loop = { start, period: 0, rounds: 0 };
  const longest = Math.min(LONGEST, Math.floor((marks.length - start) / MIN_ROUNDS));
  for (let period = 1; period <= longest; period++) {
    let k = start + period;
    while (k < marks.length && marks[k] === marks[k - period]) k++;
    const rounds = Math.floor((k - start) / period);
    if (rounds >= MIN_ROUNDS && period * rounds > best.period * best.rounds)
      best = { start, period, rounds };
  }
  return best;
}

/**
 * Bars of a lane as they are drawn, and a text summary of the lane.
 *
 * `edutorch/widgets/lane_bars.py` does the same for still pictures.
 */
import { bytes, percent, plural } from "./format";
import type { Lane, LaneBar, LanesData } from "./lane_types";

/** pixels of a bar, and of a gap, that look like one */
const TINY = 3;
const NEAR = 1.5;

/** One op, or several that are too small to distinguish; times in µs. */
export interface Drawn {
  start: number;
  end: number;
  /** the total time of its ops */
  busy: number;
  /** the number of ops, including nested ones */
  count: number;
  /** "" where they differ */
  name: string;
  /** the innermost module that contains all */
  module: string;
  phase: string;
  row: number;
  /** the device that had sent data before the first of them */
  source: string;
  tiny: boolean;
}

/** The innermost module that contains both. */
export function commonModule(a: string, b: string): string {
  const [x, y] = [a.split("."), b.split(".")];
  const differ = x.findIndex((part, i) => part !== y[i]);
  return differ < 0 ? a : x.slice(0, differ).join(".");
}

/**
 * The bars of a lane at a scale: small ones that follow each other in the same phase
 * become one; a new module begins a new one, unless what it would end is itself too
 * small to see. `pixel` is in µs.
 */
export function drawnBars(bars: LaneBar[], texts: string[], pixel: number): Drawn[] {
  const found: Drawn[] = [];
  const last: (Drawn | undefined)[] = [];
  for (const [start, length, nameAt, moduleAt, phaseAt, , row, inside, from] of bars) {
    const [name, module, phase] = [texts[nameAt], texts[moduleAt], texts[phaseAt]];
    const end = start + length;
    const tiny = length < TINY * pixel;
    const before = last[row];
    const near = before?.tiny && tiny && start - before.end < NEAR * pixel;
    const small = before && before.end - before.start < TINY * pixel;
    if (
      before &&
      near &&
      before.phase === phase &&
      (small || before.module === module)
    ) {
      before.end = Math.max(before.end, end);
      before.busy += length;
      before.count += 1 + inside;
      if (before.name !== name) before.name = "";
      before.module = commonModule(before.module, module);
    } else {
      const place = { start, end, busy: length, count: 1 + inside, row };
      last[row] = { ...place, name, module, phase, source: texts[from], tiny };
      found.push(last[row]);
    }
  }
  return found;
}

/** How long a lane was busy in an interval; overlaps count once. */
export function busyWithin(bars: LaneBar[], from: number, to: number): number {
  let sum = 0;
  let until = from;
  for (const [start, length] of bars) {
    const begin = Math.max(start, until);
    const end = Math.min(start + length, to);
    if (end > begin) sum += end - begin;
    until = Math.max(until, end);
  }
  return sum;
}

/** The busy and the idle share; together they are 100%. */
export function busyText(share: number): string {
  const busy = percent(share);
  const exact = /^\d/.test(busy);
  const idle = exact ? `${100 - Number.parseInt(busy, 10)}%` : percent(1 - share);
  return `busy ${busy}, idle ${idle}`;
}

/** How busy a device was, and the bytes it received and holds. */
export function laneFacts({ busy, idle, ops, received, memory }: Lane): string[] {
  const share = busy / Math.max(busy + idle, 1e-9);
  const { count } = received;
  const moved = `${bytes(received.bytes)} in ${plural(count, "transfer")}`;
  const of = memory.limit === null ? "" : ` of ${bytes(memory.limit)}`;
  return [
    ops ? busyText(share) : "no ops",
    count ? `received ${moved}` : "received nothing",
    `${bytes(memory.now)} held, peak ${bytes(memory.peak)}${of}`,
  ];
}

/** Where memory ran out, and how much of the device was in use. */
export function fullText(full: LanesData["full"][number]): string {
  const of = full.limit === null ? "" : ` of ${bytes(full.limit)}`;
  const held = `${bytes(full.now)}${of} held`;
  return `${full.device} out of memory: ${bytes(full.wanted)} requested, ${held}`;
}

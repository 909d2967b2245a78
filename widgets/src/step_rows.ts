/** The moments of a step as rows, grouped by module call, and ways to step. */
import type { StepData, StepMoment } from "./step_types";

export interface Row {
  /** a module call, or one moment */
  kind: "call" | "moment";
  /** the first moment, and the end (exclusive) */
  at: number;
  end: number;
  depth: number;
  /** the index of the call */
  call: number;
  backward: boolean;
}

const isBackward = (m: StepMoment) => m.kind === "bwd" || m.kind === "leaf";

/** Rows in execution order; consecutive moments of a call are below its row. */
export function rowsOf({ moments, calls }: StepData): Row[] {
  const rows: Row[] = [];
  let open: Row[] = [];
  moments.forEach((m, at) => {
    const chain: number[] = [];
    for (let call = m.call; call >= 0; call = calls[call].parent) chain.unshift(call);
    const backward = isBackward(m);
    const same = open.findIndex(
      (g, k) => g.call !== chain[k] || g.backward !== backward,
    );
    open = same < 0 ? open : open.slice(0, same);
    for (const call of chain.slice(open.length)) {
      const depth = open.length;
      const group: Row = { kind: "call", at, end: at, depth, call, backward };
      rows.push(group);
      open.push(group);
    }
    for (const group of open) group.end = at + 1;
    const depth = open.length;
    rows.push({ kind: "moment", at, end: at + 1, depth, call: m.call, backward });
  });
  return rows;
}

/** The row of a moment. */
export function rowOf(rows: Row[], at: number): number {
  return Math.max(
    0,
    rows.findIndex((row) => row.kind === "moment" && row.at === at),
  );
}

function first(rows: Row[], from: number, fits: (row: Row) => boolean): number {
  const found = rows.findIndex((row, k) => k > from && fits(row));
  return found < 0 ? from : found;
}

/** The target of each way of stepping from a row; the row itself if there is none. */
export const WAYS: Record<
  string,
  (rows: Row[], from: number, data: StepData) => number
> = {
  next: (rows, from) => Math.min(from + 1, rows.length - 1),
  back: (_, from) => Math.max(from - 1, 0),
  over: (rows, from) => {
    const found = first(rows, from, ({ depth }) => depth <= rows[from].depth);
    return found === from ? rows.length - 1 : found;
  },
  overBack: (rows, from) => {
    for (let k = from - 1; k >= 0; k--) if (rows[k].depth <= rows[from].depth) return k;
    return from;
  },
  out: (rows, from) => {
    const found = first(rows, from, ({ depth }) => depth < rows[from].depth);
    return found === from ? rows.length - 1 : found;
  },
  backward: (rows, from, { moments }) =>
    first(rows, from, (row) => {
      const m = moments[row.at];
      const begins = rows[from].backward ? m.order === 0 : true;
      return row.kind === "moment" && row.backward && begins;
    }),
  counterpart: (rows, from, { moments }) => {
    const m = moments[rows[from].at];
    const other = m.kind === "op" ? (m.back[0] ?? -1) : m.of;
    return other < 0 ? from : rowOf(rows, other);
  },
  begin: () => 0,
  end: (rows) => rows.length - 1,
};

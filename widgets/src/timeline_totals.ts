/**
 * Totals of a timeline by operation, module and line, without double counting.
 *
 * The same as in `edutorch/widgets/timeline_totals.py`.
 */
import { shortFile } from "./format";
import { MODULE, NODE, OP, OPTIM, OUTSIDE } from "./timeline_bars";
import type { TimelineData } from "./timeline_types";

export type Mode = "op" | "module" | "line";

export interface Total {
  name: string;
  count: number;
  own: number;
  total: number;
}

/** The row for which each bar itself counts, -1 for none. */
function owners(data: TimelineData, mode: Mode): number[] {
  const { kind, name, line } = data.bars;
  if (mode === "line") {
    const first = new Map<string, number>();
    const same = data.lines.map((src, i) => {
      const place = src ? `${src.file}:${src.line}` : "";
      if (!first.has(place)) first.set(place, i);
      return first.get(place) ?? i;
    });
    return line.map((l) => (l >= 0 ? same[l] : -1));
  }
  const counted = (k: number) =>
    mode === "module" ? k === MODULE : k === OP || k === NODE || k >= OPTIM;
  return kind.map((k, i) => (counted(k) ? name[i] : -1));
}

/** The rows that each bar is nested in, outermost first. */
function chains(data: TimelineData, mode: Mode, own: number[]): number[][] {
  const { parent, link } = data.bars;
  const within = (known: number[][], i: number) => {
    const around = parent[i] >= 0 ? known[parent[i]] : [];
    return own[i] < 0 ? around : [...around, own[i]];
  };
  const plain: number[][] = [];
  for (let i = 0; i < own.length; i++) plain.push(within(plain, i));
  if (mode === "op") return plain;
  const linked: number[][] = [];
  for (let i = 0; i < own.length; i++)
    linked.push(link[i] >= 0 ? plain[link[i]] : within(linked, i));
  return linked;
}

function rowName(data: TimelineData, mode: Mode, key: number): string {
  if (key < 0) return mode === "module" ? "outside modules" : OUTSIDE;
  if (mode !== "line") return data.names[key];
  const src = data.lines[key];
  return src ? `${shortFile(src.file)}:${src.line}` : "unknown line";
}

/** Time by operation, module or line within a window, sorted by own time. */
export function totals(
  data: TimelineData,
  mode: Mode,
  low = 0,
  high = data.total,
): Total[] {
  const { start, dur, parent } = data.bars;
  const own = owners(data, mode);
  const inside = chains(data, mode, own);
  const found = new Map<number, Total>();
  const row = (key: number) => {
    const known = found.get(key);
    if (known) return known;
    const made = { name: rowName(data, mode, key), count: 0, own: 0, total: 0 };
    found.set(key, made);
    return made;
  };
  const add = (chain: number[], ns: number) => {
    row(chain[chain.length - 1] ?? -1).own += ns;
    for (const key of chain.length ? new Set(chain) : [-1]) row(key).total += ns;
  };
  for (let i = 0; i < own.length; i++) {
    const seen = Math.min(start[i] + dur[i], high) - Math.max(start[i], low);
    if (seen < 0) continue;
    if (low <= start[i] && start[i] <= high && own[i] >= 0) row(own[i]).count++;
    add(inside[i], seen);
    if (parent[i] >= 0) add(inside[parent[i]], -seen);
  }
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return [...found.values()]
    .filter((t) => t.count || t.own || t.total)
    .sort((a, b) => b.own - a.own || order(a.name, b.name));
}

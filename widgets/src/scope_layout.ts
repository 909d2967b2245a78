/**
 * Rows and x positions of the items in one scope of the graph; layout.ts does the rest.
 *
 * `edutorch/widgets/scope_layout.py` does the same in Python. The steps, all
 * deterministic:
 *
 * 1. `topoOrder`: Kahn's algorithm, with the queue in item order. In a cycle, the first
 *    remaining item is treated as if it had no predecessors; links that then point
 *    backwards are ignored by all later steps (they are drawn straight).
 * 2. `rankItems`: row = longest path from the sources, so that rows of a growing graph
 *    never change. In-ports have row 0 alone, out-ports the last row alone. An item
 *    that only depends on leaves and has exactly one consumer ("free") sinks to the row
 *    above that consumer: weights sit right above the op that reads them.
 * 3. `buildRows`: links over several rows get one dummy per row between, as long as
 *    they span at most MAX_SPAN rows; longer links are drawn straight. Where MANY links
 *    over several rows end in one place (rounds of a loop that are stacked), the longest
 *    is their trunk: the others join it in the row below their source, and so they
 *    may span up to MERGED_SPAN rows.
 * 4. `sweep`: four barycentre sweeps (down, up, down, up): sort each row by the mean
 *    position of its neighbours in the rows before, stable.
 * 5. `place`: x from three rounds down and up. Going down, the target of each item is
 *    below its *spine* parent (the deepest one); going up, above its own spine children.
 *    In each row the deepest item is placed at its target, and the others are pushed
 *    outwards from it (leaves count as less deep than all other items).
 *    Spines line up by anchors (one for each frame), so chains of frames do not drift.
 */

/** A box of some size; `x` is the centre and is what this file computes. */
export interface Item {
  w: number;
  h: number;
  kind: "box" | "leaf" | "in" | "out";
  /** the alignment point, relative to the centre */
  anchor: number;
}

/** A link between items; the shifts are offsets of its ends from the centres. */
export interface Link {
  from: number;
  to: number;
  fromDx: number;
  toDx: number;
}

export interface Grid {
  /** row of each item, dummies after real items */
  rank: number[];
  x: number[];
  rows: number[][];
  /** for each link, its dummies; null = drawn straight */
  chains: (number[] | null)[];
}

export const GAP_X = 18;
const MAX_SPAN = 24;
const MANY = 4;
const MERGED_SPAN = 240;
const DUMMY_W = 10;
const SWEEPS = 4;
const ROUNDS = 3;

/** Position of each item in a topological order. */
function topoOrder(n: number, links: Link[]): number[] {
  const out: number[][] = Array.from({ length: n }, () => []);
  const waiting = new Array<number>(n).fill(0);
  for (const { from, to } of links) {
    out[from].push(to);
    waiting[to]++;
  }
  const queue: number[] = [];
  const position = new Array<number>(n).fill(-1);
  const take = (v: number) => {
    position[v] = queue.length;
    queue.push(v);
  };
  for (let v = 0; v < n; v++) if (waiting[v] === 0) take(v);
  const release = (u: number) => {
    waiting[u]--;
    if (waiting[u] === 0 && position[u] < 0) take(u);
  };
  for (let done = 0; done < n; done++) {
    if (done === queue.length) take(position.indexOf(-1));
    out[queue[done]].forEach(release);
  }
  return queue;
}

/** The row of each item, and its depth (longest path from the sources). */
function rankItems(items: Item[], links: Link[], order: number[]) {
  const n = items.length;
  const up: number[][] = Array.from({ length: n }, () => []);
  const down: number[][] = Array.from({ length: n }, () => []);
  for (const { from, to } of links) {
    down[from].push(to);
    up[to].push(from);
  }
  const base = items.some((item) => item.kind === "in") ? 1 : 0;
  const depth = new Array<number>(n).fill(0);
  const free = new Array<boolean>(n).fill(false);
  for (const v of order) {
    if (items[v].kind === "in") continue;
    depth[v] = base;
    for (const u of up[v]) depth[v] = Math.max(depth[v], depth[u] + 1);
    free[v] = down[v].length === 1 && up[v].every((u) => free[u]);
  }
  const last = largest(order.map((v) => (items[v].kind === "out" ? 0 : depth[v])));
  for (let v = 0; v < n; v++) if (items[v].kind === "out") depth[v] = last + 1;
  const rank = [...depth];
  for (const v of [...order].reverse())
    if (free[v] && items[down[v][0]].kind !== "out") rank[v] = rank[down[v][0]] - 1;
  return { rank, depth };
}

/** The item at the other end of a link. */
interface Neighbour {
  item: number;
  /** lower centre minus upper centre for a vertical link */
  shift: number;
  /** the same for vertically aligned anchors */
  anchor: number;
}

class Scope {
  readonly rank: number[];
  readonly x: number[] = [];
  readonly rows: number[][] = [];
  readonly chains: (number[] | null)[] = [];
  /** by item, the longest of many links that end there, and its dummies */
  private readonly trunks = new Map<string, Link>();
  private readonly buses = new Map<Link, number[]>();
  private readonly width: number[];
  private readonly depth: number[];
  private readonly up: Neighbour[][];
  private readonly down: Neighbour[][];

  constructor(
    private readonly items: Item[],
    links: Link[],
  ) {
    const order = topoOrder(items.length, links);
    const position = new Array<number>(items.length);
    order.forEach((v, i) => {
      position[v] = i;
    });
    const forward = links.filter((l) => position[l.from] < position[l.to]);
    const { rank, depth } = rankItems(items, forward, order);
    this.rank = rank;
    this.depth = depth.map((d, v) => (items[v].kind === "leaf" ? -1 : d));
    this.width = items.map((item) => item.w);
    this.up = items.map(() => []);
    this.down = items.map(() => []);
    for (let i = 0; i <= largest(rank); i++) this.rows.push([]);
    rank.forEach((r, v) => {
      this.rows[r].push(v);
    });
    this.findTrunks(forward);
    for (const link of links)
      this.chains.push(
        position[link.from] < position[link.to] ? this.chain(link) : null,
      );
    this.sweep();
    this.place();
  }

  private span({ from, to }: Link): number {
    return this.rank[to] - this.rank[from];
  }

  /** Where many long links come together: the longest of them. */
  private findTrunks(links: Link[]): void {
    const meeting = new Map<string, Link[]>();
    for (const link of links) {
      const span = this.span(link);
      if (span <= 1 || span > MERGED_SPAN) continue;
      const group = meeting.get(place(link));
      if (group) group.push(link);
      else meeting.set(place(link), [link]);
    }
    const longest = (a: Link, b: Link) => (this.span(b) > this.span(a) ? b : a);
    for (const [at, group] of meeting)
      if (group.length >= MANY) this.trunks.set(at, group.reduce(longest));
  }

  /** Dummies for the rows between the ends: its own, or those of a trunk. */
  private chain(link: Link): number[] | null {
    const span = this.span(link);
    const trunk = this.trunks.get(place(link));
    if (!trunk || span <= 1 || span > MERGED_SPAN)
      return span <= MAX_SPAN ? this.ownChain(link) : null;
    const bus = this.buses.get(trunk) ?? this.ownChain(trunk);
    this.buses.set(trunk, bus);
    return bus.slice(1 - span);
  }

  private ownChain({ from, to, fromDx, toDx }: Link): number[] {
    const dummies: number[] = [];
    let last = from;
    let shift = fromDx;
    for (let r = this.rank[from] + 1; r < this.rank[to]; r++) {
      const dummy = this.addDummy(r, this.depth[from]);
      this.join(last, dummy, shift);
      dummies.push(dummy);
      last = dummy;
      shift = 0;
    }
    this.join(last, to, shift - toDx);
    return dummies;
  }

  private addDummy(rank: number, depth: number): number {
    const id = this.rank.push(rank) - 1;
    this.width.push(DUMMY_W);
    this.depth.push(depth);
    this.up.push([]);
    this.down.push([]);
    this.rows[rank].push(id);
    return id;
  }

  /** The offset `shift` of the lower end's preferred place from the upper end. */
  private join(upper: number, lower: number, shift: number): void {
    const above = this.items[upper]?.anchor ?? 0;
    const anchor = above - (this.items[lower]?.anchor ?? 0);
    this.down[upper].push({ item: lower, shift, anchor });
    this.up[lower].push({ item: upper, shift, anchor });
  }

  private sweep(): void {
    const position = new Array<number>(this.rank.length).fill(0);
    const number = (row: number[]) =>
      row.forEach((v, i) => {
        position[v] = i;
      });
    this.rows.forEach(number);
    for (let s = 0; s < SWEEPS; s++) {
      const near = s % 2 === 0 ? this.up : this.down;
      const rows = s % 2 === 0 ? this.rows : [...this.rows].reverse();
      for (const row of rows) {
        const key = new Map(row.map((v) => [v, mean(near[v], position, position[v])]));
        row.sort((a, b) => (key.get(a) ?? 0) - (key.get(b) ?? 0));
        number(row);
      }
    }
  }

  private place(): void {
    const spine = this.up.map((near) => this.spineOf(near));
    for (const row of this.rows) this.pack(row);
    for (let round = 0; round < ROUNDS; round++) {
      for (const row of this.rows) this.settle(row, (v) => this.below(spine[v], v));
      for (const row of [...this.rows].reverse())
        this.settle(row, (v) => this.above(spine, v));
    }
  }

  /** The index in `up[v]` of the deepest parent; a real item wins over a dummy. */
  private spineOf(near: Neighbour[]): number {
    return this.foremost(near.map(({ item }) => item));
  }

  /** The index of the item with the highest priority; the middle one of equals. */
  private foremost(list: number[]): number {
    const most = list.reduce((a, v) => Math.max(a, this.priority(v)), -1);
    const equals = list.flatMap((v, i) => (this.priority(v) === most ? [i] : []));
    return equals[(equals.length - 1) >> 1] ?? -1;
  }

  private isDummy(v: number): boolean {
    return v >= this.items.length;
  }

  private priority(v: number): number {
    return this.depth[v] + (this.isDummy(v) ? 0 : 0.5);
  }

  private pack(row: number[]): void {
    let x = 0;
    for (const v of row) {
      this.x[v] = x + this.width[v] / 2;
      x += this.width[v] + GAP_X;
    }
    for (const v of row) this.x[v] -= (x - GAP_X) / 2;
  }

  private below(spine: number, v: number): number {
    if (spine < 0) return this.x[v];
    const { item, anchor } = this.up[v][spine];
    return this.x[item] + anchor;
  }

  private above(spine: number[], v: number): number {
    const near = this.down[v];
    if (near.length === 0) return this.x[v];
    const own = near.filter(({ item }) => this.up[item][spine[item]].item === v);
    const real = own.filter(({ item }) => !this.isDummy(item));
    const from = real.length > 0 ? real : own.length > 0 ? own : near;
    let total = 0;
    for (const { item, shift, anchor } of from)
      total += this.x[item] - (own.length > 0 ? anchor : shift);
    return total / from.length;
  }

  /** Put the deepest item where it should be, and push the others outwards. */
  private settle(row: number[], target: (v: number) => number): void {
    const targets = row.map(target);
    const m = this.foremost(row);
    if (row.length > 0) this.x[row[m]] = targets[m];
    for (let i = m + 1; i < row.length; i++)
      this.x[row[i]] = Math.max(
        targets[i],
        this.x[row[i - 1]] + this.space(row, i - 1),
      );
    for (let i = m - 1; i >= 0; i--)
      this.x[row[i]] = Math.min(targets[i], this.x[row[i + 1]] - this.space(row, i));
  }

  /** The distance between the centres of the i-th and the next item of a row. */
  private space(row: number[], i: number): number {
    return (this.width[row[i]] + this.width[row[i + 1]]) / 2 + GAP_X;
  }
}

function place({ to, toDx }: Link): string {
  return `${to} ${toDx}`;
}

function largest(values: number[]): number {
  return values.reduce((a, b) => Math.max(a, b), 0);
}

function mean(near: Neighbour[], position: number[], otherwise: number): number {
  if (near.length === 0) return otherwise;
  let total = 0;
  for (const { item } of near) total += position[item];
  return total / near.length;
}

/** The rows, order and centres of a scope's items. */
export function arrange(items: Item[], links: Link[]): Grid {
  const { rank, x, rows, chains } = new Scope(items, links);
  return { rank, x, rows, chains };
}

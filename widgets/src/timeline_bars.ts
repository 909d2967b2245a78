/** A timeline's bars: their nesting, their positions, and the bar at a point. */
import type { TimelineData } from "./timeline_types";

export const [STEP, MODULE, OP, NODE, RANGE, BACKWARD, OPTIM, BATCH] = [
  0, 1, 2, 3, 4, 5, 6, 7,
];
export const KINDS = [
  "training step",
  "module",
  "operation",
  "backward of an operation",
  "named block",
  "backward pass",
  "optimizer",
  "loading data",
];
export const OUTSIDE = "outside operations";

export const EMPTY: TimelineData = {
  v: 1,
  rev: 0,
  step: 0,
  most: 0,
  dropped_steps: 0,
  dropped: 0,
  origin: 0,
  total: 0,
  names: [],
  lines: [],
  lanes: [],
  devices: [],
  pauses: [],
  bars: {
    kind: [],
    name: [],
    start: [],
    dur: [],
    lane: [],
    parent: [],
    line: [],
    link: [],
    device: [],
    open: [],
  },
};

/** Rows of bars below a title: those of a thread or of a device. */
export interface Lane {
  title: string;
  /** of its first row */
  row: number;
  rows: number;
  bars: number[];
}

/** Time between bars. */
export interface Gap {
  parent: number;
  start: number;
  end: number;
  before: number;
  after: number;
}

export class Bars {
  readonly n: number;
  readonly depth: number[] = [];
  readonly children: number[][] = [];
  readonly lanes: Lane[] = [];
  /** the bar that a link points to */
  readonly linked = new Map<number, number[]>();
  readonly steps: number[] = [];

  constructor(readonly data: TimelineData) {
    const { parent, kind, link } = data.bars;
    this.n = kind.length;
    for (let i = 0; i < this.n; i++) {
      this.children.push([]);
      this.depth.push(parent[i] < 0 ? 0 : this.depth[parent[i]] + 1);
      if (parent[i] >= 0) this.children[parent[i]].push(i);
      if (kind[i] === STEP) this.steps.push(i);
      if (link[i] >= 0) {
        const known = this.linked.get(link[i]) ?? [];
        this.linked.set(link[i], [...known, i]);
      }
    }
    this.place();
  }

  /** A lane for each thread and, below, for each device if there are several. */
  private place(): void {
    const { data } = this;
    let row = 0;
    data.lanes.forEach((title, lane) => {
      const bars: number[] = [];
      let rows = 1;
      for (let i = 0; i < this.n; i++)
        if (data.bars.lane[i] === lane) {
          bars.push(i);
          rows = Math.max(rows, this.depth[i] + 1);
        }
      this.lanes.push({ title, row, rows, bars });
      row += rows;
    });
    if (data.devices.length < 2 && (data.devices[0] ?? "cpu") === "cpu") return;
    data.devices.forEach((title, device) => {
      const bars = data.bars.kind.flatMap((_, i) =>
        this.device(i) === device ? i : [],
      );
      this.lanes.push({ title, row: row++, rows: 1, bars });
    });
  }

  get rows(): number {
    const last = this.lanes[this.lanes.length - 1];
    return last ? last.row + last.rows : 0;
  }

  name(i: number): string {
    return this.data.names[this.data.bars.name[i]];
  }

  /** A module's own name; its parents' names are shown above it. */
  short(i: number): string {
    const name = this.name(i);
    const colon = name.indexOf(": ");
    return colon < 0 ? name : name.slice(name.lastIndexOf(".", colon) + 1);
  }

  end(i: number): number {
    return this.data.bars.start[i] + this.data.bars.dur[i];
  }

  /** The device on which an op, or its backward, computes. */
  device(i: number): number {
    const { link, device } = this.data.bars;
    return link[i] >= 0 ? device[link[i]] : device[i];
  }

  /** The bars that enclose a bar, innermost first. */
  around(i: number): number[] {
    const found: number[] = [];
    for (let p = this.data.bars.parent[i]; p >= 0; p = this.data.bars.parent[p])
      found.push(p);
    return found;
  }

  /** Its time without nested bars. */
  own(i: number): number {
    const { dur } = this.data.bars;
    return this.children[i].reduce((left, k) => left - dur[k], dur[i]);
  }

  /** The row of a bar in a lane. */
  row(lane: Lane, i: number): number {
    const flat = this.lanes.indexOf(lane) >= this.data.lanes.length;
    return lane.row + (flat ? 0 : this.depth[i]);
  }

  /** The bar in a row at a time, or the gap. `slack`: tolerance for thin bars. */
  at(row: number, ns: number, slack: number): number | Gap | null {
    const lane = this.lanes.find((l) => row >= l.row && row < l.row + l.rows);
    if (!lane) return null;
    const { start, dur } = this.data.bars;
    const off = (i: number) => Math.max(start[i] - ns, ns - this.end(i), 0);
    const [here] = lane.bars
      .filter((i) => this.row(lane, i) === row && off(i) <= slack)
      .sort((a, b) => off(a) - off(b) || dur[a] - dur[b]);
    if (here !== undefined) return here;
    const above = lane.bars.find(
      (i) => this.row(lane, i) === row - 1 && off(i) === 0 && this.children[i].length,
    );
    return above === undefined ? null : this.gap(above, ns);
  }

  private gap(parent: number, ns: number): Gap {
    const { start } = this.data.bars;
    const inside = this.children[parent];
    const before = inside.filter((i) => this.end(i) <= ns).pop() ?? -1;
    const after = inside.find((i) => start[i] >= ns) ?? -1;
    const from = before < 0 ? start[parent] : this.end(before);
    return {
      parent,
      start: from,
      end: after < 0 ? this.end(parent) : start[after],
      before,
      after,
    };
  }

  /** The target of an arrow key: along a row, into a bar, out of it. */
  neighbour(i: number, key: string): number {
    if (key === "ArrowUp") return this.data.bars.parent[i] < 0 ? i : this.around(i)[0];
    if (key === "ArrowDown") return this.children[i][0] ?? i;
    const lane = this.lanes[this.data.bars.lane[i]];
    const level = lane.bars.filter((k) => this.depth[k] === this.depth[i]);
    const to = level.indexOf(i) + (key === "ArrowRight" ? 1 : -1);
    return level[Math.max(0, Math.min(level.length - 1, to))];
  }

  /** The last finished step, or the last. */
  lastStep(): number {
    const whole = this.steps.filter((i) => !this.data.bars.open[i]);
    return (whole.length ? whole : this.steps).pop() ?? -1;
  }
}

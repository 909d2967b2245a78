/** The chart of DeviceLanes: a lane for each device, bars, transfers, phases. */
import { label, rule } from "./chart";
import { svg } from "./dom";
import { bytes, duration } from "./format";
import { busyText, busyWithin, type Drawn, drawnBars, laneFacts } from "./lane_bars";
import type { Lane, LaneBar, LanesData, LaneTransfer } from "./lane_types";
import type { TimeAxis } from "./time_axis";

/** px: the column of heads, a lane, the gap between two, a row of phases */
const HEAD = 232;
const LANE = 62;
const LOW = 40;
const SPACE = 15;
const BAND = 16;
const EDGE = 12;
/** below this width, heads are above their lanes */
const NARROW = 600;
const LINE = 15;
/** px between byte labels and the head below them */
const APART = 7;
/** px of a letter */
const LETTER = 6.2;
/** one of a bold or a wide word, such as AddmmBackward0 */
const BOLD = 7;
/** px: half of an arrow's tip with its rim, its length, the space beside a byte label */
const TIP = 4;
const REACH = 6;
const LONG = 7;
const BESIDE = 9;
/** px between two transfers of a pair that are drawn as one */
const NEAR = 4;
/** px of an idle interval that can be pointed at */
const LEAST = 3;

/** What can be pointed at in a lane: a bar, or (null) an idle interval. */
export interface Item {
  start: number;
  end: number;
  bar: Drawn | null;
  /** the device that had sent before the bar, or before the end of an interval */
  source: string;
}

export class LaneChart {
  items: Item[][] = [];
  /** of the bars drawn */
  phases: string[] = [];
  narrow = false;
  private left = 0;
  private wide = 0;
  private top = 0;
  private data!: LanesData;
  /** the transfers drawn */
  private moves: LaneTransfer[] = [];

  constructor(
    private readonly axis: TimeAxis,
    private readonly tall: (usual: number, lanes: number) => number,
  ) {}

  /** The top of lane `i`. */
  private y(i: number): number {
    const above = this.narrow ? LINE + SPACE + APART : SPACE;
    return this.top + i * (this.high + above) + above - SPACE;
  }

  private get high(): number {
    return this.narrow ? LOW : this.tall(LANE, this.data.lanes.length);
  }

  /** The lane at a height, or -1. */
  laneAt(y: number): number {
    return this.data.lanes.findIndex(
      (_, i) => y >= this.y(i) && y < this.y(i) + this.high,
    );
  }

  /** The whole picture, as wide as its container. */
  draw(data: LanesData, width: number): SVGElement {
    const { axis } = this;
    this.data = data;
    this.narrow = width < NARROW;
    this.phases = [];
    this.left = this.narrow ? EDGE : HEAD;
    this.wide = width - this.left - EDGE;
    axis.placeAt({ left: this.left, width: this.wide });
    this.top = 10 + Math.max(0, ...data.phases.map((p) => p.row + 1)) * BAND;
    const room = data.full.length ? 22 : 6;
    const foot = this.y(data.lanes.length - 1) + this.high + room;
    const height = foot + 26;
    const place = { x: this.left, y: 0, width: this.wide, height };
    // the inner element clips what is beyond the axis
    const plot = svg("svg", {
      ...place,
      viewBox: `${this.left} 0 ${this.wide} ${height}`,
    });
    plot.append(...this.band());
    this.moves = this.joined();
    const pixel = (axis.to - axis.from) / this.wide;
    this.items = data.lanes.map((lane, i) => {
      const bars = drawnBars(lane.bars.filter(this.inSight), data.texts, pixel);
      const items = this.itemsOf(lane.bars, bars, pixel);
      plot.append(...this.bars(lane, bars, i), ...this.idle(items, i));
      return items;
    });
    plot.append(...this.stepEnds(foot), ...this.arrows(), ...this.full());
    const backs = data.lanes.map((_, i) =>
      svg("rect", {
        ...place,
        class: "edt-backdrop",
        y: this.y(i),
        height: this.high,
      }),
    );
    const under = [...backs, axis.draw(this.top - 4, foot)];
    const size = { width, height, "aria-hidden": "true" };
    return svg("svg", size, ...under, plot, ...this.heads());
  }

  /** An outline around an item. */
  outline(lane: number, { start, end }: Item): SVGElement {
    const { axis, left } = this;
    const right = left + this.wide;
    const x = Math.min(right - 3, Math.max(left, axis.x(start))) - 1;
    const width = Math.max(4, Math.min(right, axis.x(end)) - x + 1);
    const box = { x, width, y: this.y(lane) + 1, height: this.high - 2 };
    return svg("rect", { class: "edt-cursor", "data-now": true, ...box });
  }

  private inSight = ([start, length]: LaneBar): boolean =>
    start <= this.axis.to && start + length >= this.axis.from;

  /** Bars in full, and the gaps between them that are wide enough to see. */
  private itemsOf(all: LaneBar[], bars: Drawn[], pixel: number): Item[] {
    const { from, to } = this.axis;
    const items: Item[] = [];
    let until = this.data.from;
    let next = this.data.to;
    for (const [start, length] of all) {
      if (start + length < from) until = Math.max(until, start + length);
      if (start > to) next = Math.min(next, start);
    }
    const idle = (end: number, source: string) => {
      const seen = Math.min(end, to) - Math.max(until, from);
      if (seen >= LEAST * pixel) items.push({ start: until, end, bar: null, source });
    };
    for (const bar of bars) {
      idle(bar.start, bar.source);
      items.push({ start: bar.start, end: bar.end, bar, source: bar.source });
      until = Math.max(until, bar.end);
    }
    const last = all.find(([start]) => start === next);
    idle(next, last ? this.data.texts[last[8]] : "");
    return items;
  }

  /** What a device is and did; with little space, only how busy it was. */
  private heads(): SVGElement[] {
    const { axis, narrow } = this;
    return this.data.lanes.flatMap((lane, i) => {
      const facts = laneFacts(lane);
      if (!axis.whole && lane.ops) {
        const share = busyWithin(lane.bars, axis.from, axis.to) / (axis.to - axis.from);
        facts[0] = `${busyText(share)} in view`;
      }
      const same = lane.kind.toLowerCase() === lane.device;
      const beside = narrow ? facts[0] : same ? "" : lane.kind;
      const y = this.y(i) + (narrow ? -5 : 10);
      const head = label(EDGE, y, "", "start", "edt-halo");
      const size = LETTER * (lane.device.length + beside.length + 1) + 6;
      // arrows end behind a head that is above its lane
      const place = { x: EDGE - 2, y: y - 11, width: narrow ? size : 0, height: 14 };
      const ground = svg("rect", { ...place, style: "fill: var(--edt-bg)" });
      head.append(
        svg("tspan", { class: "edt-ink" }, lane.device),
        svg("tspan", { dx: 6, "font-weight": 400 }, beside),
      );
      const lines = narrow ? [] : facts;
      return [
        ground,
        head,
        ...lines.map((fact, k) =>
          label(EDGE, y + LINE * (k + 1), fact, "start", "edt-ink"),
        ),
      ];
    });
  }

  /** A name in a box, if it fits into the visible part. */
  private named(x: number, width: number, y: number, name: string, look: string) {
    const at = Math.max(x, this.left) + 4;
    const fits = x + width - at > name.length * BOLD;
    return fits ? [label(at, y, name, "start", look)] : [];
  }

  private band(): SVGElement[] {
    const { axis } = this;
    return this.data.phases.flatMap(({ name, from, to, row }) => {
      const x = axis.x(from);
      const width = Math.max(1, axis.x(to) - x - 1);
      const y = 4 + row * BAND;
      const place = { x, y, width, height: BAND - 3, rx: 2 };
      const box = svg("rect", { class: "edt-phase", ...place }, svg("title", {}, name));
      return [box, ...this.named(x, width, y + 10, name, "edt-ink")];
    });
  }

  private bars(lane: Lane, bars: Drawn[], i: number): SVGElement[] {
    const { axis } = this;
    const high = (this.high - 6) / lane.rows;
    return bars.flatMap((bar) => {
      const { phase } = bar;
      if (!this.phases.includes(phase)) this.phases.push(phase);
      const x = axis.x(bar.start);
      const width = Math.max(1, axis.x(bar.end) - x - 0.5);
      const y = this.y(i) + 3 + bar.row * high;
      const place = { x, y, width, height: Math.max(1, high - 1) };
      const rect = svg("rect", {
        "data-phase": phase,
        fill: colourOf(phase),
        ...place,
      });
      const name = high > 11 ? barName(bar) : "";
      return [rect, ...this.named(x, width, y + high / 2 + 4, name, "edt-on-work")];
    });
  }

  /** The length of an idle interval, if there is space. */
  private idle(items: Item[], i: number): SVGElement[] {
    const { axis } = this;
    return items.flatMap(({ start, end, bar }) => {
      const text = `idle ${duration(end - start)}`;
      const x0 = Math.max(this.left, axis.x(start));
      const x1 = Math.min(this.left + this.wide, axis.x(end));
      const size = text.length * LETTER + 8;
      if (bar || x1 - x0 < size || !this.data.lanes[i].ops) return [];
      const middle = [(x0 + x1) / 2, x0 + size / 2, x1 - size / 2].find(
        (x) => !this.passed(i, x - size / 2, x + size / 2),
      );
      if (middle === undefined) return [];
      return [label(middle, this.y(i) + this.high / 2 + 4, text, "middle")];
    });
  }

  /** Whether an arrow passes over lane `i` between two positions. */
  private passed(i: number, left: number, right: number): boolean {
    const { moves } = this;
    return moves.some(
      (move) =>
        this.crosses(move, i, left, right) && this.crosses(move, i - 1, left, right),
    );
  }

  private stepEnds(foot: number): SVGElement[] {
    let free = 0;
    return this.data.steps.flatMap(([us, step]) => {
      const x = this.axis.x(us);
      if (x < free) return [];
      free = x + 5;
      const line = rule(x, foot - 6, x, foot, "edt-cursor");
      line.append(svg("title", {}, `step ${step} ends`));
      return [line];
    });
  }

  /** The visible transfers; neighbours of a pair are merged. */
  private joined(): LaneTransfer[] {
    const { axis } = this;
    const last = new Map<string, LaneTransfer>();
    const found: LaneTransfer[] = [];
    for (const move of this.data.transfers) {
      const [start, end, source, target, n] = move;
      if (end < axis.from || start > axis.to || source === target) continue;
      const key = `${source}>${target}`;
      const before = last.get(key);
      if (before && axis.x(end) - axis.x(before[1]) < NEAR) {
        before[1] = end;
        before[4] += n;
      } else {
        const copy: LaneTransfer = [...move];
        last.set(key, copy);
        found.push(copy);
      }
    }
    return found;
  }

  private arrows(): SVGElement[] {
    const lanes = this.data.lanes.map((lane) => lane.device);
    const free = lanes.map(() => this.left);
    const names: SVGElement[] = [];
    const edge = this.left + this.wide;
    const arrows = this.moves.flatMap((move) => {
      const [, , source, target, n] = move;
      const [a, b] = [lanes.indexOf(source), lanes.indexOf(target)];
      const down = b > a;
      const y0 = this.y(a) + (down ? this.high - 6 : 6);
      // inside its lane: heads and byte labels are between the lanes
      const tip = this.y(b) + (down ? 1 : this.high - 1);
      const y1 = tip + (down ? LONG : -LONG);
      const [from, x] = this.span(move);
      const line = rule(from, y0, x, tip, "edt-move");
      const points = `${x},${y1} ${x - TIP},${tip} ${x + TIP},${tip}`;
      const text = bytes(n);
      const over = Math.min(a, b);
      // beside the arrow, below the upper lane, where there is space and no other arrow
      const size = text.length * BOLD;
      const others = this.moves.filter((one) => one !== move);
      const ends = [Math.max(from, x) + BESIDE, Math.min(from, x) - BESIDE - size];
      const left = ends.find(
        (at) =>
          at >= free[over] &&
          at + size <= edge &&
          !others.some((one) => this.crosses(one, over, at, at + size)),
      );
      if (left !== undefined) {
        free[over] = left + size + 9;
        const y = this.y(over) + this.high + SPACE - 4;
        names.push(label(left, y, text, "start", "edt-ink edt-halo"));
      }
      return [line, svg("polygon", { points, class: "edt-move" })];
    });
    return [...arrows, ...names];
  }

  /** Where an arrow begins and ends; all of a visible tip is within the chart. */
  private span([start, end]: LaneTransfer): [number, number] {
    const edge = this.left + this.wide;
    const to = this.axis.x(end);
    const seen = to >= this.left && to <= edge;
    const x = seen ? Math.min(Math.max(to, this.left + REACH), edge - REACH) : to;
    return [this.axis.x(start), x];
  }

  /** Whether a transfer's arrow passes between two positions, below lane `over`. */
  private crosses(
    move: LaneTransfer,
    over: number,
    left: number,
    right: number,
  ): boolean {
    const [, , source, target] = move;
    const lanes = this.data.lanes.map((lane) => lane.device);
    const ends = [lanes.indexOf(source), lanes.indexOf(target)];
    const between = Math.min(...ends) <= over && over < Math.max(...ends);
    const [x0, x1] = this.span(move);
    const [first, last] = [Math.min(x0, x1) - REACH, Math.max(x0, x1) + REACH];
    return between && first < right && last > left;
  }

  private full(): SVGElement[] {
    return this.data.full.flatMap(({ at, device }) => {
      const y = this.y(this.data.lanes.findIndex((lane) => lane.device === device));
      const x = this.axis.x(at);
      const late = x > this.left + this.wide / 2;
      const [by, anchor] = late ? [-6, "end"] : [6, "start"];
      // below its lane, where there are no bars; a halo separates it from byte labels
      const under = y + this.high + SPACE - 4;
      return [
        rule(x, y, x, under, "edt-full"),
        label(x + by, under, "out of memory", anchor, "edt-mark edt-halo"),
      ];
    });
  }
}

/** Light enough for dark text in both themes. */
const COLOURS: Record<string, string> = {
  forward: "#56b4e9",
  backward: "#e69f00",
  optim: "#cc79a7",
  data: "#9aa3af",
  copy: "#23b58a",
};

export function colourOf(phase: string): string {
  return COLOURS[phase] ?? "#a99ff0";
}

/** The name of a bar in the chart. */
export function barName({ name, count, module }: Drawn): string {
  if (count === 1) return name;
  const rest = name || module;
  return rest ? `${count} ops · ${rest}` : `${count} ops`;
}

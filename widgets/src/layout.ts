/**
 * Positions of boxes and lines: a layered layout of nested graphs.
 *
 * `edutorch/widgets/layout.py` does the same; `test/fixtures` holds results on which
 * both must agree to 0.1. It is deterministic and does not measure fonts:
 *
 * 1. Sizes: a box is BOX_H high and wide enough for its columns of text (`boxWidth`).
 * 2. Frames are laid out from the inside out; seen from outside, a frame is one big box.
 * 3. A *net* is all edges of one source box. Where a net crosses a frame it has one
 *    port: an in-port on the frame's upper edge, an out-port on the lower one. So each
 *    scope (a frame, or the top) has its own items (boxes, frames, ports) and links,
 *    both in the order of boxes and edges, and `arrange` (scope_layout.ts) gives rows and x.
 * 4. y: rows are stacked with GAP_Y between them; a row is as high as its highest item.
 *    Leaves are aligned to the bottom of their row, other items to the top.
 * 5. A link is a list of points: down from the box to its row's end, through its
 *    dummies, to the target. `route` is drawn with curves between the rows.
 *
 * This describes the direction "down". For "right", rows are columns: x and y are
 * exchanged, except that text still runs from left to right. In the code, *along* is the
 * direction of the flow and *across* that of a row; a frame's title is before its rows in
 * one direction, and beside them in the other.
 */
import type { Box, Folded } from "./boxes";
import type { Direction } from "./direction";
import { clip, columns } from "./format";
import { arrange, type Grid, type Item, type Link } from "./scope_layout";

export const BOX_H = 54;
export const GAP_Y = 32;
/** between rows in the direction "right", where lines are steeper */
const GAP_RIGHT = 44;
/** from a frame's left edge to its first row */
const LEAD = 30;
export const HEADER = 34;
export const PAD = 16;
export const TITLE_COLUMNS = 34;
export const SUB_COLUMNS = 30;
/** pixels for each column of text, for the widest of the usual fonts */
const TITLE_W = 8.2;
const SUB_W = 7;
const PORT_W = 8;

export type Point = [number, number];

export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A piece of an edge within one scope. */
export interface Route {
  /** id of the source box of the whole edge */
  net: string;
  from: string;
  to: string;
  points: Point[];
  /** an arrowhead is drawn if a line ends at a box */
  arrow: boolean;
  /** spans too many rows: a straight line */
  long: boolean;
}

export interface Layout {
  direction: Direction;
  width: number;
  height: number;
  /** upper left corners, by box id */
  rects: Map<string, Rect>;
  routes: Route[];
}

/** The width of a box, computed from its text in steps of 8. */
export function boxWidth(box: Box): number {
  const sides = box.kind === "param" ? 44 : 30;
  const folded = box.kind === "module" || box.kind === "repeat";
  const title = (columns(clip(box.title, TITLE_COLUMNS)) + (folded ? 2 : 0)) * TITLE_W;
  const sub = columns(clip(box.sub, SUB_COLUMNS)) * SUB_W;
  return Math.max(
    folded ? 168 : 104,
    Math.ceil((Math.max(title, sub) + sides) / 8) * 8,
  );
}

function frameTitleWidth(box: Box): number {
  return columns(clip(box.title, TITLE_COLUMNS)) * TITLE_W + 44;
}

/** A scope: the top or one frame. Ids of ports are `<net` (in) and `>net` (out). */
class Scope {
  readonly ids: string[] = [];
  readonly index = new Map<string, number>();
  readonly links = new Map<string, { net: string; from: string; to: string }>();
  items: Item[] = [];
  grid: Grid = { rank: [], x: [], rows: [], chains: [] };
  linkList: Link[] = [];
  /** the start and end of each row */
  tops: number[] = [];
  bottoms: number[] = [];
  across = 0;
  along = 0;

  add(id: string): string {
    if (!this.index.has(id)) this.index.set(id, this.ids.push(id) - 1);
    return id;
  }

  link(net: string, from: string, to: string): void {
    const key = `${net}\n${from}\n${to}`;
    if (!this.links.has(key)) this.links.set(key, { net, from, to });
  }
}

class Nested {
  private readonly boxes = new Map<string, Box>();
  private readonly scopes = new Map<string, Scope>([["", new Scope()]]);
  private readonly rects = new Map<string, Rect>();
  private readonly routes: Route[] = [];

  private readonly right: boolean;

  constructor(
    private readonly folded: Folded,
    private readonly direction: Direction,
  ) {
    this.right = direction === "right";
    for (const box of folded.boxes) {
      this.boxes.set(box.id, box);
      if (box.kind === "frame") this.scopes.set(box.id, new Scope());
      this.scope(box.parent).add(box.id);
    }
    for (const { from, to } of folded.edges) this.thread(from, to);
  }

  layout(): Layout {
    const frames = this.folded.boxes.filter((b) => b.kind === "frame");
    for (const frame of frames.reverse()) this.arrangeScope(frame.id);
    this.arrangeScope("");
    this.emit("", 0, 0);
    for (const frame of frames.reverse()) {
      const { x, y } = this.rects.get(frame.id) as Rect;
      this.emit(frame.id, x, y);
    }
    const { direction, rects, routes } = this;
    const [width, height] = this.sizeOf(this.scope(""));
    return { direction, width, height, rects, routes };
  }

  /** Convert (across, along) to (x, y), or back. */
  private turn(across: number, along: number): Point {
    return this.right ? [along, across] : [across, along];
  }

  private sizeOf({ across, along }: Scope): Point {
    return this.turn(across, along);
  }

  private scope(id: string): Scope {
    return this.scopes.get(id) as Scope;
  }

  /** The box and its enclosing frames, innermost first, then the top. */
  private chainOf(id: string): string[] {
    const chain = [id];
    let box = this.boxes.get(id);
    while (box && box.parent !== "") {
      chain.push(box.parent);
      box = this.boxes.get(box.parent);
    }
    return chain;
  }

  /** Split an edge into links: out of frames, across, into frames. */
  private thread(from: string, to: string): void {
    const ups = this.chainOf(from);
    const downs = this.chainOf(to);
    while (ups.length > 1 && downs.length > 1 && ups.at(-1) === downs.at(-1)) {
      ups.pop();
      downs.pop();
    }
    for (let i = 0; i + 1 < ups.length; i++) {
      const scope = this.scope(ups[i + 1]);
      scope.link(from, ups[i], scope.add(`>${from}`));
    }
    const meeting = this.scope(this.boxes.get(ups[ups.length - 1])?.parent ?? "");
    meeting.link(from, ups[ups.length - 1], downs[downs.length - 1]);
    for (let i = downs.length - 2; i >= 0; i--) {
      const scope = this.scope(downs[i + 1]);
      scope.link(from, scope.add(`<${from}`), downs[i]);
    }
  }

  private itemOf(id: string): Item {
    const box = this.boxes.get(id);
    if (!box)
      return { w: PORT_W, h: 0, kind: id.startsWith("<") ? "in" : "out", anchor: 0 };
    if (box.kind === "frame") {
      const { across, along } = this.scope(id);
      return { w: across, h: along, kind: "box", anchor: this.anchorOf(id) };
    }
    const leaf = box.kind === "param" || box.kind === "input" || box.kind === "const";
    const [w, h] = this.turn(boxWidth(box), BOX_H);
    return { w, h, kind: leaf ? "leaf" : "box", anchor: 0 };
  }

  /** The offset at which a frame is aligned: its middle out-port, or in-port. */
  private anchorOf(frame: string): number {
    const { ids } = this.scope(frame);
    const outs = ids.filter((id) => id.startsWith(">"));
    const ports = outs.length > 0 ? outs : ids.filter((id) => id.startsWith("<"));
    const port = ports[(ports.length - 1) >> 1];
    return port === undefined ? 0 : this.portDx(frame, port);
  }

  /** Where a net crosses a frame's edge, relative to the frame's centre. */
  private portDx(frame: string, port: string): number {
    const scope = this.scopes.get(frame);
    const index = scope?.index.get(port);
    return scope && index !== undefined ? scope.grid.x[index] - scope.across / 2 : 0;
  }

  private arrangeScope(id: string): void {
    const scope = this.scope(id);
    scope.items = scope.ids.map((item) => this.itemOf(item));
    scope.linkList = [...scope.links.values()].map(({ net, from, to }) => ({
      from: scope.index.get(from) as number,
      to: scope.index.get(to) as number,
      fromDx: this.portDx(from, `>${net}`),
      toDx: this.portDx(to, `<${net}`),
    }));
    scope.grid = arrange(scope.items, scope.linkList);
    const frame = this.boxes.get(id);
    const title = frame ? frameTitleWidth(frame) : 0;
    const [before, pad] = frame ? [this.right ? LEAD : HEADER, PAD] : [0, 0];
    this.stack(scope, before, pad, this.right ? title : 0);
    this.center(scope, frame && this.right ? HEADER : pad, pad, this.right ? 0 : title);
  }

  /** The start and end of each row; port rows lie on the frame's edges. */
  private stack(scope: Scope, before: number, pad: number, least: number): void {
    const { rows } = scope.grid;
    const gap = this.right ? GAP_RIGHT : GAP_Y;
    let y = before;
    scope.tops = [];
    scope.bottoms = [];
    rows.forEach((row, r) => {
      const kind = scope.items[row[0]]?.kind;
      const h = row.reduce((most, v) => Math.max(most, scope.items[v]?.h ?? 0), 0);
      if (r > 0 && kind !== "out" && scope.items[rows[r - 1][0]]?.kind !== "in")
        y += gap;
      if (kind === "in") y = 0;
      const end = Math.max(y + pad, least);
      scope.tops.push(kind === "out" ? end : y);
      scope.bottoms.push(kind === "out" ? end : y + h);
      y = kind === "in" ? before : y + h;
    });
    scope.along = Math.max(y + pad, least);
  }

  /** Shift the items so that there is space `before` the first and `after` the last. */
  private center(scope: Scope, before: number, after: number, least: number): void {
    const { x } = scope.grid;
    let left = Number.POSITIVE_INFINITY;
    let right = Number.NEGATIVE_INFINITY;
    x.forEach((at, v) => {
      const half = (scope.items[v]?.w ?? 0) / 2;
      left = Math.min(left, at - half);
      right = Math.max(right, at + half);
    });
    const content = x.length > 0 ? right - left : 0;
    const taken = content + before + after;
    scope.across = Math.max(taken, least);
    const shift = before + (scope.across - taken) / 2 - left;
    for (let v = 0; v < x.length; v++) x[v] += shift;
  }

  /** Append a scope's rectangles and routes at their position on the page. */
  private emit(id: string, dx: number, dy: number): void {
    const scope = this.scope(id);
    scope.ids.forEach((item, v) => {
      if (!this.boxes.has(item)) return;
      const { w, h, kind } = scope.items[v];
      const r = scope.grid.rank[v];
      const top = kind === "leaf" ? scope.bottoms[r] - h : scope.tops[r];
      const [x, y] = this.turn(scope.grid.x[v] - w / 2, top);
      const [wide, high] = this.turn(w, h);
      this.rects.set(item, { x: dx + x, y: dy + y, w: wide, h: high });
    });
    [...scope.links.values()].forEach(({ net, from, to }, i) => {
      const chain = scope.grid.chains[i];
      const points = this.trace(scope, scope.linkList[i], chain).map((point): Point => {
        const [x, y] = this.turn(...point);
        return [x + dx, y + dy];
      });
      const target = this.boxes.get(to);
      const arrow = target !== undefined && target.kind !== "frame";
      this.routes.push({ net, from, to, points, arrow, long: chain === null });
    });
  }

  /** The points of a link, each as (across, along). */
  private trace(scope: Scope, link: Link, chain: number[] | null): Point[] {
    const { rank, x } = scope.grid;
    const { from, to, fromDx, toDx } = link;
    const [a, b] = [scope.items[from], scope.items[to]];
    const [ra, rb] = [rank[from], rank[to]];
    const aBottom = a.kind === "leaf" ? scope.bottoms[ra] : scope.tops[ra] + a.h;
    const bTop = b.kind === "leaf" ? scope.bottoms[rb] - b.h : scope.tops[rb];
    const start: Point = [x[from] + fromDx, aBottom];
    const end: Point = [x[to] + toDx, bTop];
    if (chain === null) return [start, end];
    const points: Point[] = [start];
    if (aBottom < scope.bottoms[ra]) points.push([start[0], scope.bottoms[ra]]);
    for (const d of chain) {
      points.push([x[d], scope.tops[rank[d]]]);
      if (scope.bottoms[rank[d]] > scope.tops[rank[d]])
        points.push([x[d], scope.bottoms[rank[d]]]);
    }
    if (bTop > scope.tops[rb]) points.push([end[0], scope.tops[rb]]);
    points.push(end);
    return points;
  }
}

/** Lay out a folded graph. */
export function layout(folded: Folded, direction: Direction = "down"): Layout {
  return new Nested(folded, direction).layout();
}

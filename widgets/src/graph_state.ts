/** The state of a GraphView: the snapshot, what is open, and the layout. */

import { type BoxStyle, backwardDone, stepOfValues, styleOf } from "./box_style";
import type { Box, Folded } from "./boxes";
import { decodeRows } from "./columnar";
import { betterDirection, type Direction, READABLE, type Size } from "./direction";
import { autoExpanded, fold, openTo } from "./fold";
import type { GraphData, GraphNode } from "./graph_types";
import { type Layout, layout } from "./layout";

/** A picture ready to be drawn. */
export interface Scene {
  folded: Folded;
  placed: Layout;
  styles: Map<string, BoxStyle>;
  /** nets, or single lines as "from>to", along which a gradient has flowed */
  flows: Set<string>;
  /** equal for pictures of the same form, whatever the ids */
  form: string;
}

/** With more boxes than this, only one direction is laid out instead of both. */
const MAX_TRIED = 300;
/** In a frame this much wider than high, a long graph is drawn left to right. */
const FLAT = 3;
/** A lower frame is a strip: modules are folded until their row is legible. */
const LOW = 200;
const MAX_STRIP_DEPTH = 3;
/** With more boxes than this at the automatic depth, it is chosen again. */
const CROWDED = 80;
/** nesting of repeats and loops */
const DEEP = 6;
/** Marks "opened by hand": the top is always open. */
const TOP = "";

const EMPTY: GraphData = {
  v: 1,
  rev: 0,
  step: 0,
  phase: "idle",
  recorded_step: 0,
  dropped: 0,
  passes: 0,
  nodes: [],
  edges: [],
  modules: [],
};

/** A complete snapshot, whatever the trait holds. */
export function toGraph(value: unknown): GraphData {
  const given = (value ?? {}) as Partial<GraphData>;
  return {
    ...EMPTY,
    ...given,
    nodes: decodeRows(given.nodes ?? []) as unknown as GraphNode[],
    edges: given.edges ?? [],
    modules: given.modules ?? [],
  };
}

/** Whether a box can be opened. */
function isFolded({ kind }: Box): boolean {
  return kind === "module" || kind === "repeat";
}

function formOf({ boxes, edges }: Folded): string {
  const index = new Map(boxes.map((box, i) => [box.id, i]));
  const things = boxes.map(
    (b) => `${b.kind}|${b.title}|${b.sub}|${index.get(b.parent) ?? ""}`,
  );
  const lines = edges.map((e) => `${index.get(e.from)}>${index.get(e.to)}`);
  return `${things.join("\n")}\n\n${lines.join(" ")}`;
}

export class GraphState {
  data = EMPTY;
  byId = new Map<string, GraphNode>();
  scene: Scene = emptyScene();
  /** id of the focused box, "" for none */
  focus = "";
  /** id of the node whose details are shown, "" for none */
  selected = "";
  /** the reader's choice; "" to decide by the form of the graph and its frame */
  wanted: Direction | "" = "";
  /** the size of the frame */
  frame: () => Size = () => ({ width: 800, height: 500 });
  /** do not change the direction now: the reader is working in the picture */
  held: () => boolean = () => false;
  /** the drawing's size in both directions */
  private sizes: Record<Direction, Size> | null = null;
  /** the drawing was visible in a frame of known size */
  private seen = false;
  private open = new Set<string>();
  private byHand = false;
  /** the depth was chosen for a low strip */
  private flat = false;
  private modules = "";

  /** Set a new snapshot; returns whether boxes moved. */
  update(data: GraphData): boolean {
    this.data = data;
    this.byId = new Map(data.nodes.map((n) => [n.id, n]));
    if (!this.byHand) this.chooseDepth();
    return this.refold();
  }

  /** `expanded` as in the trait: empty means automatic. */
  setExpanded(list: string[]): void {
    this.byHand = list.length > 0;
    if (this.byHand) this.open = new Set(list);
    else this.modules = "";
  }

  get expanded(): string[] {
    return this.byHand ? [...this.open].sort() : [];
  }

  get direction(): Direction {
    return this.scene.placed.direction;
  }

  /** Draw in this direction ("": the fitting one); returns whether boxes moved. */
  turn(wanted: Direction | ""): boolean {
    this.wanted = wanted;
    const { folded, placed } = this.scene;
    const next = wanted || this.fitting();
    this.seen = true;
    if (next === placed.direction) return false;
    this.scene = { ...this.scene, placed: layout(folded, next) };
    return true;
  }

  private fitting(): Direction {
    const now = this.direction;
    if (this.seen && this.held()) return now;
    const frame = this.frame();
    if (this.sizes) {
      const { down, right } = this.sizes;
      return betterDirection(this.seen ? now : "", down, right, frame);
    }
    return frame.width > FLAT * frame.height ? "right" : "down";
  }

  /** Lay out a new picture in the requested or the fitting direction. */
  private place(folded: Folded): Layout {
    this.sizes = null;
    if (folded.boxes.length > MAX_TRIED)
      return layout(folded, this.wanted || this.fitting());
    const down = layout(folded, "down");
    const right = layout(folded, "right");
    this.sizes = { down, right };
    return (this.wanted || this.fitting()) === "down" ? down : right;
  }

  /** The frame has a new size: choose again; returns whether boxes moved. */
  reframe(): boolean {
    const flat = this.isFlat;
    if (flat !== this.flat && !this.byHand) return this.update(this.data);
    return this.turn(this.wanted);
  }

  private get isFlat(): boolean {
    return this.frame().height < LOW;
  }

  private choose(): Set<string> {
    return this.flat ? lowExpanded(this.data, this.frame()) : autoExpanded(this.data);
  }

  private chooseDepth(): void {
    const modules = this.data.modules.map((m) => m.path).join("\n");
    const crowded = this.boxCount(fold(this.data, this.open)) > CROWDED;
    const flat = this.isFlat;
    if (modules === this.modules && flat === this.flat && (!crowded || flat)) return;
    this.modules = modules;
    this.flat = flat;
    this.open = this.choose();
  }

  boxCount(folded: Folded = this.scene.folded): number {
    return folded.boxes.reduce((n, b) => n + (b.kind === "frame" ? 0 : 1), 0);
  }

  /** Open a folded module or repeat, or close a frame. */
  toggle(box: Box): void {
    if (box.kind === "frame") this.closeFrame(box);
    else this.openBox(box);
    this.takeOver();
  }

  get canUnfold(): boolean {
    return this.scene.folded.boxes.some(isFolded);
  }

  get canFold(): boolean {
    return this.scene.folded.boxes.some((b) => b.kind === "frame");
  }

  /** Open every folded module, repeat and loop that is visible. */
  unfold(): void {
    for (const box of this.scene.folded.boxes) if (isFolded(box)) this.openBox(box);
    this.takeOver();
  }

  /** Close the innermost frames. */
  foldInnermost(): void {
    const depth = new Map([["", 0]]);
    const frames = this.scene.folded.boxes.filter((b) => b.kind === "frame");
    for (const { id, parent } of frames) depth.set(id, (depth.get(parent) ?? 0) + 1);
    const most = Math.max(...depth.values());
    for (const frame of frames)
      if (depth.get(frame.id) === most) this.closeFrame(frame);
    this.takeOver();
  }

  private openBox(box: Box): void {
    this.open.add(box.kind === "repeat" ? box.id : box.path);
  }

  private closeFrame({ path }: Box): void {
    const inner = `r:${path}.`;
    this.open.delete(path); // for a loop this is the id
    for (const id of [...this.open]) if (id.startsWith(inner)) this.open.delete(id);
  }

  /** Open what hides a node. */
  unfoldTo(id: string): void {
    const names = (this.byId.get(id)?.module ?? "").split(".");
    names.forEach((_, i) => {
      this.open.add(names.slice(0, i + 1).join("."));
    });
    this.takeOver();
    for (let i = 0; i < names.length + DEEP; i++) {
      const box = this.boxOf(id);
      if (box?.kind !== "repeat") return;
      this.toggle(box);
    }
  }

  private takeOver(): void {
    this.byHand = true;
    this.open.add(TOP);
    this.refold();
  }

  /** The box that shows a node. */
  boxOf(id: string): Box | undefined {
    const { boxes } = this.scene.folded;
    if (id === "") return undefined;
    return (
      boxes.find((b) => b.node === id) ??
      boxes.find((b) => b.kind !== "frame" && b.nodes.includes(id))
    );
  }

  box(id: string): Box | undefined {
    return this.scene.folded.boxes.find((b) => b.id === id);
  }

  private refold(): boolean {
    const before = this.scene;
    const folded = fold(this.data, this.open);
    const form = formOf(folded);
    const same = form === before.form;
    const placed = same ? rename(before, folded) : this.place(folded);
    if (same) this.follow(before.folded, folded);
    const started = backwardDone(this.data);
    const from = stepOfValues(this.data);
    const age = from && ` (${from})`;
    const styles = new Map(
      folded.boxes.map((box) => [box.id, styleOf(box, this.byId, started, age)]),
    );
    this.scene = { folded, placed, styles, flows: this.flowsOf(folded), form };
    return !same;
  }

  /** A picture of equal form has other ids: keep focus and selection. */
  private follow(before: Folded, after: Folded): void {
    if (!this.byId.has(this.selected)) {
      const i = before.boxes.findIndex((b) => b.node === this.selected);
      if (i >= 0) this.selected = after.boxes[i].node;
    }
    const i = before.boxes.findIndex((b) => b.id === this.focus);
    this.focus = i >= 0 ? after.boxes[i].id : "";
  }

  private flowsOf({ edges }: Folded): Set<string> {
    const flows = new Set<string>();
    for (const edge of edges)
      if (edge.sources.some((id) => this.byId.get(id)?.grad)) flows.add(edge.from);
    return flows;
  }
}

/** The layout of a picture of equal form, with the new ids. */
function rename(before: Scene, after: Folded): Layout {
  const ids = new Map<string, string>();
  before.folded.boxes.forEach((box, i) => {
    ids.set(box.id, after.boxes[i].id);
  });
  const { rects, routes } = before.placed;
  const name = (id: string) => ids.get(id) ?? renamePort(id, ids);
  return {
    ...before.placed,
    rects: new Map([...rects].map(([id, rect]) => [name(id), rect])),
    routes: routes.map((r) => ({
      ...r,
      net: name(r.net),
      from: name(r.from),
      to: name(r.to),
    })),
  };
}

function renamePort(id: string, ids: Map<string, string>): string {
  return id.charAt(0) + (ids.get(id.slice(1)) ?? id.slice(1));
}

/** Modules open in a low strip: as deep as is legible at full height. */
function lowExpanded(data: GraphData, frame: Size): Set<string> {
  for (let depth = MAX_STRIP_DEPTH; depth > 0; depth--) {
    const open = openTo(data, depth);
    const folded = fold(data, open);
    if (folded.boxes.length > CROWDED) continue;
    if (layout(folded, "right").height * READABLE <= frame.height) return open;
  }
  return openTo(data, 0);
}

function emptyScene(): Scene {
  const folded = { boxes: [], edges: [] };
  const placed: Layout = {
    direction: "down",
    width: 0,
    height: 0,
    rects: new Map(),
    routes: [],
  };
  return { folded, placed, styles: new Map(), flows: new Set(), form: "" };
}

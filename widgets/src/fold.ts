/**
 * Fold a graph snapshot by module: which boxes and edges are drawn.
 *
 * `edutorch/widgets/fold.py` does the same for static pictures; `test/fixtures` holds
 * results on which both must agree. Every step is deterministic:
 *
 * 1. Calls. Walk the op nodes in order (the order they ran). An op lies in its module
 *    and in every dotted prefix of it (at most 32 names). A *call* of a module is an
 *    unbroken run of ops within it: once another op comes between, the next op opens
 *    a new call. So a module called twice gives two boxes, and folding can never make
 *    a cycle. The first call's id is `m:path`, the n-th call's `m:path#n`. A call of a
 *    single op that reads no leaf of that module (a ReLU) counts as the op alone, and
 *    that of a list of modules (no class) with one call in it as the latter.
 * 2. Units. The units of a call are its own ops and its child calls, in order. A child
 *    call whose path is in `expanded` becomes a frame that shows its units, any other
 *    a single box. The top ("" path) is always open.
 *    In a call of more than MANY_UNITS units, those that repeat (names and
 *    shapes) are a child call of their own, a *loop*: `l:` + its first unit's id + `*` +
 *    its iterations, which stands in `expanded` if it is open. More than PAGE iterations are
 *    split into parts, which are loops too.
 * 3. Repeats. Within a call, MIN_REPEAT or more neighbouring child calls with equal
 *    signature (class, and name + attrs + shape of each op) become one box with the id
 *    `r:` + the first one's path, unless that id or one of their paths is in `expanded`.
 * 4. Leaves. A node that is no op is drawn once per use: in the call of the leaf's own
 *    module if the consumer lies in it, else in the consumer's own call; once for each
 *    box it feeds there. The first copy keeps the node's id, others add `@` + that box.
 *    In a graph of at most SMALL nodes a leaf is drawn once in each frame.
 *    A leaf stands just before the unit it feeds. Inside a folded box it is only listed.
 * 5. Edges join what is drawn, once for each pair; edges into a leaf are left out.
 */

import {
  type Box,
  type BoxKind,
  type FoldEdge,
  type Folded,
  leafTitle,
  nodeBox,
  nodeTitle,
} from "./boxes";
import { moduleTitle, repeatTitle, shapeText } from "./format";
import type { GraphData, GraphNode } from "./graph_types";
import { findLoops, MANY_UNITS, PAGE } from "./loops";
import { type Call, homeOf, keyOf, newCall, prefixes, type Unit } from "./module_calls";

const MIN_REPEAT = 3;
/** nodes of a graph in which lines from a leaf are easy to follow */
const SMALL = 24;

/** A box waiting to be placed among the units of its call. */
interface Placed {
  key: number;
  box: Box;
}

class Folder {
  private readonly classes = new Map<string, string>();
  private readonly nodes = new Map<string, GraphNode>();
  private readonly callOf = new Map<string, Call>();
  /** visible box of an op */
  private readonly shown = new Map<string, Box>();
  /** folded box that contains a call; an open call has none */
  private readonly cover = new Map<Call, Box>();
  /** a leaf's first box in a frame */
  private readonly once = new Map<string, Box>();
  /** leaves that have a box */
  private readonly drawn = new Set<string>();
  private readonly content = new Map<Call, Placed[]>();
  private readonly position = new Map<string, number>();
  private readonly root: Call;

  constructor(
    private readonly data: GraphData,
    private readonly expanded: ReadonlySet<string>,
  ) {
    for (const m of data.modules) this.classes.set(m.path, m.cls);
    data.nodes.forEach((node, index) => {
      this.nodes.set(node.id, node);
      this.position.set(node.id, index);
    });
    this.root = this.findCalls();
    this.skipTrivial(this.root, this.leafReaders());
    this.rollUp(this.root);
  }

  fold(): Folded {
    this.open(this.root, "");
    const copies = this.placeLeaves();
    const boxes: Box[] = [];
    this.flatten(this.root, boxes);
    return { boxes, edges: this.joinEdges(copies) };
  }

  private findCalls(): Call {
    const root = newCall("", 1, null, 0);
    const counts = new Map<string, number>();
    const stack = [root];
    this.data.nodes.forEach((op, first) => {
      if (op.kind !== "op") return;
      const chain = ["", ...prefixes(op.module)];
      while (stack[stack.length - 1].path !== (chain[stack.length - 1] ?? null))
        stack.pop();
      for (const path of chain.slice(stack.length)) {
        const count = (counts.get(path) ?? 0) + 1;
        counts.set(path, count);
        const parent = stack[stack.length - 1];
        const call = newCall(path, count, parent, first);
        parent.units.push({ op: null, call, first });
        stack.push(call);
      }
      const call = stack[stack.length - 1];
      call.units.push({ op, call: null, first });
      this.callOf.set(op.id, call);
    });
    return root;
  }

  /** The op that reads a leaf of a module, as "op>module". */
  private leafReaders(): Set<string> {
    const readers = new Set<string>();
    for (const [a, b] of this.data.edges) {
      const leaf = this.nodes.get(a);
      if (leaf && leaf.kind !== "op") readers.add(`${b}>${leaf.module}`);
    }
    return readers;
  }

  private skipTrivial(call: Call, readers: Set<string>): void {
    call.units = call.units.map((unit) => {
      if (!unit.call) return unit;
      this.skipTrivial(unit.call, readers);
      const [only, second] = unit.call.units;
      if (!second && only.call && !this.classes.get(unit.call.path)) {
        only.call.parent = call;
        return only;
      }
      if (second || !only.op || readers.has(`${only.op.id}>${unit.call.path}`))
        return unit;
      this.callOf.set(only.op.id, call);
      return only;
    });
  }

  /** Turn loops in a call into nested calls. */
  private rollUp(call: Call): void {
    for (const unit of call.units) if (unit.call) this.rollUp(unit.call);
    if (call.units.length <= MANY_UNITS) return;
    const units: Unit[] = [];
    let done = 0;
    for (const { start, period, iterations } of findLoops(call.units.map(this.mark))) {
      units.push(...call.units.slice(done, start));
      done = start + period * iterations;
      const title = `loop ×${iterations}`;
      units.push(this.loop(call, call.units.slice(start, done), iterations, title, 1));
    }
    call.units = [...units, ...call.units.slice(done)];
  }

  /** A key that is equal for units that may correspond in different iterations. */
  private readonly mark = (unit: Unit): string => {
    if (unit.call) {
      const cls = this.classes.get(unit.call.path) ?? "";
      return `${cls}(${unit.call.units.map(this.mark).join(";")})`;
    }
    return `${unit.op.name}|${unit.op.shape}`;
  };

  /** A call for so many iterations, split into parts if there are many. */
  private loop(
    parent: Call,
    units: Unit[],
    iterations: number,
    title: string,
    iteration: number,
  ): Unit {
    const { first, op, call } = units[0];
    const made = newCall(parent.path, 1, parent, first);
    made.id = `l:${(op ?? call).id}*${iterations}`;
    const paths = units.flatMap((u) => u.call?.path ?? []);
    const modules = paths.length === iterations && units.length === iterations;
    const cls = this.classes.get(paths[0] ?? "") ?? "";
    made.title = modules ? repeatTitle(paths, cls) : title;
    if (iterations > PAGE) {
      const size = Math.ceil(iterations / PAGE);
      const period = units.length / iterations;
      for (let k = 0; k < iterations; k += size) {
        const part = units.slice(k * period, (k + size) * period);
        const n = part.length / period;
        const name = `iterations ${iteration + k}–${iteration + k + n - 1}`;
        made.units.push(this.loop(made, part, n, name, iteration + k));
      }
      return { op: null, call: made, first };
    }
    made.units = units;
    for (const unit of units)
      if (unit.call) unit.call.parent = made;
      else this.callOf.set(unit.op.id, made);
    return { op: null, call: made, first };
  }

  /** Draw the contents of a call: ops, frames of open calls, folded boxes. */
  private open(call: Call, frame: string): void {
    const placed: Placed[] = [];
    this.content.set(call, placed);
    for (let i = 0; i < call.units.length; ) {
      const run = this.alikeFrom(call.units, i);
      const groups = this.isRepeat(run) ? [run] : run.map((unit) => [unit]);
      for (const group of groups)
        placed.push({ key: group[0].first, box: this.unitBox(group, frame) });
      i += run.length;
    }
  }

  private unitBox(run: Unit[], frame: string): Box {
    const [unit] = run;
    if (unit.op) {
      const box = nodeBox(unit.op, unit.op.id, frame, nodeTitle(unit.op));
      this.shown.set(unit.op.id, box);
      return box;
    }
    if (run.length === 1 && this.expanded.has(keyOf(unit.call))) {
      const box = this.moduleBox("frame", unit.call.id, [unit.call], frame);
      this.open(unit.call, box.id);
      return box;
    }
    const calls = run.flatMap((u) => u.call ?? []);
    const kind = run.length > 1 || unit.call.title ? "repeat" : "module";
    const id = run.length > 1 ? `r:${unit.call.id.slice(2)}` : unit.call.id;
    const box = this.moduleBox(kind, id, calls, frame);
    for (const c of calls) this.coverAll(c, box);
    const last = this.nodes.get(box.nodes[box.nodes.length - 1]);
    box.sub = last ? shapeText(last.shape) : "";
    return box;
  }

  private moduleBox(kind: BoxKind, id: string, calls: Call[], parent: string): Box {
    const paths = calls.map((c) => c.path);
    const cls = this.classes.get(paths[0]) ?? "";
    const named =
      kind === "repeat"
        ? repeatTitle(paths, cls)
        : moduleTitle(paths[0], cls, calls[0].count, calls[0].parent?.path);
    const [path, title] = [keyOf(calls[0]), calls[0].title || named];
    return { id, kind, node: "", path, parent, title, sub: "", nodes: [] };
  }

  private coverAll(call: Call, box: Box): void {
    this.cover.set(call, box);
    for (const unit of call.units) {
      if (unit.call) this.coverAll(unit.call, box);
      else {
        this.shown.set(unit.op.id, box);
        box.nodes.push(unit.op.id);
      }
    }
  }

  /** The run of units with equal signatures at `i`, merged unless they are calls. */
  private alikeFrom(units: Unit[], i: number): Unit[] {
    const { call } = units[i];
    let end = i + 1;
    if (call) while (end < units.length && this.same(units[end].call, call)) end++;
    return units.slice(i, end);
  }

  private same(call: Call | null, other: Call): boolean {
    if (call === null || call.title !== "" || other.title !== "") return false;
    return this.signature(call) === this.signature(other);
  }

  private isRepeat(run: Unit[]): boolean {
    const open = run.some(({ call }) => call && this.expanded.has(call.path));
    const id = `r:${run[0].call?.id.slice(2)}`;
    return run.length >= MIN_REPEAT && !open && !this.expanded.has(id);
  }

  private signature(call: Call): string {
    if (call.signature === "") {
      const parts = call.units.map((u) =>
        u.call ? this.signature(u.call) : `${u.op.name}|${u.op.attrs}|${u.op.shape}`,
      );
      call.signature = `${this.classes.get(call.path) ?? ""}(${parts.join(";")})`;
    }
    return call.signature;
  }

  /** Put leaves next to their consumers; returns the copy for each use. */
  private placeLeaves(): Map<string, Box> {
    const uses = new Map<string, string[]>();
    for (const [a, b] of this.data.edges) {
      if (!this.callOf.has(b) || this.callOf.has(a)) continue;
      const list = uses.get(a);
      if (list) list.push(b);
      else uses.set(a, [b]);
    }
    const copies = new Map<string, Box>();
    this.data.nodes.forEach((leaf, index) => {
      if (leaf.kind === "op") return;
      const consumers = uses.get(leaf.id) ?? [];
      if (consumers.length === 0) this.placeUnused(leaf, index);
      else this.placeUses(leaf, consumers, copies);
    });
    for (const placed of this.content.values()) placed.sort((p, q) => p.key - q.key);
    return copies;
  }

  private placeUses(leaf: GraphNode, consumers: string[], copies: Map<string, Box>) {
    const listed = new Set<Box>();
    for (const op of consumers) {
      const own = this.callOf.get(op) as Call;
      let home = homeOf(leaf.module, own);
      // What all iterations of a loop use is drawn outside.
      while (consumers.length > 1 && home.title && this.cover.has(home) && home.parent)
        home = home.parent;
      const cover = this.cover.get(home);
      if (cover) {
        if (!listed.has(cover)) cover.nodes.push(leaf.id);
        listed.add(cover);
        continue;
      }
      this.placeCopy(leaf, op, home, copies);
    }
  }

  /** Draw a leaf next to an op that uses it, unless it is drawn there already. */
  private placeCopy(leaf: GraphNode, op: string, home: Call, copies: Map<string, Box>) {
    const target = this.shown.get(op) as Box;
    const use = `${leaf.id}>${target.id}`;
    if (copies.has(use)) return;
    const place = `${leaf.id}>${home.id}`;
    const small = this.data.nodes.length <= SMALL;
    let box = small ? this.once.get(place) : undefined;
    if (!box) {
      const id = this.drawn.has(leaf.id) ? `${leaf.id}@${target.id}` : leaf.id;
      box = nodeBox(leaf, id, home.id, leafTitle(leaf, home.path));
      const own = this.callOf.get(op) as Call;
      this.content.get(home)?.push({ key: this.unitKey(op, own, home) - 0.5, box });
      this.once.set(place, box);
      this.drawn.add(leaf.id);
    }
    copies.set(use, box);
  }

  private placeUnused(leaf: GraphNode, index: number): void {
    let home = this.root;
    for (const path of prefixes(leaf.module)) {
      const next = home.units.find((u) => u.call?.path === path);
      if (!next?.call) break;
      home = next.call;
    }
    const cover = this.cover.get(home);
    if (cover) cover.nodes.push(leaf.id);
    else {
      const box = nodeBox(leaf, leaf.id, home.id, leafTitle(leaf, home.path));
      this.content.get(home)?.push({ key: index, box });
    }
  }

  /** The sort key of the unit of `home` that contains an op of the call `own`. */
  private unitKey(op: string, own: Call, home: Call): number {
    if (own === home) return this.position.get(op) ?? 0;
    let call = own;
    while (call.parent && call.parent !== home) call = call.parent;
    return call.first;
  }

  private flatten(call: Call, out: Box[]): void {
    const frames = new Map<string, Call>();
    for (const unit of call.units) if (unit.call) frames.set(unit.call.id, unit.call);
    for (const { box } of this.content.get(call) ?? []) {
      out.push(box);
      const inner = frames.get(box.id);
      if (box.kind === "frame" && inner) this.flatten(inner, out);
    }
  }

  private joinEdges(copies: Map<string, Box>): FoldEdge[] {
    const edges = new Map<string, FoldEdge>();
    for (const [a, b] of this.data.edges) {
      const to = this.shown.get(b);
      if (!to) continue;
      const from = this.shown.get(a) ?? copies.get(`${a}>${to.id}`);
      if (!from || from === to) continue;
      const key = `${from.id}>${to.id}`;
      const edge = edges.get(key);
      if (edge) addOnce(edge.sources, a);
      else edges.set(key, { from: from.id, to: to.id, sources: [a] });
    }
    return [...edges.values()];
  }
}

function addOnce(list: string[], item: string): void {
  if (!list.includes(item)) list.push(item);
}

/** Fold a snapshot; `expanded` contains the open module paths and repeat ids. */
export function fold(data: GraphData, expanded: ReadonlySet<string>): Folded {
  return new Folder(data, expanded).fold();
}

/** All module paths with at most `depth` names. */
export function openTo(data: GraphData, depth: number): Set<string> {
  const open = new Set<string>();
  for (const node of data.nodes)
    for (const path of prefixes(node.module).slice(0, depth)) open.add(path);
  return open;
}

/** What is open at first: the depth with closest to `target` boxes. */
export function autoExpanded(data: GraphData, target = 40): Set<string> {
  let deepest = 0;
  for (const node of data.nodes)
    if (node.kind === "op") deepest = Math.max(deepest, prefixes(node.module).length);
  let best = new Set<string>();
  let distance = Number.POSITIVE_INFINITY;
  for (let depth = 0; depth <= deepest; depth++) {
    const open = openTo(data, depth);
    const boxes = fold(data, open).boxes.filter((b) => b.kind !== "frame").length;
    // of equals the deepest, which shows the contents: twelve layers, not their list
    if (Math.abs(boxes - target) <= distance) {
      distance = Math.abs(boxes - target);
      best = open;
    }
  }
  return best;
}

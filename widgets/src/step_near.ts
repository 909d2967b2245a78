/**
 * The graph around one moment of a step: its operands, the operations that use its
 * result, and the lines along which gradients have flowed so far.
 *
 * A box is an operation, or a value that was not made by one. Backward follows the same
 * lines: the box of the operation is highlighted, and lines that have carried a gradient
 * are coloured.
 */
import { type BoxStyle, FAMILY_NAME, opFamily } from "./box_style";
import type { Box, BoxKind, FoldEdge, Folded } from "./boxes";
import { clip, number, plural, shapeText } from "./format";
import { SUB_COLUMNS, TITLE_COLUMNS } from "./layout";
import { callTitle, titleOf } from "./step_detail";
import { isFull, plain, valueAt } from "./step_numbers";
import type { Row } from "./step_rows";
import type { StepData, StepMoment } from "./step_types";

/** boxes drawn before or after one box; the others are counted */
const MOST = 6;
const CALL = "call";
const EARLIER = "earlier";
const LATER = "later";

/** The drawing around a row. */
export interface Near {
  folded: Folded;
  styles: Map<string, BoxStyle>;
  /** the current box */
  lit: string;
  backward: boolean;
  /** "from>to" of lines along which a gradient has flowed, and of those used now */
  flows: Set<string>;
  hot: Set<string>;
}

/** A row as part of the graph: the boxes that it covers, and a common one. */
interface Part {
  row: Row;
  lit: string;
  inside: Set<string>;
}

export class StepMap {
  private readonly before = new Map<string, string[]>();
  private readonly after = new Map<string, string[]>();
  /** backward moments of each box, in order */
  private readonly back = new Map<string, number[]>();
  /** a leaf's name and value */
  private readonly leaves = new Map<string, { name: string; v: number }>();

  constructor(private readonly data: StepData) {
    data.moments.forEach((m, at) => {
      this.read(m, at);
      if (m.kind === "bwd" || m.kind === "leaf") this.came(m, at);
    });
  }

  /** The operands of a moment. */
  private read(m: StepMoment, at: number): void {
    const box = this.boxAt(at);
    for (const operand of m.ins) {
      const id = this.operand(operand, at);
      if (operand.from < 0 && !this.leaves.has(id)) this.leaves.set(id, operand);
      add(this.before, box, id);
      if (m.kind !== "optim") add(this.after, id, box); // all parameters lead there
    }
  }

  /** Record a gradient that came to a box and was sent on. */
  private came(m: StepMoment, at: number): void {
    const box = this.boxAt(at);
    add(this.back, box, at);
    if (m.kind === "leaf" && !this.leaves.has(box))
      this.leaves.set(box, { name: m.name, v: -1 });
    for (const { to } of m.edges) {
      const next = to < 0 ? box : this.boxAt(to);
      if (next === box) continue;
      add(this.before, box, next);
      add(this.after, next, box);
    }
  }

  /** The box of an operand. */
  private operand({ from, leaf, v }: StepMoment["ins"][0], at: number): string {
    if (from >= 0) return `m${from}`;
    return leaf !== undefined && leaf >= 0 ? `t${leaf}` : `v${v < 0 ? `.${at}` : v}`;
  }

  /** The box of a moment; for backward, that of its operation. */
  boxAt(at: number): string {
    const { kind, of, leaf = -1 } = this.data.moments[at];
    if (kind === "leaf" && leaf >= 0) return `t${leaf}`;
    return kind === "bwd" && of >= 0 ? `m${of}` : `m${at}`;
  }

  /** The target of a click on a box: in backward, its backward; -1 for none. */
  target(id: string, row: Row): number {
    if (id === CALL) return row.at;
    const back = this.back.get(id) ?? [];
    const there = id.startsWith("m") ? [Number(id.slice(1))] : [];
    const near = row.backward || there.length === 0 ? back : there;
    const far = (at: number) => Math.abs(at - row.at);
    const all = near.length > 0 ? near : there;
    return all.reduce((best, at) => (best < 0 || far(at) < far(best) ? at : best), -1);
  }

  /** The drawing around a row, `hops` operations before and after it. */
  around(row: Row, hops: number): Near {
    const inside = this.inside(row);
    const lit = row.kind === "call" ? CALL : this.boxAt(row.at);
    const ids = new Set([lit]);
    const more: Box[] = [];
    for (const way of [this.before, this.after]) {
      let ring = row.kind === "call" ? [...inside] : [lit];
      for (let hop = 0; hop < hops; hop++) {
        const next = new Set(ring.flatMap((id) => way.get(id) ?? []));
        ring = [...next].filter((id) => !inside.has(id));
        if (ring.length > MOST && hop === 0)
          more.push(counted(way === this.before, ring.length - MOST));
        ring = ring.slice(0, MOST);
        for (const id of ring) ids.add(id);
      }
    }
    return this.draw([...ids], more, { row, lit, inside });
  }

  /** The boxes in a module call, including its parameters. */
  private inside({ kind, at, end }: Row): Set<string> {
    const found = new Set<string>();
    if (kind !== "call") return found;
    for (let k = at; k < end; k++) found.add(this.boxAt(k));
    for (const operand of [...found].flatMap((id) => this.before.get(id) ?? [])) {
      const users = this.after.get(operand) ?? [];
      if (this.trained(operand) && users.every((user) => found.has(user)))
        found.add(operand);
    }
    return found;
  }

  private trained(id: string): boolean {
    const leaf = this.leaves.get(id);
    return leaf !== undefined && (this.back.has(id) || leaf.name.includes("."));
  }

  private draw(ids: string[], more: Box[], part: Part): Near {
    const { row, lit, inside } = part;
    const name = (id: string) => (inside.has(id) ? CALL : id);
    const first = [...inside][0];
    const order = (id: string) => this.order(id === CALL ? first : id);
    const drawn = ids.sort((a, b) => order(a) - order(b));
    const known = new Set(drawn);
    const edges = new Map<string, FoldEdge>();
    const join = (from: string, to: string) => {
      if (from !== to && known.has(from) && known.has(to))
        edges.set(`${from}>${to}`, { from, to, sources: [] });
    };
    for (const to of [...drawn, ...inside])
      for (const from of this.before.get(to) ?? []) join(name(from), name(to));
    const boxes = drawn.map((id) => this.box(id, row));
    for (const box of more) {
      boxes.unshift(box);
      known.add(box.id);
      if (box.id === EARLIER) join(box.id, lit);
      else join(lit, box.id);
    }
    const { all, now } = this.flows(row, name);
    const read = [...edges].filter(([, { to }]) => to === lit).map(([line]) => line);
    return {
      folded: { boxes, edges: [...edges.values()] },
      styles: new Map(boxes.map((box) => [box.id, this.style(box, row)])),
      lit,
      backward: row.backward,
      flows: all,
      hot: row.backward ? now : new Set(read),
    };
  }

  private order(id: string): number {
    if (id.startsWith("m")) return Number(id.slice(1));
    const user = this.after.get(id)?.[0];
    return user?.startsWith("m") ? Number(user.slice(1)) - 0.5 : -1;
  }

  /** Lines along which gradients have flowed up to a row, and in it. */
  private flows(row: Row, name: (id: string) => string) {
    const all = new Set<string>();
    const now = new Set<string>();
    const last = row.kind === "call" ? row.end - 1 : row.at;
    for (let at = 0; at <= last; at++) {
      const from = name(this.boxAt(at));
      for (const { to } of this.data.moments[at].edges) {
        if (to < 0) continue;
        const line = `${name(this.boxAt(to))}>${from}`;
        all.add(line);
        if (at >= row.at || to === row.at) now.add(line);
      }
    }
    return { all, now };
  }

  private box(id: string, row: Row): Box {
    if (id === CALL) {
      const count = row.end - row.at;
      const words = plural(count, "operation");
      return plainBox(CALL, "module", callTitle(this.data, row), words);
    }
    const leaf = this.leaves.get(id);
    if (leaf) {
      const kind = this.trained(id) ? "param" : "input";
      return plainBox(id, kind, leaf.name || "a value", this.brief(leaf.v));
    }
    const m = this.data.moments[Number(id.slice(1))];
    const value = m.kind === "op" ? this.brief(m.outs[0]?.v ?? -1) : "";
    return plainBox(id, "op", titleOf(m), m.error ? "failed" : value);
  }

  /** A single number, or the shape. */
  private brief(v: number): string {
    const value = valueAt(this.data, v);
    if (!value) return "";
    const single = value.cells.length === 1 && isFull(value);
    return single ? plain(value.cells[0]) : shapeText(value.shape);
  }

  /** "∇ 2.5", "∇ -1 … 3"; or a note on a gradient yet to come. */
  private gradient(id: string, row: Row): string {
    const back = this.back.get(id) ?? [];
    const last = row.kind === "call" ? row.end - 1 : row.at;
    const at = back.filter((k) => k <= last).at(-1);
    if (at === undefined) return row.backward && back.length > 0 ? "∇ not yet" : "";
    const value = valueAt(this.data, this.data.moments[at].outs[0]?.v ?? -1);
    if (!value) return "∇ done";
    if (value.cells.length === 1 && isFull(value)) return `∇ ${plain(value.cells[0])}`;
    const cells = value.cells.map(Number);
    const whole = isFull(value) && cells.length > 0 && cells.every(Number.isFinite);
    const [low, high] = whole
      ? [Math.min(...cells), Math.max(...cells)]
      : [value.stats?.min, value.stats?.max];
    if (low === undefined || low === null || high === undefined) return "∇ done";
    return low === high ? `∇ ${number(low)}` : `∇ ${number(low)} … ${number(high)}`;
  }

  private style(box: Box, row: Row): BoxStyle {
    const { kind, id } = box;
    const m = /^m\d/.test(id) ? this.data.moments[Number(id.slice(1))] : null;
    const foot = this.gradient(id, row);
    const family = kind === "op" ? opFamily(m?.name ?? "") : (kind as "param");
    const title = clip(box.title, TITLE_COLUMNS);
    return {
      title,
      sub: clip(box.sub, SUB_COLUMNS),
      foot,
      family,
      label: [box.title, FAMILY_NAME[family], box.sub, foot].filter(Boolean).join(", "),
      grad: foot.startsWith("∇") && foot !== "∇ not yet",
      bad: m?.error !== undefined && m.error !== "",
    };
  }
}

/** Neighbours that are not drawn. */
function counted(before: boolean, count: number): Box {
  return plainBox(before ? EARLIER : LATER, "const", `${count} more`, "");
}

function plainBox(id: string, kind: BoxKind, title: string, sub: string): Box {
  return { id, kind, node: "", path: "", parent: "", title, sub, nodes: [] };
}

function add<T>(table: Map<string, T[]>, key: string, item: T): void {
  const list = table.get(key);
  if (!list) table.set(key, [item]);
  else if (!list.includes(item)) list.push(item);
}

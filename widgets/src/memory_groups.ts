/**
 * Rows of memory as nested groups, at a moment or as the difference of two.
 * The same as `edutorch/widgets/memory_groups.py`.
 */
import { shapeText, shortFile } from "./format";
import type { MemoryRow, MemoryTreeData } from "./memory_types";

export const WAYS = ["module", "category", "line", "tensor"] as const;
/** the name used by `memory_rows.py` */
const OUTSIDE = "outside modules";
export type Way = (typeof WAYS)[number];

/** A module, category, line or tensor, with its contents. */
export class Group {
  /** the row of a tensor or of a sum of small ones; -1 for groups */
  category = -1;
  before = 0;
  after = 0;
  /** increase in bytes, summed over the rows that grew; and decrease */
  grown = 0;
  shrunk = 0;
  /** tensors at the moment */
  count = 0;
  children: Group[] = [];
  /** the label of its tile */
  short: string;
  /** for a tensor, the index of the line that made it */
  line = -1;

  constructor(public name: string) {
    this.short = name;
  }

  /** The size of its tile: bytes, or for a difference the bytes that changed. */
  get size(): number {
    return this.grown + this.shrunk;
  }

  add(other: Group): void {
    this.before += other.before;
    this.after += other.after;
    this.grown += other.grown;
    this.shrunk += other.shrunk;
    this.count += other.count;
  }
}

/** All memory of a device as a tree; moments are places in `data.moments`. */
export function groupRows(
  data: MemoryTreeData,
  device: number,
  by: Way,
  after: number,
  before: number | null = null,
): Group {
  const root = new Group("all");
  const inside = new Map<Group, Map<string, Group>>();
  for (const row of data.rows) {
    const leaf = leafOf(data, row, by, after, before);
    if (row.device !== device || (leaf.before === 0 && leaf.after === 0)) continue;
    let group = root;
    group.add(leaf);
    for (const step of stepsTo(data, row, by)) {
      const named = inside.get(group) ?? new Map<string, Group>();
      inside.set(group, named);
      let found = named.get(step);
      if (!found) {
        found = new Group(step);
        named.set(step, found);
        group.children.push(found);
      }
      group = found;
      group.add(leaf);
    }
    group.children.push(leaf);
  }
  tidy(root, by === "module");
  return root;
}

function leafOf(
  data: MemoryTreeData,
  row: MemoryRow,
  by: Way,
  after: number,
  before: number | null,
): Group {
  const leaf = new Group(nameOf(row) + originOf(data, row, by));
  const then = before === null ? 0 : row.bytes[before];
  const now = row.bytes[after];
  leaf.category = row.category;
  leaf.before = then;
  leaf.after = now;
  leaf.count = row.counts[after];
  leaf.grown = Math.max(0, now - then);
  leaf.shrunk = Math.max(0, then - now);
  leaf.line = row.line;
  const { path } = data.modules[row.module];
  if (row.shape) leaf.short = path ? row.name.replace(`${path}.`, "") : row.name;
  return leaf;
}

/** A tensor with its shape, or how many small ones a row sums up. */
function nameOf(row: MemoryRow): string {
  if (row.shape) return `${row.name} ${shapeText(row.shape)} ${row.dtype}`;
  const most = Math.max(...row.counts);
  return `${most.toLocaleString("en-US")} smaller tensor${most === 1 ? "" : "s"}`;
}

/** The line that made a tensor, or its model, unless the groups around it tell. */
function originOf(data: MemoryTreeData, row: MemoryRow, by: Way): string {
  if (!row.shape) return "";
  const { file, line } = data.lines[row.line];
  const { model } = data.modules[row.module];
  if (file) return by === "line" ? "" : ` · ${shortFile(file)}:${line}`;
  if (by === "module" || by === "category" || model === OUTSIDE) return "";
  const several = data.modules.some((m) => m.model !== model && m.model !== OUTSIDE);
  return several ? ` · ${model}` : "";
}

/** The names of the groups that enclose a row, outermost first. */
function stepsTo(data: MemoryTreeData, row: MemoryRow, by: Way): string[] {
  if (by === "tensor") return [];
  if (by === "line") {
    const { file, line, text } = data.lines[row.line];
    return file ? [shortFile(file), `line ${line}: ${text}`] : [text];
  }
  const { model, path } = data.modules[row.module];
  const steps = [model, ...(path ? path.split(".") : [])];
  return by === "module" ? steps : [data.categories[row.category], steps.join(".")];
}

/** Sort the largest first, and merge a group with its only child. */
function tidy(group: Group, merge: boolean): void {
  group.children = group.children.map((child) => (merge ? only(child) : child));
  for (const child of group.children) tidy(child, merge);
  group.children.sort((a, b) => b.size - a.size || order(a.name, b.name));
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function only(group: Group): Group {
  let found = group;
  while (found.children.length === 1 && found.children[0].children.length > 0) {
    const [inner] = found.children;
    inner.name = inner.short = `${found.name}.${inner.name}`;
    found = inner;
  }
  return found;
}

/** Groups of memory as a table, including nested ones if there is room. */
import { attr, html } from "./dom";
import { bytes, percent } from "./format";
import type { Group } from "./memory_groups";
import { changeText } from "./memory_map";

const MAX_ROWS = 100;
/** rows up to which groups show their contents */
const FEW = 12;

interface Entry {
  group: Group;
  /** names below the current group */
  path: string[];
}

/** The contents of a group as a table; `compared`: a difference of two moments. */
export function memoryTable(group: Group, compared: boolean): HTMLElement {
  const entries = listed(group, compared);
  const rows = entries
    .slice(0, MAX_ROWS)
    .map((e) => tableRow(e, group.after, compared));
  const note = (words: string) =>
    rows.push(html("tr", {}, html("td", { colspan: 4 }, words)));
  const left = entries.length - rows.length;
  if (left > 0) note(`and ${left} smaller ones`);
  if (rows.length === 0)
    note(compared ? "Nothing has changed." : "No memory is in use.");
  const heads = compared
    ? ["Before", "After", "Change"]
    : ["Bytes", "Share", "Tensors"];
  const cells = ["Name", ...heads].map((head) => html("th", { scope: "col" }, head));
  const body = html("tbody", {}, ...rows);
  return html("table", {}, html("thead", {}, html("tr", {}, ...cells)), body);
}

function listed(group: Group, compared: boolean): Entry[] {
  const inside = (g: Group, path: string[]): Entry[] =>
    g.children
      .filter((child) => !compared || child.size > 0)
      .map((child) => ({ group: child, path: [...path, child.name] }));
  let entries = inside(group, []);
  const opened = new Set<Group>();
  for (;;) {
    const closed = entries.filter(
      (e) => e.group.children.length && !opened.has(e.group),
    );
    const [largest] = closed.sort(
      (a, b) => a.path.length - b.path.length || b.group.size - a.group.size,
    );
    if (!largest || entries.length + largest.group.children.length > FEW)
      return entries;
    opened.add(largest.group);
    entries = entries.flatMap((e) =>
      e === largest ? [e, ...inside(e.group, e.path)] : [e],
    );
  }
}

function tableRow(
  { group, path }: Entry,
  whole: number,
  compared: boolean,
): HTMLElement {
  const link = html("button", { type: "button", class: "edt-link" }, group.name);
  attr(link, { "data-group": JSON.stringify(path) });
  const name = html("th", { scope: "row" }, group.children.length ? link : group.name);
  name.style.paddingLeft = `${14 * path.length - 8}px`;
  const share = whole > 0 ? percent(group.after / whole) : "";
  const cells = compared
    ? [bytes(group.before), bytes(group.after), changeText(group)]
    : [bytes(group.after), share, String(group.count)];
  const drawn = cells.map((words) => html("td", {}, words));
  const tint = group.after > group.before ? "more" : "less";
  if (compared) attr(drawn[2], { class: "edt-tinted", "data-tint": tint });
  return html("tr", {}, name, ...drawn);
}

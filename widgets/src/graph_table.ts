/** The graph as a table, for screen readers and for copying. */

import { backwardDone, stepOfValues } from "./box_style";
import { attr, html } from "./dom";
import { number, shapeText, shortFile } from "./format";
import type { GraphData, GraphNode } from "./graph_types";

const COLUMNS = [
  "Name",
  "Kind",
  "Module",
  "Shape",
  "dtype",
  "Mean",
  "Gradient norm",
  "Reads",
  "Line",
];
const MAX_ROWS = 1000;

/** Means and norms cover finite values only; if others exist, they matter more. */
function told(
  value: number | null | undefined,
  { nonfinite }: { nonfinite: number },
): string {
  return nonfinite > 0 ? "⚠ nan/inf" : number(value);
}

function cells(node: GraphNode, reads: string, none: string): string[] {
  const line = node.src ? `${shortFile(node.src.file)}:${node.src.line}` : "–";
  const grad = node.grad ? told(node.grad.norm, node.grad) : none;
  const shape = shapeText(node.shape);
  return [
    node.kind,
    node.module,
    shape,
    node.dtype,
    node.stats ? told(node.stats.mean, node.stats) : number(null),
    grad,
    reads,
    line,
  ];
}

/** A table of all nodes; the name in each row is a button that selects the node. */
export function graphTable(data: GraphData, selected: string): HTMLElement {
  const none = backwardDone(data) ? "none" : "not computed yet";
  const names = new Map(data.nodes.map((n) => [n.id, n.name]));
  const reads = new Map<string, string[]>();
  for (const [a, b] of data.edges) {
    const list = reads.get(b) ?? [];
    list.push(names.get(a) ?? a);
    reads.set(b, list);
  }
  const age = stepOfValues(data) && ` (${stepOfValues(data)})`;
  const titles = COLUMNS.map((c) => (/Mean|norm/.test(c) ? c + age : c));
  const head = html("tr", {}, ...titles.map((c) => html("th", { scope: "col" }, c)));
  const body = html("tbody");
  for (const node of data.nodes.slice(0, MAX_ROWS)) {
    const name = html("button", { type: "button", class: "edt-link" }, node.name);
    attr(name, { "data-select": node.id });
    const chosen = node.id === selected ? "true" : null;
    const row = html("tr", { "data-row": node.id, "aria-current": chosen });
    row.append(html("th", { scope: "row" }, name));
    const told = cells(node, (reads.get(node.id) ?? []).join(", "), none);
    row.append(...told.map((cell) => html("td", {}, cell)));
    body.append(row);
  }
  const more = data.nodes.length - MAX_ROWS;
  const note = more > 0 ? `${more} more nodes are not listed` : "Nodes of the graph";
  const table = html("table", {}, html("caption", { class: "edt-quiet" }, note));
  table.append(html("thead", {}, head), body);
  return table;
}

/** The panel beside the graph: everything known about one node. */

import { backwardDone, FAMILY_NAME, opFamily, stepOfValues } from "./box_style";
import { nodeTitle } from "./boxes";
import { button, html, refill } from "./dom";
import { bytes, duration, number, shapeText } from "./format";
import type { GraphData, GraphNode } from "./graph_types";
import { placeLink } from "./places";
import type { Source, Stats } from "./types";

const KINDS = { op: "op", param: "parameter", input: "input", const: "constant" };

function rows(pairs: [string, string][]): HTMLElement {
  const list = html("dl");
  for (const [name, value] of pairs)
    list.append(html("dt", {}, name), html("dd", {}, value));
  return list;
}

function heading(title: string): HTMLElement {
  return html("h4", {}, title);
}

/** A place in a file with its code. */
function place(source: Source | null, testid: string, none: string): HTMLElement {
  if (!source) return html("p", { class: "edt-muted", "data-testid": testid }, none);
  const link = placeLink(source);
  const named = html("div", {}, link, source.func ? ` in ${source.func}` : null);
  const code = html("pre", { class: "edt-code" }, source.text.trim());
  return html("div", { "data-testid": testid }, named, source.text ? code : null);
}

/** The place of the formula of an op's gradient. */
function backwardOf(lib: Source | null): HTMLElement[] {
  const line = Number(lib?.backward);
  if (!lib || !(line > 0)) return [];
  const name = lib.func.replace(/forward$/, "backward");
  const link = placeLink({ ...lib, line });
  return [html("div", { "data-testid": "backward" }, link, ` in ${name}`)];
}

/** Range and mean of several numbers; those of the finite ones. */
function spread(stats: Stats): [string, string][] {
  const bad = stats.nonfinite > 0;
  if (stats.n === 1) return [["value", bad ? "⚠ nan/inf" : number(stats.mean)]];
  const finite = bad ? " (finite)" : "";
  return [
    [`min … max${finite}`, `${number(stats.min)} … ${number(stats.max)}`],
    [`mean, deviation${finite}`, `${number(stats.mean)}, ${number(stats.std)}`],
    ["nan or inf", stats.nonfinite > 0 ? `⚠ ${stats.nonfinite}` : "none"],
    ["values sampled", String(stats.n)],
  ];
}

function facts(node: GraphNode): HTMLElement {
  const pairs: [string, string][] = [
    ["kind", KINDS[node.kind] ?? node.kind],
    ["module", node.module || "–"],
    ["shape", node.dtype ? shapeText(node.shape) : "–"],
    ["dtype", node.dtype || "–"],
    ["device", node.device || "–"],
    ["memory", bytes(node.bytes)],
  ];
  if (node.attrs) pairs.push(["arguments", node.attrs]);
  if (node.kind === "op") {
    pairs.push(["forward", duration(node.fwd_us)], ["backward", duration(node.bwd_us)]);
  }
  return rows(pairs);
}

function gradient(node: GraphNode, started: boolean): HTMLElement {
  const told = (words: string) =>
    html("p", { class: "edt-muted", "data-testid": "grad" }, words);
  if (!node.grad) return told(started ? "none" : "not computed yet");
  if (node.grad.n === 0) return told("computed, values not sampled in this step");
  const size = node.grad.nonfinite > 0 ? "⚠ nan/inf" : number(node.grad.norm);
  const norm: [string, string] = ["norm", size];
  const list = rows([norm, ...spread(node.grad)]);
  list.setAttribute("data-testid", "grad");
  return list;
}

/** Why values may be from an earlier step than the graph; "" if they are not. */
export function ageHint(data: GraphData): string {
  const from = stepOfValues(data);
  const why = "Only some steps are sampled, to keep the overhead low.";
  return from && `Arguments, values and gradients are from ${from}. ${why}`;
}

/** The facts beside the title; a strip has no legend to tell the step of the values. */
export function graphFacts(data: GraphData, boxes: number, strip: boolean): string {
  const parts = [`step ${data.step}`];
  if (data.of) parts.unshift(`of ${data.of}`);
  if (data.passes > 0) parts.push(`pass ${data.passes + 1}`);
  if (strip && stepOfValues(data)) parts.push(`values from ${stepOfValues(data)}`);
  const folded = boxes < data.nodes.length ? ` in ${boxes} boxes` : "";
  parts.push(data.phase, `${data.nodes.length} nodes${folded}`);
  if (data.dropped > 0) parts.push(`⚠ ${data.dropped} dropped`);
  return parts.join(" · ");
}

/** What the graph knows about each node. */
interface Whole {
  /** whether gradients were computed */
  started: boolean;
  /** see `stepOfValues` and `ageHint` */
  from: string;
  age: string;
}

/** The panel; its contents are replaced only where they differ. */
export class DetailPanel {
  readonly element = html("aside", {
    class: "edt-detail",
    "data-testid": "detail",
    "aria-label": "Details",
    hidden: true,
  });
  private shown = "";

  constructor(private readonly close: () => void) {}

  /** Show a node of a graph, or nothing. */
  show(node: GraphNode | undefined, data: GraphData): void {
    this.element.hidden = !node;
    const from = stepOfValues(data);
    const whole = { started: backwardDone(data), from, age: ageHint(data) };
    const shown = JSON.stringify([node ?? null, whole]);
    if (!node || shown === this.shown) return;
    this.shown = shown;
    fill(this.element, node, whole, this.close);
  }

  /** Write everything again next time. */
  forget(): void {
    this.shown = "";
  }
}

/** Fill `panel` with a node's details. */
function fill(
  panel: HTMLElement,
  node: GraphNode,
  { started, from, age }: Whole,
  close: () => void,
): void {
  const shut = button("×", "Close details (Esc)");
  shut.addEventListener("click", close);
  const family = FAMILY_NAME[node.kind === "op" ? opFamily(node.name) : node.kind];
  const head = html(
    "header",
    {},
    html("h3", {}, nodeTitle(node)),
    html("span", { class: "edt-chip" }, family),
    shut,
  );
  const value = node.stats
    ? rows(spread(node.stats))
    : html("p", { class: "edt-muted" }, "not sampled in this step");
  const inside =
    node.kind === "op"
      ? [
          heading("Inside edutorch"),
          place(node.lib, "lib", "not recorded"),
          ...backwardOf(node.lib),
        ]
      : [];
  // always there, and last, so that nothing moves when the age appears
  const told = { class: "edt-muted", "data-testid": "age", hidden: age === "" };
  const wrong = node.error
    ? [html("p", { class: "edt-alert", "data-testid": "error" }, `✗ ${node.error}`)]
    : [];
  refill(
    panel,
    head,
    ...wrong,
    facts(node),
    heading("Your code"),
    place(node.src, "source", "no source line recorded"),
    ...inside,
    heading(`Value${from && `, ${from}`}`),
    value,
    heading(`Gradient${from && `, ${from}`}`),
    gradient(node, started),
    html("p", told, age),
  );
}

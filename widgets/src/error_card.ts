/**
 * ErrorCard: why did this operation fail?
 *
 * The Python half is `edutorch/widgets/error_card.py`. Synced traits: `data`. Nothing
 * changes but what the reader opens: the graph that led to the error.
 */
import { attr, button, html } from "./dom";
import type { ErrorData, ErrorOperand } from "./error_types";
import { shapeText, shortFile } from "./format";
import { renderGraph } from "./graph_view";
import type { Model } from "./model";
import { RecordedModel } from "./page";
import { Shell } from "./shell";
import type { Source } from "./types";

const EMPTY: ErrorData = {
  v: 1,
  rev: 0,
  type: "Error",
  message: "",
  op: "",
  attrs: "",
  module: "",
  hint: "",
  rule: "",
  right: false,
  src: null,
  operands: [],
  changes: [],
  forward: null,
  graph: null,
};

class ErrorCard {
  private readonly shell: Shell;
  private readonly body = html("div", { class: "edt-error" });
  private readonly place = html("div", { class: "edt-error-graph", hidden: true });
  private readonly toggle = button("Graph so far", "Show the graph so far (G)", {
    "aria-expanded": "false",
    "data-testid": "graph",
  });
  private data = EMPTY;
  private endGraph: (() => void) | null = null;

  constructor(
    private readonly model: Model,
    el: HTMLElement,
  ) {
    this.shell = new Shell(model, el, "error", "Error");
    const { life, root, bar } = this.shell;
    bar.append(this.toggle);
    root.append(this.body, this.place);
    attr(root, { role: "group" });
    life.listen(this.toggle, "click", () => this.turnGraph());
    life.listen(root, "keydown", (event) => this.pressed(event));
    life.listen(document, "fullscreenchange", () => this.fill());
    life.add(() => this.endGraph?.());
    this.shell.follow(() => this.update());
  }

  end(): void {
    this.shell.life.end();
  }

  private pressed(event: KeyboardEvent): void {
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    const inGraph = this.place.contains(event.target as Node);
    if (modified || inGraph || this.data.graph === null) return;
    if (event.key.toLowerCase() === "g") this.turnGraph();
  }

  private update(): void {
    const sent = (this.model.get("data") ?? {}) as Partial<ErrorData>;
    this.data = { ...EMPTY, ...sent };
    this.toggle.hidden = this.data.graph === null;
    this.body.replaceChildren(...contents(this.data));
    this.shell.drawn(this.data.rev, title(this.data), null);
  }

  /** On the full screen there is room for the graph. */
  private fill(): void {
    const full = document.fullscreenElement === this.shell.root;
    if (full && this.place.hidden && this.data.graph !== null) this.turnGraph();
  }

  /** The graph is drawn when it is first opened, since few readers need it. */
  private turnGraph(): void {
    const open = this.place.hidden;
    this.place.hidden = !open;
    attr(this.toggle, { "aria-expanded": String(open) });
    if (open && this.endGraph === null) {
      const states = {
        data: this.data.graph,
        frozen: true,
        selected: "",
        expanded: [],
        status: "",
      };
      this.endGraph = renderGraph(new RecordedModel(states), this.place);
    }
  }
}

/** "RuntimeError in matmul, module fc.0" */
export function title({ type, op, module }: ErrorData): string {
  return `${type} in ${op}${module ? `, module ${module}` : ""}`;
}

function contents(data: ErrorData): HTMLElement[] {
  const parts: HTMLElement[] = [];
  if (data.rule) parts.push(html("p", { class: "edt-rule" }, data.rule));
  if (data.operands.length > 0) parts.push(table(data));
  parts.push(facts(data));
  return parts;
}

/** Operands one below another, so that compared sizes share a column. */
function table({ operands, right }: ErrorData): HTMLElement {
  const rank = Math.max(...operands.map((o) => o.shape.length));
  const body = html("tbody");
  operands.forEach((operand, i) => {
    const row = html("tr");
    row.append(html("th", { scope: "row" }, html("code", {}, nameOf(operand, i))));
    row.append(...sizes(operand, rank, right));
    row.append(kindOf(operand, "dtype"), kindOf(operand, "device"));
    const lit = operand.lit.length > 0 || operand.wrong !== "";
    attr(row, { "data-lit": lit, "aria-label": spoken(operand, i) });
    body.append(row);
  });
  const caption = html("caption", { class: "edt-hidden" }, "Operands and their shapes");
  return html("div", { class: "edt-operands" }, html("table", {}, caption, body));
}

function sizes(operand: ErrorOperand, rank: number, right: boolean): HTMLElement[] {
  const { shape, lit } = operand;
  const cells = shape.map((size, dim) => {
    const wrong = lit.includes(dim);
    const cell = html("td", { class: "edt-size", "data-wrong": wrong }, String(size));
    attr(cell, {
      title: `dimension ${dim}: ${size}${wrong ? ", does not match" : ""}`,
    });
    return cell;
  });
  const blanks = Array.from({ length: rank - shape.length }, () => html("td"));
  return right ? [...blanks, ...cells] : [...cells, ...blanks];
}

function kindOf(operand: ErrorOperand, what: "dtype" | "device"): HTMLElement {
  const wrong = operand.wrong === what;
  return html("td", { class: "edt-kind", "data-wrong": wrong }, operand[what]);
}

function nameOf({ name, role }: ErrorOperand, i: number): string {
  return name || role || `operand ${i}`;
}

function spoken(operand: ErrorOperand, i: number): string {
  const { shape, lit, dtype, device, wrong } = operand;
  const dims = lit.map(
    (dim) => `dimension ${dim} of size ${shape[dim]} does not match`,
  );
  const what = wrong ? [`its ${wrong} does not match`] : [];
  const kind = `shape ${shapeText(shape)}, ${dtype} on ${device}`;
  return [`${nameOf(operand, i)}: ${kind}`, ...dims, ...what].join("; ");
}

function facts(data: ErrorData): HTMLElement {
  const list = html("dl", { class: "edt-why" });
  const add = (term: string, ...values: (HTMLElement | string)[]) =>
    list.append(html("dt", {}, term), html("dd", {}, ...values));
  for (const src of data.changes) add("changed", ...lineOf(src));
  if (data.forward) add("forward", ...lineOf(data.forward));
  if (data.src) add("at", ...lineOf(data.src));
  if (data.attrs) add("operation", html("code", {}, data.attrs));
  if (data.hint) add("hint", data.hint);
  return list;
}

function lineOf({ file, line, text }: Source): (HTMLElement | string)[] {
  return [`${shortFile(file)}:${line} `, html("code", {}, text)];
}

/** Draw an ErrorCard into `el`; returns a function that removes it. */
export function renderError(model: Model, el: HTMLElement): () => void {
  const view = new ErrorCard(model, el);
  return () => view.end();
}

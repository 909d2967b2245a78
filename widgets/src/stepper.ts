/**
 * Stepper: what happens next, and why is this gradient this number?
 *
 * The Python half is `edutorch/widgets/stepper.py`. Synced traits: `data`, `at`,
 * `frozen`, `status`. The page does all stepping; nothing is run again.
 */
import { attr, button, consume, html, setText } from "./dom";
import { bytes, shortFile } from "./format";
import type { Model } from "./model";
import { Shell } from "./shell";
import { callTitle, type Picked, StepDetail, titleOf } from "./step_detail";
import { StepGraph } from "./step_graph";
import { chosenBy } from "./step_grid";
import { valueAt } from "./step_numbers";
import { type Row, rowOf, rowsOf, WAYS } from "./step_rows";
import type { StepData } from "./step_types";

/** up to which Python counts the operations that it does not keep */
const MAX_LEFT_OUT = 2000;
const EMPTY: StepData = {
  v: 1,
  rev: 0,
  step: 0,
  state: "waiting",
  partial: false,
  moments: [],
  calls: [],
  files: [],
  values: [],
  dropped: 0,
  limit: 0,
  left_out: 0,
  trouble: "",
};

/** way of stepping, key, label, action */
const BUTTONS: [string, string, string, string][] = [
  ["begin", "Home", "|◀", "To the first operation"],
  ["back", "ArrowLeft", "◀", "Previous operation"],
  ["next", "ArrowRight", "▶", "Next operation, stepping into modules"],
  ["over", "ArrowDown", "Over", "Step over the module call"],
  ["out", "o", "Out", "Step out of the module"],
  ["backward", "b", "Backward", "To the next backward pass"],
  ["counterpart", "g", "⇄ Gradient", "Between an operation and its backward"],
];
const KEYS: Record<string, string> = { ArrowUp: "overBack", Enter: "next", End: "end" };
for (const [way, key] of BUTTONS) KEYS[key] = way;
const HINT =
  "Keys: → next, ← back, ↓ ↑ over modules, O out, B backward, G its gradient, " +
  "Home, End. In a value, arrow keys choose an element; in the graph, a box.";

let numbers = 0;

class Stepper {
  private readonly shell: Shell;
  private readonly empty = html("p", { class: "edt-empty" });
  private readonly body = html("div", { class: "edt-body edt-steps" });
  private readonly list = html("div", {
    class: "edt-rows",
    role: "tree",
    tabindex: 0,
    "aria-label": `Operations of the step. ${HINT}`,
  });
  private readonly file = html("div", { class: "edt-file edt-muted" });
  private readonly source = html("div", { class: "edt-source edt-code" });
  private readonly detail = html("div", { class: "edt-detail edt-step" });
  private readonly graph: StepGraph;
  private readonly remarks = html("p", { class: "edt-legend" });
  private readonly ids = `edt-step-${numbers++}`;
  private readonly tell: () => void;
  private data = EMPTY;
  private rows: Row[] = [];
  private row = 0;
  private picked: Picked = {};
  private shownFile = -1;
  /** the reader has stepped; until then this moment is shown */
  private moved = false;
  private readonly wanted: number;

  constructor(
    private readonly model: Model,
    el: HTMLElement,
  ) {
    this.shell = new Shell(model, el, "stepper", "Stepper");
    const { life, root, bar } = this.shell;
    const tools = html("div", { class: "edt-tools", role: "toolbar" });
    for (const [way, key, face, words] of BUTTONS) {
      const shown = { ArrowLeft: "←", ArrowRight: "→", ArrowDown: "↓" }[key];
      const label = `${words} (${shown ?? key.replace(/^[a-z]$/, key.toUpperCase())})`;
      const push = button(face, label, { "data-way": way });
      tools.append(push);
      life.listen(push, "click", () => this.go(way));
    }
    bar.append(tools);
    const left = html("div", { class: "edt-left" }, this.file, this.source, this.list);
    this.graph = new StepGraph(
      life,
      (at) => this.select(rowOf(this.rows, at)),
      () => this.list.focus({ preventScroll: true }),
    );
    const right = html("div", { class: "edt-right" }, this.graph.element, this.detail);
    this.body.append(left, right);
    const hint = html("p", { class: "edt-legend edt-hint" }, HINT);
    root.append(this.empty, this.body, this.remarks, hint);
    this.tell = life.paced(250, () => {
      model.set("at", this.rows[this.row]?.at ?? 0);
      model.save_changes();
    });
    life.listen(this.body, "keydown", (event) => this.key(event));
    life.listen(this.body, "click", (event) => this.click(event));
    life.onAppearance(this.list, () => this.keepInSight());
    this.wanted = Number(model.get("at")) || 0;
    this.shell.follow(() => this.update());
  }

  dispose(): void {
    this.shell.life.end();
  }

  private update(): void {
    const before = this.moved ? (this.rows[this.row]?.at ?? 0) : this.wanted;
    const sent = (this.model.get("data") ?? {}) as Partial<StepData>;
    this.data = { ...EMPTY, ...sent };
    const { moments, state } = this.data;
    this.rows = rowsOf(this.data);
    this.graph.take(this.data);
    this.shownFile = -1;
    const paused = state === "paused" && moments.length > 0;
    const at = paused ? moments.length - 1 : before < moments.length ? before : 0;
    this.row = at > 0 || paused ? rowOf(this.rows, at) : 0;
    this.body.hidden = moments.length === 0;
    this.empty.hidden = moments.length > 0;
    setText(this.empty, waiting(state));
    setText(this.remarks, missing(this.data).join(" "));
    this.remarks.hidden = this.remarks.textContent === "";
    this.list.replaceChildren(...this.rows.map((row, k) => this.item(row, k)));
    this.show();
  }

  private item(row: Row, k: number): HTMLElement {
    const m = this.data.moments[row.at];
    const call = row.kind === "call";
    const face = call ? callTitle(this.data, row) : `${row.at + 1} ${titleOf(m)}`;
    return html(
      "div",
      {
        id: `${this.ids}-${k}`,
        role: "treeitem",
        "aria-level": row.depth + 1,
        "data-kind": call ? "call" : m.kind,
        "data-row": k,
        style: `padding-left: ${8 + 14 * row.depth}px`,
      },
      face,
    );
  }

  /** Draw what depends on the row. */
  private show(): void {
    const row = this.rows[this.row];
    const { moments, step, rev, state } = this.data;
    const count = `${moments.length} in all`;
    const info = row ? `operation ${row.at + 1} of ${moments.length}` : count;
    this.shell.drawn(rev, state === "paused" ? `${info}, paused` : info, step);
    if (!row) return;
    for (const item of this.list.querySelectorAll("[aria-selected]"))
      attr(item, { "aria-selected": null });
    const item = this.list.children[this.row];
    attr(item, { "aria-selected": "true" });
    attr(this.list, { "aria-activedescendant": item.id });
    this.light(row);
    this.keepInSight();
    this.graph.show(row);
    this.detail.replaceChildren(...new StepDetail(this.data, this.picked).of(row));
  }

  /** The user's source lines, with the current one highlighted. */
  private light(row: Row): void {
    const place = this.data.moments[row.at].src;
    this.file.hidden = this.source.hidden = place === null;
    if (!place) return;
    const [file, line] = place;
    const { name, lines } = this.data.files[file];
    if (file !== this.shownFile) {
      setText(this.file, shortFile(name));
      this.source.replaceChildren(
        ...lines.map(([n, text], k) =>
          html(
            "div",
            { "data-line": n, "data-gap": k > 0 && lines[k - 1][0] < n - 1 },
            html("span", { "aria-hidden": "true" }, String(n)),
            text || " ",
          ),
        ),
      );
      this.shownFile = file;
    }
    for (const part of this.source.children) {
      const lit = part.getAttribute("data-line") === String(line);
      attr(part, { "aria-current": lit ? "true" : null });
    }
  }

  private keepInSight(): void {
    keepInside(this.source, "[aria-current]");
    keepInside(this.list, "[aria-selected]");
  }

  private go(way: string): void {
    if (this.rows.length > 0) this.select(WAYS[way](this.rows, this.row, this.data));
  }

  private select(row: number): void {
    if (row === this.row && this.moved) return;
    const inside = this.detail.contains(document.activeElement);
    this.moved = true;
    this.row = row;
    this.picked = {};
    this.show();
    if (inside) this.list.focus({ preventScroll: true });
    this.tell();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.pick(event)) return;
    const way = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const pressed = event.key === "Enter" && event.target instanceof HTMLButtonElement;
    if (!way || pressed) return;
    consume(event);
    this.go(way);
  }

  private click(event: MouseEvent): void {
    if (this.pick(event) || !(event.target instanceof Element)) return;
    const link = event.target.closest("[data-go]")?.getAttribute("data-go");
    const row = event.target.closest("[data-row]")?.getAttribute("data-row");
    if (link) this.select(rowOf(this.rows, Number(link)));
    else if (row) this.select(Number(row));
  }

  /** Select an element of a value; returns whether the event did that. */
  private pick(event: MouseEvent | KeyboardEvent): boolean {
    const target = event.target instanceof Element ? event.target : null;
    const table = target?.closest("[data-pick]");
    const name = table?.getAttribute("data-pick");
    if (!table || !name) return false;
    const m = this.data.moments[this.rows[this.row].at];
    const v = name.startsWith("e") ? m.edges[Number(name.slice(1))].v : m.outs[0].v;
    const value = valueAt(this.data, v);
    const arrow = event instanceof KeyboardEvent && event.key.startsWith("Arrow");
    if (!value || (event instanceof KeyboardEvent && !arrow)) return false;
    consume(event);
    const at = chosenBy(event, table, value);
    if (at < 0) return true;
    this.picked[name] = at;
    this.show();
    const again = this.detail.querySelector(`[data-pick="${name}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
    return true;
  }
}

/** Scroll only within a box: the page does not move. */
function keepInside(box: HTMLElement, selector: string): void {
  const part = box.querySelector<HTMLElement>(selector);
  if (!part) return;
  const top = part.offsetTop;
  const bottom = top + part.offsetHeight;
  if (top < box.scrollTop + 20) box.scrollTop = top - 20;
  else if (bottom > box.scrollTop + box.clientHeight - 20)
    box.scrollTop = bottom - box.clientHeight + 20;
}

function waiting(state: string): string {
  if (state === "paused") return "Paused. The next operation is recorded.";
  return "The next training step is recorded as it runs, with its values.";
}

/** A note on missing values and the reason. */
function missing({
  dropped,
  moments,
  limit,
  left_out,
  partial,
  trouble,
}: StepData): string[] {
  const found = [];
  const of = `${dropped} of ${moments.length} operations`;
  if (dropped) found.push(`⚠ Values of ${of} were dropped: limit ${bytes(limit)}.`);
  const most = left_out >= MAX_LEFT_OUT ? "At least " : "";
  if (left_out) found.push(`⚠ ${most}${left_out} later operations were not recorded.`);
  if (trouble) found.push(`⚠ Recording stopped: ${trouble}`);
  if (partial)
    found.push("⚠ Recording started in the middle of the step, at the pause.");
  return found;
}

/** Draw a Stepper into `el`; returns a function that removes it. */
export function renderStepper(model: Model, el: HTMLElement): () => void {
  const view = new Stepper(model, el);
  return () => view.dispose();
}

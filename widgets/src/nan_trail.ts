/**
 * NaNTrail: which op first made a nan or infinity, and how did it reach the loss?
 *
 * The Python half is `edutorch/widgets/nan_trail.py`. Synced traits: `data`, `frozen`,
 * `status`. Boxes from top to bottom; arrow keys go along them.
 */
import { attr, button, consume, html, refill, setText } from "./dom";
import type { Model } from "./model";
import {
  countWords,
  endWords,
  head,
  operandName,
  operandRange,
  placeWords,
} from "./nan_text";
import type { NanBox, NanData, NanFinding } from "./nan_types";
import { Shell } from "./shell";

const EMPTY: NanData = {
  v: 1,
  rev: 0,
  step: 0,
  checked: 0,
  suspects: 0,
  finding: null,
};

let numbers = 0;

class NanTrail {
  private readonly shell: Shell;
  private readonly verdict = html("p", { class: "edt-verdict", role: "status" });
  private readonly end = html("p", { "data-testid": "end" });
  private readonly empty = html("p", { class: "edt-empty" });
  private readonly trail = html("ol", {
    class: "edt-trail",
    role: "listbox",
    tabindex: 0,
    "aria-label":
      "Path from the first non-finite value to the loss. Arrow keys move along it.",
  });
  private readonly ids = `edt-nan-${numbers++}`;
  private readonly toRoot = button("First", "Go to the first non-finite value (R)");
  private data = EMPTY;
  private selected = 0;
  /** identifies the finding shown, to distinguish another one from one that grows */
  private shown = "";

  constructor(
    private readonly model: Model,
    el: HTMLElement,
  ) {
    this.shell = new Shell(model, el, "nan", "NaNTrail");
    const { life, root, bar } = this.shell;
    bar.append(this.toRoot);
    root.append(this.empty, this.verdict, this.end, this.trail);
    life.listen(this.trail, "keydown", (event) => this.key(event));
    life.listen(this.toRoot, "click", () => this.select(this.data.finding?.root ?? 0));
    life.listen(this.trail, "click", ({ target }) => {
      const item = target instanceof Element ? target.closest("li") : null;
      if (item) this.select([...this.trail.children].indexOf(item));
    });
    this.shell.follow(() => this.update());
  }

  dispose(): void {
    this.shell.life.end();
  }

  private update(): void {
    const sent = (this.model.get("data") ?? {}) as Partial<NanData>;
    this.data = { ...EMPTY, ...sent };
    const { finding, step, checked, rev } = this.data;
    const key = finding ? `${finding.step} ${finding.rule}` : "";
    if (key !== this.shown) this.selected = finding?.root ?? 0;
    this.shown = key;
    this.draw();
    const info = `${checked} values checked`;
    this.shell.drawn(rev, info, finding?.step ?? step);
  }

  private draw(): void {
    const { finding } = this.data;
    this.empty.hidden = finding !== null;
    setText(this.empty, calm(this.data));
    for (const part of [this.verdict, this.end, this.trail, this.toRoot])
      part.hidden = finding === null;
    if (!finding) return;
    setText(this.verdict, `✕ step ${finding.step}: ${finding.rule}`);
    setText(this.end, endWords(finding));
    this.toRoot.hidden = finding.trail.length < 2;
    this.selected = Math.min(this.selected, finding.trail.length - 1);
    const items = finding.trail.map((box, i) => this.item(box, i, partOf(finding, i)));
    refill(this.trail, ...items);
    attr(this.trail, { "aria-activedescendant": `${this.ids}-${this.selected}` });
  }

  private item(box: NanBox, i: number, part: string): HTMLElement {
    const chosen = i === this.selected;
    const root = part === "First: ";
    const title = html("b", {}, part + head(box));
    const count = html("span", { class: "edt-sign" }, `✕ ${countWords(box.result)}`);
    const place = placeWords(box.src);
    const whole = chosen || root;
    const item = html(
      "li",
      {
        id: `${this.ids}-${i}`,
        role: "option",
        "aria-selected": String(chosen),
        "data-root": root,
      },
      html("header", {}, title, count),
      place && html("div", { class: "edt-code" }, place),
      whole && box.operands.length > 0 && operands(box),
    );
    if (box.src) attr(item, { title: `${box.src.file}:${box.src.line}` });
    return item;
  }

  private key(event: KeyboardEvent): void {
    const last = (this.data.finding?.trail.length ?? 1) - 1;
    const to: Record<string, number> = {
      ArrowDown: Math.min(this.selected + 1, last),
      ArrowUp: Math.max(this.selected - 1, 0),
      Home: 0,
      End: last,
      r: this.data.finding?.root ?? 0,
    };
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in to)) return;
    consume(event);
    this.select(to[event.key]);
  }

  private select(i: number): void {
    this.selected = i;
    this.draw();
    const item = this.trail.children[i];
    item?.scrollIntoView?.({ block: "nearest" });
  }
}

/** Whether a box is the origin or the loss, as a label. */
function partOf({ root, reached, trail }: NanFinding, i: number): string {
  if (i === root) return "First: ";
  return i === trail.length - 1 && reached === "loss" ? "Loss: " : "";
}

/** The text shown while nothing is wrong. */
function calm({ step, checked, suspects, earlier }: NanData): string {
  if (checked === 0) return "Every value and gradient is checked as it is computed.";
  const words = [`No problem up to step ${step}.`];
  const several = suspects === 1 ? "1 value has" : `${suspects} values have`;
  if (suspects) words.push(`${several} infinities that may be intended.`);
  if (earlier) words.push(`Before that, ${earlier}.`);
  return words.join(" ");
}

function operands(box: NanBox): HTMLElement {
  const rows = box.operands.map((operand) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, operandName(operand)),
      html("td", {}, operandRange(operand)),
    ),
  );
  return html("table", { "aria-label": "Operands" }, html("tbody", {}, ...rows));
}

/** Draw a NaNTrail into `el`; returns a function that removes it. */
export function renderNanTrail(model: Model, el: HTMLElement): () => void {
  const view = new NanTrail(model, el);
  return () => view.dispose();
}

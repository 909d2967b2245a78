/**
 * TensorCard: what is this value?
 *
 * The Python half is `edutorch/widgets/tensor_card.py`. Synced traits: `data`, `frozen`,
 * `status`, and `at`, a slice that Python is to send.
 */
import { attr, html, refill } from "./dom";
import { bytes, shapeText, shortFile } from "./format";
import type { Model } from "./model";
import { Shell } from "./shell";
import { memoryRows } from "./tensor_memory";
import { TensorPanel } from "./tensor_panel";
import type { TensorData } from "./tensor_types";
import type { Source } from "./types";

/** px of a panel: its width, and the height of its pictures */
const PANEL = [354, 454];
/** px of the histogram and the statistics, which are beside a value without gradient */
const SUMMARY = 130;
/** px beside the panels */
const SIDES = 24;

const EMPTY: TensorData = {
  v: 1,
  rev: 0,
  name: "",
  shape: [],
  dtype: "",
  device: "",
  layout: "strided",
  version: 0,
  requires_grad: false,
  grad_fn: "",
  memory: null,
  value: null,
  grad: null,
  made: null,
  users: [],
};

class TensorCard {
  private readonly shell: Shell;
  private readonly origin = html("div", { class: "edt-origin" });
  private readonly panels = html("div", { class: "edt-panels" });
  private readonly memory = html("div", { class: "edt-memory" });
  private readonly none = html(
    "p",
    { class: "edt-empty" },
    "This tensor has no values.",
  );
  private readonly value: TensorPanel;
  private readonly grad: TensorPanel;
  private data = EMPTY;

  constructor(
    private readonly model: Model,
    el: HTMLElement,
  ) {
    this.shell = new Shell(model, el, "tensor", "Tensor");
    const { life, root } = this.shell;
    const ask = (slice: number) => {
      if (model.get("frozen") === true) return false;
      model.set("at", slice);
      model.save_changes();
      return true;
    };
    this.value = new TensorPanel(life, "value", ask);
    this.grad = new TensorPanel(life, "gradient", ask);
    this.panels.append(this.value.root, this.grad.root);
    root.append(this.origin, this.none, this.panels, this.memory);
    life.onAppearance(this.panels, () => this.draw());
    this.shell.follow(() => this.update());
  }

  end(): void {
    this.shell.life.end();
  }

  private update(): void {
    const sent = (this.model.get("data") ?? {}) as Partial<TensorData>;
    this.data = { ...EMPTY, ...sent };
    this.draw();
    this.shell.drawn(this.data.rev, title(this.data), null);
  }

  /** How many times larger values are drawn: more than once in full screen only. */
  private get magnified(): number {
    const { shell, data } = this;
    const wide = (shell.root.clientWidth - SIDES) / 2 / PANEL[0];
    const tall = data.grad ? PANEL[1] : PANEL[1] - SUMMARY;
    return Math.max(1, Math.min(shell.chart(tall) / tall, wide));
  }

  private draw(): void {
    const { value, grad, memory, shape } = this.data;
    this.none.hidden = value !== null;
    const magnified = this.magnified;
    this.value.show(value, shape.length, magnified);
    this.grad.show(grad, shape.length, magnified);
    refill(this.origin, ...originOf(this.data));
    this.origin.hidden = this.origin.childNodes.length === 0;
    refill(this.memory, ...(memory ? memoryRows(memory) : []));
    this.memory.hidden = memory === null || memory.bytes === 0;
  }
}

/** "w: 2×3 float32 on cpu, requires grad, 24 B", beside the view's name */
export function title(data: TensorData): string {
  const words = [`${shapeText(data.shape)} ${data.dtype} on ${data.device}`];
  if (data.layout !== "strided") words.push(data.layout);
  if (data.requires_grad) words.push("requires grad");
  if (data.memory) words.push(bytes(data.memory.bytes));
  return (data.name ? `${data.name}: ` : "") + words.join(", ");
}

/** The operation that made it and those that use it, each with its line. */
function originOf({ made, grad_fn, users }: TensorData): HTMLElement[] {
  const items: HTMLElement[] = [];
  if (made) items.push(operation("made by", made.op, made.src));
  else if (grad_fn) items.push(operation("made by", grad_fn, null));
  for (const user of users) items.push(operation("used by", user.op, user.src));
  return items;
}

function operation(verb: string, name: string, src: Source | null): HTMLElement {
  const line = src ? ` · ${shortFile(src.file)}:${src.line}` : "";
  const item = html("span", { class: "edt-chip" }, `${verb} ${name}${line}`);
  if (src?.text) attr(item, { title: src.text });
  return item;
}

/** Draw a TensorCard into `el`; returns a function that removes it. */
export function renderTensor(model: Model, el: HTMLElement): () => void {
  const view = new TensorCard(model, el);
  return () => view.end();
}

/**
 * A caching allocator, step by step through a program: the reader sees where each block
 * goes, what stays reserved, and where a request of any size would go.
 *
 * The Python half is `edutorch/course/interactions/allocator_board.py`.
 */
import { attr, html, refill, setText, svg } from "../dom";
import { Lifetime, type Model } from "../model";
import {
  type Block,
  type Board,
  bytesText,
  replay,
  type Segment,
  type Step,
} from "./allocator_rules";
import { chartWidth, USUAL_WIDTH } from "./chart_width";
import { type Slider, slider, stepButtons } from "./controls";

/** sizes of the bars in pixels; the picture is as wide as its container */
const NARROWEST = 280;
const WIDEST = 960;
const HIGH = 46;
const BAR = 24;
/** the smallest visible width of a block */
const THIN = 3;
/** the width of a letter */
const LETTER = 7;
/** the size of the request asked about: sixteenths of a MiB */
const PART = 2 ** 16;
const LARGEST = 320;

const STYLE = `
.eab-controls { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 14px; padding: 10px 12px 4px; }
.eab-slider { display: flex; flex: 1 1 220px; align-items: center; gap: 8px; white-space: nowrap; }
.eab-slider input { flex: 1; min-width: 60px; accent-color: var(--edt-accent); }
.eab-slider output { min-width: 76px; font-variant-numeric: tabular-nums; }
.edutorch .eab-said { margin: 6px 12px; min-height: 62px; font-size: 14px; font-variant-numeric: tabular-nums; }
.eab-said strong { display: block; }
.eab-said .eab-failed { color: var(--edt-bad); }
.eab-chart { display: block; margin: 0 12px; }
.eab-chart text { fill: var(--edt-text); font-size: 12px; }
.eab-chart .eab-name { fill: var(--edt-muted); }
.eab-chart .eab-in { fill: var(--edt-bg); font-size: 11px; font-weight: 600; }
.eab-chart .eab-on-gap { fill: var(--edt-text); font-size: 11px; }
.eab-used { fill: var(--edt-linear); stroke: var(--edt-bg); }
.eab-lit { fill: var(--edt-pointwise); stroke: var(--edt-text); stroke-width: 2; }
.eab-gap { fill: var(--edt-grid); stroke: var(--edt-line); stroke-dasharray: 3 2; }
.eab-short { fill: var(--edt-bad); fill-opacity: .16; stroke: var(--edt-bad); stroke-dasharray: 3 2; }
.eab-none { fill: none; stroke: var(--edt-line); stroke-dasharray: 1 3; }
.eab-key { display: flex; flex-wrap: wrap; gap: 2px 16px; padding: 2px 12px; color: var(--edt-muted); font-size: 12px; }
.eab-key svg { vertical-align: -1px; margin-right: 4px; }
.edutorch .eab-would { margin: 0 12px 8px; min-height: 20px; font-size: 13px; }
.edutorch .eab-table { margin: 4px 12px 10px; }
.eab-table summary { cursor: pointer; color: var(--edt-muted); font-size: 12px; }
.edutorch .eab-table table { width: auto; }
.edutorch .eab-table :is(th, td) { padding: 1px 14px 1px 0; text-align: right; font-variant-numeric: tabular-nums; }
`;

interface Data {
  steps: number;
  program: Step[];
  capacity: number;
}

class AllocatorBoard {
  private readonly life = new Lifetime();
  private readonly data: Data;
  private steps: number;
  private wide = USUAL_WIDTH;
  private readonly step: Slider;
  private readonly request = slider("eab-slider", "request", "a request of", [
    1,
    LARGEST,
    1,
  ]);
  private readonly said = html("p", {
    class: "eab-said",
    role: "status",
    "data-testid": "said",
  });
  private readonly chart = svg("svg", {
    class: "eab-chart",
    role: "img",
    "data-testid": "chart",
    "aria-label": "The device and its segments; the table says the same.",
  });
  private readonly would = html("p", {
    class: "eab-would",
    role: "status",
    "data-testid": "would",
  });
  private readonly rows = html("tbody", { "data-testid": "rows" });
  /** draws at most once per frame, however fast a slider moves */
  private readonly redraw = this.life.perFrame(() => this.draw());

  constructor(model: Model, root: HTMLElement) {
    this.data = model.get("data") as Data;
    this.steps = this.data.steps;
    this.step = slider("eab-slider", "step", "step", [0, this.data.program.length, 1]);
    this.request.show(64, bytesText(64 * PART));
    const style = html("style");
    style.textContent = STYLE;
    root.append(style, this.controls(), this.said, this.chart, key());
    const asked = html("div", { class: "eab-controls" }, this.request.row);
    root.append(asked, this.would, this.table());
    this.listen();
    this.life.onAppearance(root, () => this.fit(root));
    this.fit(root);
  }

  end(): void {
    this.life.end();
  }

  private fit(root: HTMLElement): void {
    this.wide = chartWidth(root, NARROWEST, WIDEST);
    this.draw();
  }

  private controls(): HTMLElement {
    const buttons = stepButtons(this.life, ["Previous step", "Next step"], (by) =>
      this.go(this.steps + by),
    );
    return html("div", { class: "eab-controls" }, buttons, this.step.row);
  }

  private table(): HTMLElement {
    const names = ["segment", "at", "bytes", "block", "requested"];
    const head = names.map((name) => html("th", { scope: "col" }, name));
    const table = html("table", {}, html("thead", {}, html("tr", {}, ...head)));
    table.append(this.rows);
    const summary = html("summary", {}, "Every block, with what was requested");
    return html("details", { class: "eab-table" }, summary, table);
  }

  private listen(): void {
    const { input } = this.step;
    this.life.listen(input, "input", () => this.go(Number(input.value)));
    this.life.listen(this.request.input, "input", this.redraw);
  }

  private go(steps: number): void {
    this.steps = Math.max(0, Math.min(steps, this.data.program.length));
    this.redraw();
  }

  private draw(): void {
    const { program, capacity } = this.data;
    const board = replay(program, this.steps, capacity);
    this.step.show(this.steps, `${this.steps} of ${program.length}`);
    const look = board.failed ? "eab-failed" : "";
    refill(
      this.said,
      html("strong", { class: look }, board.said),
      html("span", {}, `${board.totals()} ${this.coming()}`),
    );
    const asked = Number(this.request.input.value);
    this.request.show(asked, bytesText(asked * PART));
    setText(this.would, board.would(asked * PART));
    this.drawBars(board);
    const rows = board.segments.flatMap(({ blocks }, at) =>
      blocks.map((block) => rowOf(at, block)),
    );
    refill(this.rows, ...rows);
  }

  /** What the next step will request. */
  private coming(): string {
    const next = this.data.program[this.steps];
    if (!next) return "The program has ended.";
    const [name, nbytes] = next;
    return nbytes ? `Next: ${name} = ${bytesText(nbytes)}.` : `Next: del ${name}.`;
  }

  private drawBars(board: Board): void {
    const count = board.segments.length + 1;
    attr(this.chart, { width: this.wide, height: HIGH * count + 4 });
    refill(
      this.chart,
      ...this.device(board),
      ...board.segments.flatMap((segment, at) => this.segment(board, segment, at)),
    );
  }

  /** The device to scale: reserved memory, and the rest. */
  private device(board: Board): Node[] {
    const scale = (this.wide - 2) / board.capacity;
    const title = `device, simulated: ${bytesText(board.capacity)}`;
    const whole = { x: 1, y: 17, width: this.wide - 2, height: BAR, class: "eab-none" };
    const made: Node[] = [
      svg("text", { x: 0, y: 12, class: "eab-name" }, title),
      svg("rect", whole),
    ];
    let left = 1;
    for (const [at, segment] of board.segments.entries()) {
      const width = segment.nbytes * scale;
      const place = { x: left, y: 17, width: Math.max(width, THIN), height: BAR };
      made.push(svg("rect", { ...place, class: "eab-gap" }));
      const words = [`segment ${at + 1}`, String(at + 1)].find(
        (text) => width > LETTER * text.length,
      );
      if (words) made.push(inBar(left + width / 2, 17, words, "eab-on-gap"));
      left += width;
    }
    return made;
  }

  private segment(board: Board, segment: Segment, at: number): Node[] {
    const top = HIGH * (at + 1);
    const scale = (this.wide - 2) / segment.nbytes;
    const title = `segment ${at + 1}: ${bytesText(segment.nbytes)}`;
    const made: Node[] = [svg("text", { x: 0, y: top + 12, class: "eab-name" }, title)];
    const blocks = [...segment.blocks].sort((a, b) => b.nbytes - a.nbytes);
    for (const block of blocks) {
      const left = 1 + block.offset * scale;
      const width = Math.max(block.nbytes * scale, THIN);
      const place = { x: left, y: top + 17, width, height: BAR };
      made.push(svg("rect", { ...place, class: lookOf(block, board) }));
      const name = block.name || "free";
      const words = [`${name} ${bytesText(block.nbytes)}`, name].find(
        (text) => width > LETTER * text.length + 4,
      );
      const look = block.name ? "eab-in" : "eab-on-gap";
      if (words) made.push(inBar(left + width / 2, top + 17, words, look));
    }
    return made;
  }
}

function inBar(x: number, top: number, words: string, look: string): Node {
  return svg("text", { x, y: top + 16, "text-anchor": "middle", class: look }, words);
}

function lookOf(block: Block, board: Board): string {
  if (block.name) return block.name === board.lit ? "eab-lit" : "eab-used";
  return board.failed ? "eab-short" : "eab-gap";
}

function key(): HTMLElement {
  const names = [
    ["eab-lit", "this step's block"],
    ["eab-used", "in use"],
    ["eab-gap", "free, and reserved"],
    ["eab-none", "not reserved"],
  ];
  const marks = names.map(([kind, name]) => {
    const box = svg("rect", { x: 1, y: 1, width: 12, height: 8, class: kind });
    return html("span", {}, svg("svg", { width: 14, height: 10 }, box), name);
  });
  return html("div", { class: "eab-key", "aria-hidden": true }, ...marks);
}

function rowOf(at: number, block: Block): HTMLElement {
  const texts = [
    String(at + 1),
    bytesText(block.offset),
    bytesText(block.nbytes),
    block.name || "free",
    block.name ? bytesText(block.requested) : "-",
  ];
  return html("tr", {}, ...texts.map((text) => html("td", {}, text)));
}

export function renderAllocatorBoard(model: Model, el: HTMLElement): () => void {
  const board = new AllocatorBoard(model, el);
  return () => board.end();
}

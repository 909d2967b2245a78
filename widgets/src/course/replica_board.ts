/**
 * Four replicas share a batch: the reader takes their gradients round a ring, step by
 * step, until all have the same.
 *
 * The Python half is `edutorch/course/interactions/replica_board.py`.
 */
import { attr, html, refill, setText, svg } from "../dom";
import { Lifetime, type Model } from "../model";
import { chartWidth, USUAL_WIDTH } from "./chart_width";
import { stepButtons } from "./controls";

const RANKS = 4;
/** all four weights before the step */
const WEIGHT = 0.1;
/** scatter, gradients, three steps twice, the mean */
const LAST = 8;

/** sizes in pixels; the picture is as wide as its container */
const NARROWEST = 280;
const WIDEST = 760;
const NAMES = 66;
const TOP = 40;
const HIGH = 44;
const GAP = 26;

/** A message of a step: sending rank, receiving rank, chunk. */
type Send = [number, number, number];

/** The tensors of the ranks after a step; parts: gradients in each. */
export interface Board {
  values: number[][];
  parts: number[][];
  sends: Send[];
  said: string;
}

/** The gradient of half the mean squared error over the rows of each rank. */
export function localGradients(batch: number[][]): number[][] {
  const part = batch.length / RANKS;
  return Array.from({ length: RANKS }, (_, rank) => {
    const sums = new Array(RANKS).fill(0);
    for (const [a, b, c, d, target] of batch.slice(rank * part, (rank + 1) * part)) {
      const error = WEIGHT * (a + b + c + d) - target;
      for (const [i, x] of [a, b, c, d].entries()) sums[i] += error * x;
    }
    return sums.map((value) => value / part);
  });
}

/** The ranks after some steps, from 0 (the scattered batch) to 8 (the mean). */
export function boardOf(batch: number[][], step: number): Board {
  if (step === 0) {
    const said = `Scatter: each replica has ${batch.length / RANKS} of the ${batch.length} rows.`;
    return { values: [], parts: [], sends: [], said };
  }
  let values = localGradients(batch);
  const parts = values.map((row) => row.map(() => 1));
  let sends: Send[] = [];
  for (let s = 2; s <= Math.min(step, LAST - 1); s++)
    sends = passOn(values, parts, s - 2);
  let said = words(step, parts);
  if (step === 1)
    said = "Local gradients: four weights, four numbers, different at each replica.";
  if (step === LAST) {
    values = values.map((row) => row.map((v) => v / RANKS));
    sends = [];
    said = "Divided by 4: every replica has the gradient of one device, and steps.";
  }
  return { values, parts, sends, said };
}

/** Perform one step of the ring in place and return its messages. */
function passOn(values: number[][], parts: number[][], s: number): Send[] {
  const adds = s < RANKS - 1;
  const begin = adds ? 0 : 1;
  const turn = adds ? s : s - (RANKS - 1);
  const sends = values.map((_, r): Send => {
    return [r, (r + 1) % RANKS, (r + begin - turn + RANKS) % RANKS];
  });
  const sent = sends.map(([r, , c]) => [values[r][c], parts[r][c]]);
  for (const [i, [, to, c]] of sends.entries()) {
    values[to][c] = (adds ? values[to][c] : 0) + sent[i][0];
    parts[to][c] = (adds ? parts[to][c] : 0) + sent[i][1];
  }
  return sends;
}

function words(step: number, parts: number[][]): string {
  const ready = parts.flat().filter((count) => count === RANKS).length;
  const head =
    step <= RANKS
      ? `Reduce-scatter, step ${step - 1} of 3: each adds what it receives.`
      : `All-gather, step ${step - 4} of 3: what each receives replaces its own.`;
  return `${head} Complete: ${ready} of 16.`;
}

const STYLE = `
.erb-controls { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 14px; padding: 10px 12px 4px; }
.erb-slider { display: flex; flex: 1 1 200px; align-items: center; gap: 8px; white-space: nowrap; }
.erb-slider input { flex: 1; min-width: 60px; accent-color: var(--edt-accent); }
.erb-slider output { min-width: 44px; font-variant-numeric: tabular-nums; }
.edutorch .erb-said { margin: 6px 12px; min-height: 40px; font-size: 14px; }
.erb-chart { display: block; margin: 0 12px; }
.erb-chart text { fill: var(--edt-text); font-size: 13px; font-variant-numeric: tabular-nums; }
.erb-chart .erb-small { fill: var(--edt-muted); font-size: 11px; }
.erb-chart .erb-rows { font-size: 11px; }
.erb-chart .erb-to { fill: var(--edt-grad); font-size: 11px; font-weight: 600; }
.erb-cell { fill: var(--edt-box); stroke: var(--edt-line); }
.erb-came { fill: var(--edt-box); stroke: var(--edt-grad); stroke-width: 2; }
.erb-part { fill: var(--edt-linear); }
.erb-whole { fill: var(--edt-pointwise); }
.erb-send { stroke: var(--edt-grad); stroke-width: 2; fill: none; }
.erb-head { fill: var(--edt-grad); }
.edutorch .erb-sent { margin: 2px 12px 10px; min-height: 36px; color: var(--edt-muted); font-size: 13px; }
`;

interface Data {
  step: number;
  batch: number[][];
}

class ReplicaBoard {
  private readonly life = new Lifetime();
  private readonly data: Data;
  private step: number;
  private wide = USUAL_WIDTH;
  private readonly slider = html("input", {
    type: "range",
    min: 0,
    max: LAST,
    step: 1,
    "data-testid": "step",
  });
  private readonly shown = html("output");
  private readonly said = html("p", {
    class: "erb-said",
    role: "status",
    "data-testid": "said",
  });
  private readonly sent = html("p", { class: "erb-sent", "data-testid": "sent" });
  private readonly chart = svg("svg", {
    class: "erb-chart",
    role: "img",
    "data-testid": "chart",
  });
  private readonly redraw = this.life.perFrame(() => this.draw());

  constructor(
    model: Model,
    private readonly root: HTMLElement,
  ) {
    this.data = model.get("data") as Data;
    this.step = this.data.step;
    const style = html("style");
    style.textContent = STYLE;
    root.append(style, this.controls(), this.said, this.chart, this.sent);
    this.life.listen(this.slider, "input", () => this.go(Number(this.slider.value)));
    this.life.onAppearance(root, () => this.fit());
    this.fit();
  }

  end(): void {
    this.life.end();
  }

  private fit(): void {
    this.wide = chartWidth(this.root, NARROWEST, WIDEST);
    this.draw();
  }

  private controls(): HTMLElement {
    const buttons = stepButtons(this.life, ["Previous step", "Next step"], (by) =>
      this.go(this.step + by),
    );
    const label = html(
      "label",
      { class: "erb-slider" },
      "step",
      this.slider,
      this.shown,
    );
    return html("div", { class: "erb-controls" }, buttons, label);
  }

  private go(step: number): void {
    this.step = Math.max(0, Math.min(step, LAST));
    this.redraw();
  }

  private draw(): void {
    const board = boardOf(this.data.batch, this.step);
    this.slider.value = String(this.step);
    setText(this.shown, `${this.step} of ${LAST}`);
    attr(this.slider, { "aria-valuetext": board.said });
    setText(this.said, board.said);
    setText(this.sent, this.messages(board));
    const height = TOP + RANKS * (HIGH + GAP) + 2;
    attr(this.chart, { width: this.wide, height, "aria-label": inWords(board) });
    const ranks = this.data.batch.length / RANKS;
    refill(
      this.chart,
      ...[0, 1, 2, 3].map((c) => this.text(c, 14, `chunk ${c}`, "erb-small")),
      ...[0, 1, 2, 3].flatMap((r) => this.rank(board, r, ranks)),
      ...board.sends.flatMap((send) => this.arrow(send)),
    );
  }

  private messages({ sends }: Board): string {
    if (this.step === 0) return "The columns are measures of a flower, in cm.";
    if (this.step === 1) return "Nothing has been sent yet.";
    if (!sends.length)
      return "Sent by each replica: 6 messages of a quarter, one and a half gradients.";
    return `Sent: ${sends.map(([r, to, c]) => `chunk ${c} from ${r} to ${to}`).join(", ")}.`;
  }

  private get column(): number {
    return (this.wide - NAMES - 2) / RANKS;
  }

  private text(c: number, y: number, words: string, look: string): Node {
    const x = NAMES + this.column * (c + 0.5);
    return svg("text", { x, y, "text-anchor": "middle", class: look }, words);
  }

  private rank(board: Board, r: number, part: number): Node[] {
    const top = TOP + (HIGH + GAP) * r;
    const made: Node[] = [svg("text", { x: 0, y: top + 26 }, `replica ${r}`)];
    for (let c = 0; c < RANKS; c++) {
      const x = NAMES + this.column * c + 3;
      const width = this.column - 6;
      const came = board.sends.some(([, to, chunk]) => to === r && chunk === c);
      const look = came ? "erb-came" : "erb-cell";
      made.push(svg("rect", { x, y: top, width, height: HIGH, rx: 3, class: look }));
      if (!board.values.length) {
        const rows = this.data.batch.slice(r * part, (r + 1) * part);
        for (const [i, row] of rows.entries())
          made.push(this.text(c, top + 13 + 13 * i, row[c].toFixed(1), "erb-rows"));
        continue;
      }
      const count = board.parts[r][c];
      const bar = count === RANKS ? "erb-whole" : "erb-part";
      const share = ((width - 4) * count) / RANKS;
      const y = top + HIGH - 7;
      made.push(
        svg("rect", { x: x + 2, y, width: share, height: 5, class: bar }),
        this.text(c, top + 18, board.values[r][c].toFixed(2), "erb-value"),
        this.text(c, top + 32, `${count} of 4`, "erb-small"),
      );
    }
    return made;
  }

  /** Down to the next row; from the last one, out below and back in at the top. */
  private arrow([r, to, c]: Send): Node[] {
    const x = NAMES + this.column * (c + 0.5);
    const y = TOP + (HIGH + GAP) * r + HIGH;
    const made = [this.pointer(x, y)];
    if (to > r) return made;
    made.push(
      this.pointer(x, TOP - GAP + 4),
      svg("text", { x: x + 8, y: y + 16, class: "erb-to" }, `to ${to}`),
      svg("text", { x: x + 8, y: TOP - 8, class: "erb-to" }, `from ${r}`),
    );
    return made;
  }

  private pointer(x: number, y: number): Node {
    const end = y + GAP - 4;
    return svg(
      "g",
      {},
      svg("line", { x1: x, x2: x, y1: y + 1, y2: end - 6, class: "erb-send" }),
      svg("polygon", {
        points: `${x - 5},${end - 8} ${x + 5},${end - 8} ${x},${end}`,
        class: "erb-head",
      }),
    );
  }
}

function inWords({ values, parts, said }: Board): string {
  const rows = values.map((row, r) => {
    const cells = row.map((v, c) => `${v.toFixed(2)} (${parts[r][c]} of 4)`);
    return `replica ${r}: ${cells.join(", ")}`;
  });
  return [said, ...rows].join("; ");
}

/** Draw the interaction; returns a function that ends it. */
export function renderReplicaBoard(model: Model, el: HTMLElement): () => void {
  const board = new ReplicaBoard(model, el);
  return () => board.end();
}

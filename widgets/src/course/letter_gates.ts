/**
 * An LSTM that reads a word: the reader types it, and sees every gate and state after
 * every letter, and what the network would answer if the word ended there.
 *
 * The Python half is `edutorch/course/interactions/letter_gates.py`, with the same
 * numbers.
 */
import { attr, button, html, refill, setText, svg } from "../dom";
import { Lifetime, type Model } from "../model";

/** Sent by the kernel: the weights of a trained network, and what to show first. */
export interface Network {
  w_x: number[][];
  w_h: number[][];
  b: number[];
  /** from the last h to the scores */
  w: number[][];
  bias: number[];
  alphabet: string;
  classes: string[];
  word: string;
  unit: number;
}

/** The state of the network after one letter. */
export interface Step {
  letter: string;
  /** for i, f, g, o, c and h, the values of all units */
  parts: Record<Part, number[]>;
  /** the cell state before the letter */
  before: number[];
  /** class probabilities if the word ended here */
  shares: number[];
}

const PARTS = {
  i: "input gate",
  f: "forget gate",
  g: "candidate",
  o: "output gate",
  c: "cell state",
  h: "output",
};
type Part = keyof typeof PARTS;
const NAMES = Object.keys(PARTS) as Part[];
/** the number of letters that are read */
const LONGEST = 24;

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const dot = (a: number[], b: number[]) => a.reduce((sum, v, k) => sum + v * b[k], 0);

/** Run the LSTM over the letters of a word that are in its alphabet. */
export function read(net: Network, word: string): Step[] {
  const units = net.w_h[0].length;
  let h = new Array<number>(units).fill(0);
  let c = h;
  return known(net.alphabet, word).map((letter) => {
    const place = net.alphabet.indexOf(letter);
    const sums = net.w_x.map((row, k) => row[place] + dot(net.w_h[k], h) + net.b[k]);
    const quarter = (k: number) => sums.slice(k * units, (k + 1) * units);
    const [i, f, o] = [0, 1, 3].map((k) => quarter(k).map(sigmoid));
    const g = quarter(2).map(Math.tanh);
    const before = c;
    c = before.map((old, k) => f[k] * old + i[k] * g[k]);
    h = c.map((value, k) => o[k] * Math.tanh(value));
    const scores = net.w.map((row, k) => dot(row, h) + net.bias[k]);
    const most = Math.max(...scores);
    const raised = scores.map((score) => Math.exp(score - most));
    const total = raised.reduce((a, b) => a + b, 0);
    const shares = raised.map((value) => value / total);
    return { letter, parts: { i, f, g, o, c, h }, before, shares };
  });
}

function known(alphabet: string, word: string): string[] {
  const letters = [...word.toLowerCase()].filter((c) => alphabet.includes(c));
  return letters.slice(0, LONGEST);
}

const signed = (value: number) => {
  const text = value.toFixed(2);
  return text.startsWith("-") ? `(${text})` : text;
};

/** The formula of the cell with the numbers of one unit. */
export function formula({ parts, before }: Step, unit: number): string {
  const [i, f, g, o, c, h] = NAMES.map((name) => parts[name][unit]);
  return (
    `c = f · c + i · g = ${f.toFixed(2)} · ${signed(before[unit])} + ` +
    `${i.toFixed(2)} · ${signed(g)} = ${c.toFixed(2)}; ` +
    `h = o · tanh(c) = ${o.toFixed(2)} · ${signed(Math.tanh(c))} = ${h.toFixed(2)}`
  );
}

/** The network's output after letter `at`: the two most likely classes. */
export function answer(steps: Step[], at: number, classes: string[]): string {
  const { shares } = steps[at];
  const order = shares.map((_, k) => k).sort((a, b) => shares[b] - shares[a]);
  const said = order
    .slice(0, 2)
    .map((k) => `${classes[k]} ${Math.floor(100 * shares[k] + 0.5)}%`);
  const letters = steps.slice(0, at + 1).map(({ letter }) => letter);
  return `after “${letters.join("")}”: ${said.join(", ")}`;
}

/** sizes in the picture: labels, a column, a row, and a row in the map of all units */
const LEFT = 104;
const WIDE = 32;
const ROW = 21;
const THIN = 11;
const TOP = 40;

const NOTE =
  "Blue is positive, orange negative. Click a cell, or use the arrow keys in the " +
  "picture: left and right for the letter, up and down for the unit.";

const STYLE = `
.elg-controls { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 18px; padding: 10px 12px 6px; }
.edutorch .elg-controls input { font: inherit; font-size: 14px; width: 16em; max-width: 60vw; padding: 3px 8px; color: var(--edt-text);
  background: var(--edt-box); border: 1px solid var(--edt-border); border-radius: 7px; }
.elg-controls output { font-variant-numeric: tabular-nums; }
.elg-scroll { overflow-x: auto; padding: 0 12px; }
.elg-scroll svg { display: block; }
.elg-scroll text { fill: var(--edt-text); font-size: 12px; }
.elg-scroll .elg-muted { fill: var(--edt-muted); }
.elg-scroll .elg-letter { font-size: 16px; font-weight: 600; }
.elg-scroll .elg-number { font-size: 11px; text-anchor: middle; font-variant-numeric: tabular-nums; }
.elg-box { fill: var(--edt-box); stroke: var(--edt-border); }
.elg-way { stroke: var(--edt-line); }
.elg-plus { fill: var(--edt-linear); }
.elg-minus { fill: var(--edt-grad); }
.elg-cell { stroke: var(--edt-grid); cursor: pointer; }
.elg-chosen { fill: none; stroke: var(--edt-accent); stroke-width: 2; pointer-events: none; }
.edutorch .elg-said { margin: 6px 12px; min-height: 40px; font-size: 13.5px; font-variant-numeric: tabular-nums; }
.elg-said span { display: block; }
.edutorch .elg-note { margin: 0 12px 6px; color: var(--edt-muted); font-size: 12px; }
.edutorch .elg-table { margin: 4px 12px 10px; overflow-x: auto; }
.elg-table summary { cursor: pointer; color: var(--edt-muted); font-size: 12px; }
.edutorch .elg-table table { width: auto; }
.edutorch .elg-table :is(th, td) { padding: 1px 14px 1px 0; font-variant-numeric: tabular-nums; }
`;

class LetterGates {
  private readonly life = new Lifetime();
  private readonly net: Network;
  private steps: Step[] = [];
  private unit: number;
  private at = 0;
  private readonly input = html("input", {
    type: "text",
    spellcheck: "false",
    autocomplete: "off",
    maxlength: 40,
    "data-testid": "word",
  });
  private readonly shownUnit = html("output", { "data-testid": "unit" });
  private readonly drawing = svg("svg", { tabindex: 0, role: "application" });
  private readonly said = html("p", {
    class: "elg-said",
    role: "status",
    "data-testid": "said",
  });
  private readonly head = html("caption");
  private readonly rows = html("tbody", { "data-testid": "rows" });
  private readonly redraw = this.life.perFrame(() => this.draw());

  constructor(model: Model, root: HTMLElement) {
    this.net = model.get("data") as Network;
    this.unit = this.net.unit;
    this.input.value = this.net.word;
    attr(this.drawing, {
      "aria-label": "Letters and units. Arrow keys choose a letter and a unit.",
      "data-testid": "picture",
    });
    const style = html("style");
    style.textContent = STYLE;
    root.append(
      style,
      this.controls(),
      html("div", { class: "elg-scroll" }, this.drawing),
      this.said,
      html("p", { class: "elg-note" }, NOTE),
      this.table(),
    );
    this.life.listen(this.input, "input", () => this.type());
    this.life.listen(this.drawing, "keydown", (event) => this.key(event));
    this.type();
  }

  end(): void {
    this.life.end();
  }

  private controls(): HTMLElement {
    const unit = html("span", { class: "edt-group", role: "group" });
    for (const [face, label, move] of [
      ["▲", "The unit above", -1],
      ["▼", "The unit below", 1],
    ] as const) {
      const made = button(face, label, { "data-testid": move < 0 ? "up" : "down" });
      this.life.listen(made, "click", () => this.choose(this.at, this.unit + move));
      unit.append(made);
    }
    return html(
      "div",
      { class: "elg-controls" },
      html("label", {}, "word ", this.input),
      html("span", {}, "unit ", this.shownUnit, " ", unit),
    );
  }

  private table(): HTMLElement {
    const head = ["letter", ...NAMES, "answer"].map((name) =>
      html("th", { scope: "col" }, name),
    );
    const table = html("table", {}, this.head);
    table.append(html("thead", {}, html("tr", {}, ...head)), this.rows);
    const summary = html("summary", {}, "The unit's numbers as a table");
    return html("details", { class: "elg-table" }, summary, table);
  }

  private get units(): number {
    return this.net.w_h[0].length;
  }

  /** Set another word, which is read to its end. */
  private type(): void {
    this.steps = read(this.net, this.input.value);
    this.choose(this.steps.length - 1, this.unit);
  }

  private choose(at: number, unit: number): void {
    this.at = Math.max(0, Math.min(this.steps.length - 1, at));
    this.unit = Math.max(0, Math.min(this.units - 1, unit));
    this.redraw();
  }

  private key(event: KeyboardEvent): void {
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [this.at - 1, this.unit],
      ArrowRight: [this.at + 1, this.unit],
      ArrowUp: [this.at, this.unit - 1],
      ArrowDown: [this.at, this.unit + 1],
      Home: [0, this.unit],
      End: [this.steps.length - 1, this.unit],
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    this.choose(...move);
  }

  // ---- drawing

  private draw(): void {
    const { classes } = this.net;
    setText(this.shownUnit, `${this.unit} of ${this.units}`);
    const map = TOP + 10;
    const parts = map + this.units * THIN + 16;
    const answers = parts + NAMES.length * ROW + 16;
    const width = LEFT + WIDE * Math.max(this.steps.length, 7) + 4;
    const height = answers + classes.length * ROW + 4;
    attr(this.drawing, { viewBox: `0 0 ${width} ${height}`, width, height });
    const shapes = [
      ...this.letters(),
      label(map + 11, "c of all units", true),
      ...this.map(map),
      ...this.parts(parts),
      ...this.answers(answers),
      ...this.frames(map, height),
    ];
    // new cells each time: they carry listeners
    this.drawing.replaceChildren(...shapes);
    this.say();
  }

  /** The letters in boxes, and the states passed from each to the next. */
  private letters(): SVGElement[] {
    return this.steps.flatMap(({ letter }, at) => {
      const x = LEFT + WIDE * at;
      const box = { x: x + 4, y: 8, width: WIDE - 9, height: 26, rx: 5 };
      const text = svg(
        "text",
        { x: x + WIDE / 2, y: 26, "text-anchor": "middle", class: "elg-letter" },
        letter === " " ? "␣" : letter,
      );
      const way = { x1: x - 5, x2: x + 4, y1: 21, y2: 21, class: "elg-way" };
      const shapes = [svg("rect", { ...box, class: "elg-box" }), text];
      return at === 0 ? shapes : [...shapes, svg("line", way)];
    });
  }

  private map(top: number): SVGElement[] {
    return this.steps.flatMap(({ parts }, at) =>
      parts.c.map((value, unit) =>
        this.cell(at, top + unit * THIN, THIN, Math.tanh(value), unit),
      ),
    );
  }

  /** The six parts of the chosen unit, with their values. */
  private parts(top: number): SVGElement[] {
    return NAMES.flatMap((name, row) => {
      const y = top + row * ROW;
      const cells = this.steps.flatMap(({ parts }, at) => {
        const value = parts[name][this.unit];
        const shade = name === "c" ? Math.tanh(value) : value;
        return [this.cell(at, y, ROW, shade), digits(at, y, value.toFixed(2))];
      });
      return [label(y + 15, `${name} ${PARTS[name]}`), ...cells];
    });
  }

  private answers(top: number): SVGElement[] {
    return this.net.classes.flatMap((name, row) => {
      const y = top + row * ROW;
      const cells = this.steps.flatMap(({ shares }, at) => {
        const share = shares[row];
        const text = share >= 0.095 ? String(Math.floor(100 * share + 0.5)) : "";
        return [this.cell(at, y, ROW, share), digits(at, y, text)];
      });
      return [label(y + 15, name), ...cells];
    });
  }

  /** Mark the chosen column and, in the map, the chosen row. */
  private frames(map: number, height: number): SVGElement[] {
    if (this.steps.length === 0) return [];
    const x = LEFT + WIDE * this.at - 1;
    const y = map + this.unit * THIN - 1;
    const wide = WIDE * this.steps.length + 1;
    const column = { x, y: 4, width: WIDE + 1, height: height - 6, rx: 4 };
    const row = { x: LEFT - 1, y, width: wide, height: THIN + 1 };
    return [column, row].map((box) => svg("rect", { ...box, class: "elg-chosen" }));
  }

  private cell(at: number, y: number, high: number, value: number, unit = this.unit) {
    const made = svg("rect", {
      x: LEFT + WIDE * at,
      y,
      width: WIDE - 1,
      height: high - 1,
      class: `elg-cell ${value < 0 ? "elg-minus" : "elg-plus"}`,
      "fill-opacity": (
        (high === THIN ? 0.9 : 0.6) * Math.min(1, Math.abs(value))
      ).toFixed(3),
    });
    made.addEventListener("click", () => this.choose(at, unit));
    return made;
  }

  private say(): void {
    const { classes } = this.net;
    setText(this.head, `Unit ${this.unit}`);
    if (this.steps.length === 0) {
      this.said.replaceChildren("Type a word in small Latin letters.");
      this.rows.replaceChildren();
      return;
    }
    const said = answer(this.steps, this.at, classes);
    this.said.replaceChildren(
      html("strong", {}, `${said[0].toUpperCase()}${said.slice(1)}`),
      html("span", {}, formula(this.steps[this.at], this.unit)),
    );
    const rows = this.steps.map(({ letter, parts }, at) => {
      const numbers = NAMES.map((name) => parts[name][this.unit].toFixed(2));
      const cells = [...numbers, answer(this.steps, at, classes)].map((text) =>
        html("td", {}, text),
      );
      const current = at === this.at ? "true" : null;
      return html(
        "tr",
        { "aria-current": current },
        html("th", { scope: "row" }, letter),
        ...cells,
      );
    });
    refill(this.rows, ...rows);
  }
}

function label(y: number, text: string, muted = false): SVGElement {
  return svg("text", { x: 0, y, class: muted && "elg-muted" }, text);
}

function digits(at: number, y: number, text: string): SVGElement {
  const place = { x: LEFT + WIDE * at + WIDE / 2 - 0.5, y: y + 14.5 };
  return svg("text", { ...place, class: "elg-number", "pointer-events": "none" }, text);
}

export function renderLetterGates(model: Model, el: HTMLElement): () => void {
  const made = new LetterGates(model, el);
  return () => made.end();
}

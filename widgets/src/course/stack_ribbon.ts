/**
 * Lines of forward beside nodes of backward: ribbons show which line made which node. The
 * reader chooses a program, moves x, goes from step to step, and sees who is on the call
 * stack meanwhile: in backward the line that made a node is not.
 *
 * The Python half is `edutorch/course/interactions/stack_ribbon.py`.
 */
import { attr, html, refill, setText, svg } from "../dom";
import { number } from "../format";
import { Lifetime, type Model } from "../model";
import { innerWidth, USUAL_WIDTH } from "./chart_width";
import { stepButtons } from "./controls";
import { anomaly, PROGRAMS, type Program, run, type Step } from "./ribbon_steps";

/** sizes in pixels; the board is as wide as its container */
const NARROWEST = 330;
const WIDEST = 620;
const ROW = 36;
const TOP = 24;
const BOX = 116;
const BOX_HIGH = 32;
/** where the code ends, and the width of a letter */
const LETTER = 6.7;
const NUMBERS = 20;
const COLOURS = ["linear", "pointwise", "activation", "module"];

const STYLE = `
.esr-controls { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 16px; padding: 10px 12px 4px; }
.esr-controls label { display: flex; flex: 1 1 220px; align-items: center; gap: 8px; white-space: nowrap; }
.esr-controls label:first-child { flex: 0 0 auto; }
.esr-controls input { flex: 1; min-width: 60px; accent-color: var(--edt-accent); }
.esr-controls output { min-width: 54px; font-variant-numeric: tabular-nums; }
.edutorch .esr-words { margin: 6px 12px 0; min-height: 40px; font-size: 14px; font-weight: 600; overflow-wrap: anywhere; }
.edutorch .esr-anomaly { margin: 0 12px 6px; min-height: 36px; font-size: 12.5px; color: var(--edt-muted); }
.esr-body { display: flex; flex-wrap: wrap; gap: 8px 20px; padding: 0 12px; }
.esr-board { display: block; flex: none; }
.esr-board:focus-visible { outline: 2px solid var(--edt-accent); }
.esr-board text { fill: var(--edt-text); font-size: 11px; }
.esr-board .esr-code { font: 11px var(--jp-code-font-family, Menlo, Consolas, "DejaVu Sans Mono", monospace); white-space: pre; }
.esr-board .esr-small { fill: var(--edt-muted); font-size: 11px; font-variant-numeric: tabular-nums; }
.esr-board .esr-bad { fill: var(--edt-bad); font-weight: 600; }
.esr-row { fill: color-mix(in srgb, var(--edt-accent) 18%, transparent); }
.esr-box { fill: var(--edt-box); stroke: var(--edt-border); }
.esr-box.esr-alarm { fill: color-mix(in srgb, var(--edt-bad) 14%, transparent); stroke: var(--edt-bad); }
.esr-box.esr-now { stroke: var(--edt-accent); stroke-width: 2.5; }
.esr-ribbon { fill: none; stroke-width: 7; stroke-opacity: .28; }
.esr-ribbon.esr-now { stroke-opacity: .9; }
.esr-ribbon.esr-alarm { stroke: var(--edt-bad); stroke-dasharray: 7 3; }
.esr-stack { flex: 1 1 230px; min-width: 0; }
.edutorch .esr-stack h4 { margin: 4px 0 2px; font-size: 12px; font-weight: 600; color: var(--edt-muted); }
.edutorch .esr-stack ol { margin: 0; padding: 0; list-style: none; min-height: 84px; }
.edutorch .esr-stack li { margin: 0 0 3px; padding: 3px 8px; font: 11.5px var(--jp-code-font-family, Menlo, Consolas, "DejaVu Sans Mono", monospace);
  border: 1px solid var(--edt-border); border-radius: 4px; background: var(--edt-panel); overflow-wrap: anywhere; }
.edutorch .esr-stack li:last-child { border-color: var(--edt-accent); }
.edutorch .esr-note { margin: 4px 0; color: var(--edt-muted); font-size: 12px; }
.edutorch .esr-table { margin: 6px 12px 10px; }
.esr-table summary { cursor: pointer; color: var(--edt-muted); font-size: 12px; }
.edutorch .esr-table table { width: 100%; }
.edutorch .esr-table :is(th, td) { padding: 2px 10px 2px 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; white-space: normal; }
.edutorch .esr-table :is(th, td):first-child { overflow-wrap: normal; }
`;

interface State {
  program: string;
  x: number;
}

class StackRibbon {
  private readonly life = new Lifetime();
  private readonly state: State;
  private at = 0;
  private wide = USUAL_WIDTH;
  private steps: Step[] = [];
  private readonly program = html(
    "select",
    { "data-testid": "program" },
    ...Object.entries(PROGRAMS).map(([value, { title }]) =>
      html("option", { value }, title),
    ),
  );
  private readonly x = html("input", { type: "range", min: 0, "data-testid": "x" });
  private readonly xSaid = html("output");
  private readonly step = html("input", {
    type: "range",
    min: 0,
    "data-testid": "step",
  });
  private readonly stepSaid = html("output");
  private readonly words = html("p", {
    class: "esr-words",
    role: "status",
    "data-testid": "words",
  });
  private readonly report = html("p", {
    class: "esr-anomaly",
    "aria-live": "polite",
    "data-testid": "anomaly",
  });
  private readonly board = svg("svg", {
    class: "esr-board",
    tabindex: 0,
    role: "img",
    "data-testid": "board",
    "aria-label":
      "Lines of forward, nodes of backward, and ribbons between. Arrow keys go from " +
      "step to step; the table below says the same.",
  });
  private readonly stack = html("ol", {
    "data-testid": "stack",
    "aria-live": "polite",
  });
  private readonly note = html("p", { class: "esr-note", "data-testid": "note" });
  private readonly rows = html("tbody", { "data-testid": "rows" });
  private readonly redraw = this.life.perFrame(() => this.draw());

  constructor(model: Model, root: HTMLElement) {
    this.state = structuredClone(model.get("data") as State);
    const style = html("style");
    style.textContent = STYLE;
    const side = html("div", { class: "esr-stack" });
    side.append(html("h4", {}, "on the call stack"), this.stack, this.note);
    const body = html("div", { class: "esr-body" });
    body.append(this.board, side);
    root.append(style, this.controls(), this.words, this.report, body, this.table());
    this.listen();
    this.life.onAppearance(root, () => this.fit(root));
    this.fit(root);
  }

  end(): void {
    this.life.end();
  }

  private fit(root: HTMLElement): void {
    const place = innerWidth(root);
    const beside = place > WIDEST ? place - 270 : place;
    this.wide = Math.min(WIDEST, Math.max(NARROWEST, beside));
    this.draw();
  }

  private controls(): HTMLElement {
    const group = stepButtons(this.life, ["One step back", "One step forward"], (by) =>
      this.go(this.at + by),
    );
    return html(
      "div",
      { class: "esr-controls" },
      html("label", {}, "program ", this.program),
      html("label", {}, "x ", this.x, this.xSaid),
      group,
      html("label", {}, "step ", this.step, this.stepSaid),
    );
  }

  private table(): HTMLElement {
    const names = ["step", "what happens", "on the call stack"];
    const head = names.map((name) => html("th", { scope: "col" }, name));
    const table = html("table", {}, html("thead", {}, html("tr", {}, ...head)));
    table.append(this.rows);
    const summary = html("summary", {}, "All steps as a table");
    return html("details", { class: "esr-table" }, summary, table);
  }

  private listen(): void {
    this.life.listen(this.program, "change", () => {
      this.state.program = this.program.value;
      const { places } = PROGRAMS[this.state.program];
      if (!places.includes(this.state.x)) this.state.x = 1;
      this.go(0);
    });
    this.life.listen(this.x, "input", () => {
      this.state.x = PROGRAMS[this.state.program].places[Number(this.x.value)];
      this.redraw();
    });
    this.life.listen(this.step, "input", () => this.go(Number(this.step.value)));
    this.life.listen(this.board, "keydown", (event) => {
      const last = this.steps.length - 1;
      const to = {
        ArrowRight: this.at + 1,
        ArrowDown: this.at + 1,
        ArrowLeft: this.at - 1,
        ArrowUp: this.at - 1,
        Home: 0,
        End: last,
      }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.go(to);
    });
  }

  private go(to: number): void {
    const last = run(this.state.program, this.state.x).length - 1;
    this.at = Math.max(0, Math.min(to, last));
    this.redraw();
  }

  private draw(): void {
    const { program: name, x } = this.state;
    const program = PROGRAMS[name];
    this.steps = run(name, x);
    const step = this.steps[this.at];
    this.program.value = name;
    show(
      this.x,
      this.xSaid,
      program.places.indexOf(x),
      program.places.length,
      number(x),
    );
    const said = `${this.at + 1} of ${this.steps.length}`;
    show(this.step, this.stepSaid, this.at, this.steps.length, said);
    setText(this.words, step.words);
    setText(this.report, anomaly(name, x));
    refill(this.stack, ...step.stack.map((frame) => html("li", {}, frame)));
    setText(this.note, noteOf(program, step));
    refill(this.rows, ...this.steps.map(rowOf));
    this.drawBoard(program, step);
  }

  private drawBoard(program: Program, now: Step): void {
    const high = TOP + ROW * program.lines.length + 4;
    attr(this.board, { width: this.wide, height: high });
    const done = this.steps.slice(0, this.at + 1);
    const left = this.wide - BOX - 2;
    const heads = [
      svg("text", { x: NUMBERS, y: 13, class: "esr-small" }, "forward ↓"),
      svg("text", { x: left, y: 13, class: "esr-small" }, "backward ↑"),
    ];
    const running = lineOf(program, now);
    const rows = program.lines.flatMap((line, i) =>
      rowNodes(program, line, i + 1, running === i + 1, done),
    );
    const nodes = this.steps
      .filter((s) => s.backward)
      .flatMap((s) => nodeNodes(program, s, now, done.includes(s), left));
    const ribbons = nodes.filter((node) => node.nodeName === "path");
    const boxes = nodes.filter((node) => node.nodeName !== "path");
    refill(this.board, ...heads, ...ribbons, ...rows, ...boxes);
  }
}

/** The line of the program that is on the stack, innermost. */
function lineOf(program: Program, step: Step): number {
  return step.backward ? program.lines.length : program.made[step.made].line;
}

function noteOf(program: Program, step: Step): string {
  if (!step.backward) return "The line that runs is on the stack.";
  if (step.made < 0) return "";
  const { line } = program.made[step.made];
  return `Line ${line}, which made this node, is not on the stack: it returned long ago.`;
}

function rowNodes(
  program: Program,
  line: string,
  at: number,
  running: boolean,
  done: Step[],
): Node[] {
  const y = TOP + ROW * (at - 1) + 14;
  const code = line.trim();
  if (!code) return [];
  const indent = LETTER * (line.length - line.trimStart().length);
  const made: Node[] = [];
  if (running) {
    const wide = indent + LETTER * code.length + 8;
    const place = { x: NUMBERS - 4, y: y - 13, width: wide, height: 18, rx: 3 };
    made.push(svg("rect", { ...place, class: "esr-row" }));
  }
  made.push(
    svg("text", { x: 2, y, class: "esr-small" }, String(at)),
    svg("text", { x: NUMBERS + indent, y, class: "esr-code" }, code),
  );
  const values = done
    .filter((s) => !s.backward && program.made[s.made].line === at)
    .map((s) => s.values[0]);
  if (values.length === 0) return made;
  const kind = values.every(Number.isFinite) ? "esr-small" : "esr-small esr-bad";
  const place = { x: NUMBERS + indent, y: y + 14, class: kind };
  made.push(svg("text", place, `= ${values.map(number).join(", ")}`));
  return made;
}

function nodeNodes(
  program: Program,
  step: Step,
  now: Step,
  reached: boolean,
  left: number,
): Node[] {
  const room = ROW * program.lines.length - BOX_HIGH;
  const top = TOP + (room * (step.made + 1)) / program.made.length;
  const chosen = step.made === now.made ? "esr-now" : "";
  const fine = !reached || [step.arrived ?? 0, ...step.values].every(Number.isFinite);
  const look = `esr-box ${chosen} ${fine ? "" : "esr-alarm"}`;
  const box = { x: left, y: top, width: BOX, height: BOX_HIGH, rx: 4, class: look };
  const made: Node[] = [
    ...ribbonOf(program, step, chosen, reached, [left, top + BOX_HIGH / 2]),
    svg("rect", { ...box, "data-node": step.made }),
    svg("text", { x: left + 6, y: top + 13 }, step.node),
  ];
  if (!reached) return made;
  const leaves = step.values.map(number).join(", ");
  const flow = `${number(step.arrived)}${leaves ? ` → ${leaves}` : ""}`;
  const kind = `esr-small ${fine ? "" : "esr-bad"}`;
  made.push(svg("text", { x: left + 6, y: top + 26, class: kind }, flow));
  return made;
}

/** From a line to the node it recorded; none leads to x. */
function ribbonOf(
  program: Program,
  step: Step,
  chosen: string,
  reached: boolean,
  to: [number, number],
): Node[] {
  if (step.made < 0) return [];
  const { line } = program.made[step.made];
  const code = program.lines[line - 1];
  const from = [NUMBERS + LETTER * code.length + 8, TOP + ROW * (line - 1) + 10];
  const middle = (from[0] + to[0]) / 2;
  const d = `M${from} C${middle},${from[1]} ${middle},${to[1]} ${to}`;
  const bad = reached && !step.values.every(Number.isFinite);
  const stroke = bad ? null : `var(--edt-${COLOURS[step.made]})`;
  const kind = `esr-ribbon ${chosen} ${bad ? "esr-alarm" : ""}`;
  return [svg("path", { d, class: kind, stroke, "data-made": step.made })];
}

function rowOf(step: Step, i: number): HTMLElement {
  const cells = [String(i + 1), step.words, step.stack.join(" > ")];
  return html("tr", {}, ...cells.map((text) => html("td", {}, text)));
}

function show(
  input: HTMLInputElement,
  output: HTMLElement,
  value: number,
  count: number,
  said: string,
): void {
  attr(input, { max: count - 1, "aria-valuetext": said });
  input.value = String(value);
  setText(output, said);
}

export function renderStackRibbon(model: Model, el: HTMLElement): () => void {
  const made = new StackRibbon(model, el);
  return () => made.end();
}

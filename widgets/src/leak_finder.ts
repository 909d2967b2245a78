/**
 * LeakFinder: why is this tensor, or this graph, still alive?
 *
 * The Python half is `edutorch/widgets/leak_finder.py`. Synced traits: `data`, `frozen`,
 * `status`, and `ask`: a line and how often the page has asked. Charts of what survives,
 * a list of lines, and the paths that keep things alive.
 */
import { availableWidth, moved, type Plot, pointer } from "./chart";
import { attr, button, consume, html, refill, setText, svg } from "./dom";
import { plural } from "./format";
import { amount, DRAWN, drawChart, look, MEASURES, plots, xOf } from "./leak_chart";
import { holderWords, lineOf, lookedWords, placeOf, rowWords } from "./leak_text";
import type { LeakAnswer, LeakCause, LeakData, LeakPath, LeakRow } from "./leak_types";
import type { Model } from "./model";
import { readout, Shell } from "./shell";

const EMPTY: LeakData = {
  v: 1,
  rev: 0,
  title: "",
  step: 0,
  steps: [],
  bytes: [],
  nodes: [],
  lines: [],
  left_out: 0,
  answers: [],
  seconds: 0,
};
const WAITS = "The kernel is busy. The search starts when the running cell ends.";

let numbers = 0;

class LeakFinder {
  private readonly shell: Shell;
  private readonly verdict = html("p", { class: "edt-verdict", role: "status" });
  private readonly chart = html("div", {
    class: "edt-chart",
    tabindex: 0,
    role: "application",
    "aria-label":
      "Surviving memory by step. Left and right arrow keys move in time, up and down from bytes to graph nodes.",
  });
  private readonly readout = readout();
  private readonly list = html("ul", {
    class: "edt-lines",
    role: "listbox",
    tabindex: 0,
    "aria-label":
      "Lines. Arrow keys choose one, Enter finds the references to its tensors.",
  });
  private readonly why = button(
    "Find references",
    "Find the references that keep this line's tensors alive",
  );
  private readonly remark = html("p", { class: "edt-muted edt-hint", role: "status" });
  private readonly answers = html("div", { class: "edt-answers" });
  private readonly ids = `edt-leak-${numbers++}`;
  private data = EMPTY;
  private plots: Plot[] = [];
  private cursor = svg("line", { class: "edt-cursor" });
  /** the sample and chart of the reading */
  private at: [number, number] | null = null;
  /** the id of the chosen line: the first until the reader chooses */
  private chosen: number | null = null;
  private byReader = false;
  private asked = 0;
  private waiting: number | null = null;
  /** the answers when the page asked */
  private before = "";

  constructor(
    private readonly model: Model,
    el: HTMLElement,
  ) {
    this.shell = new Shell(model, el, "leaks", "LeakFinder");
    const { life, root, bar } = this.shell;
    bar.append(this.why);
    root.append(this.verdict, this.chart, this.readout, this.list);
    root.append(this.remark, this.answers);
    pointer(
      life,
      this.chart,
      (x, y) => this.point(x - 10, y),
      () => this.read(null),
    );
    life.listen(this.chart, "keydown", (event) => this.keyOfChart(event));
    life.listen(this.list, "keydown", (event) => this.keyOfList(event));
    life.listen(this.list, "click", ({ target }) => {
      const item = target instanceof Element ? target.closest("li") : null;
      if (item) this.choose([...this.list.children].indexOf(item));
    });
    life.listen(this.why, "click", () => this.ask());
    life.onAppearance(this.chart, () => this.draw());
    this.shell.follow(() => this.update());
  }

  dispose(): void {
    this.shell.life.end();
  }

  private update(): void {
    this.data = { ...EMPTY, ...((this.model.get("data") ?? {}) as Partial<LeakData>) };
    const { answers, lines, title, rev, step, steps } = this.data;
    if (this.waiting !== null && keyOf(answers) !== this.before) this.waiting = null;
    this.byReader &&= lines.some(({ id }) => id === this.chosen);
    if (!this.byReader) this.chosen = lines[0]?.id ?? null;
    const leaks = lines.some(({ state }) => state === "leak");
    const words = title || "Nothing recorded yet";
    setText(
      this.verdict,
      (leaks ? "✕ " : "") + words[0].toUpperCase() + words.slice(1),
    );
    attr(this.verdict, { "data-bad": leaks });
    this.listLines();
    this.tellAnswers();
    this.draw();
    this.shell.drawn(rev, plural(step, "step"), steps.at(-1) ?? null);
  }

  // ---- lines

  private listLines(): void {
    const { lines, left_out } = this.data;
    const frozen = this.model.get("frozen") === true;
    refill(this.list, ...lines.map((row, i) => this.item(row, i)));
    const chosen = lines.findIndex(({ id }) => id === this.chosen);
    this.list.hidden = lines.length === 0;
    attr(this.list, { "aria-activedescendant": `${this.ids}-${chosen}` });
    this.why.hidden = frozen || lines.length === 0;
    const hints = left_out > 0 ? [`${left_out} more lines are not shown.`] : [];
    if (this.waiting !== null) hints.push(WAITS);
    else if (frozen && this.data.answers.length > 0)
      hints.push("These paths were found when this was recorded.");
    else if (!frozen && lines.length > 0)
      hints.push(
        `Enter, or “Find references”, searches for at most ${this.data.seconds} s.`,
      );
    setText(this.remark, hints.join(" "));
    this.remark.hidden = hints.length === 0;
  }

  private item(row: LeakRow, i: number): HTMLElement {
    const mark = svg("svg", { width: 26, height: 12, "aria-hidden": "true" });
    if (i < DRAWN)
      mark.append(svg("path", { d: "M0,6H26", "stroke-width": 2.5, ...look(i) }));
    const words = html("div", { "data-state": row.state || null }, rowWords(row));
    const place = html("div", { class: row.src ? "edt-code" : null }, placeOf(row));
    const item = html("li", {
      id: `${this.ids}-${i}`,
      role: "option",
      "aria-selected": String(row.id === this.chosen),
    });
    item.append(mark, html("div", {}, place, words));
    return item;
  }

  private choose(i: number): void {
    this.byReader = true;
    this.chosen = this.data.lines[i]?.id ?? null;
    this.listLines();
    this.tellAnswers();
    this.list.children[i]?.scrollIntoView?.({ block: "nearest" });
  }

  private keyOfList(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { lines } = this.data;
    const at = lines.findIndex(({ id }) => id === this.chosen);
    const to = moved(event.key, [0, at], 1, lines.length);
    if (event.key === "Enter") this.ask();
    else if (event.key === "Home") this.choose(0);
    else if (event.key === "End") this.choose(lines.length - 1);
    else if (to && event.key.length > 7 && to[1] !== at) this.choose(to[1]);
    else if (!to) return;
    consume(event);
  }

  private ask(): void {
    if (this.chosen === null || this.model.get("frozen") === true) return;
    this.waiting = this.chosen;
    this.before = keyOf(this.data.answers);
    this.listLines();
    this.model.set("ask", [this.chosen, ++this.asked]);
    this.model.save_changes();
  }

  // ---- answers

  /** The answer for the chosen line first. */
  private tellAnswers(): void {
    const { answers } = this.data;
    const mine = answers.filter(({ line }) => line !== null && line === this.chosen);
    const others = answers.filter((answer) => !mine.includes(answer));
    refill(this.answers, ...[...mine, ...others].map(tell));
    this.answers.hidden = answers.length === 0;
  }

  // ---- charts

  private draw(): void {
    const { steps } = this.data;
    const blank = steps.length === 0;
    this.chart.hidden = blank;
    this.readout.hidden = blank;
    if (blank) return;
    const width = availableWidth(this.chart);
    const { plots: places, height } = plots(width, (full, rows) =>
      this.shell.chart(full, rows),
    );
    this.plots = places;
    const picture = svg("svg", { width, height, role: "img" });
    attr(picture, { "aria-label": this.data.title });
    for (const [i, what] of MEASURES.entries())
      picture.append(...drawChart(this.data, what, places[i]));
    picture.append(this.cursor);
    this.chart.replaceChildren(picture);
    this.read(this.at);
  }

  private point(x: number, y: number): void {
    const row = this.plots.findIndex(
      ({ left, top, width, height }) =>
        x >= left && x <= left + width && y >= top && y <= top + height + 10,
    );
    const { steps } = this.data;
    if (row < 0) {
      this.read(null);
      return;
    }
    const distance = (i: number) => Math.abs(xOf(this.data, i, this.plots[row]) - x);
    const near = steps.reduce(
      (best, _, i) => (distance(i) < distance(best) ? i : best),
      0,
    );
    this.read([near, row]);
  }

  private keyOfChart(event: KeyboardEvent): void {
    const { steps } = this.data;
    const at = this.at ?? [steps.length, 0];
    const to = event.key === "Escape" ? null : moved(event.key, at, steps.length, 2);
    if (!to && event.key !== "Escape") return;
    consume(event);
    this.read(to);
  }

  /** Mark a step and describe what survives there. */
  private read(at: [number, number] | null): void {
    const { steps, lines } = this.data;
    this.at = at && at[0] < steps.length ? at : null;
    attr(this.cursor, { visibility: this.at ? null : "hidden" });
    if (!this.at) {
      setText(
        this.readout,
        "Hover over a chart or use the arrow keys to see its values.",
      );
      return;
    }
    const [i, row] = this.at;
    const what = MEASURES[row];
    const { top, height } = this.plots[row];
    const x = xOf(this.data, i, this.plots[row]);
    attr(this.cursor, { x1: x, x2: x, y1: top, y2: top + height });
    const parts = lines.slice(0, DRAWN).flatMap((line) => {
      const value = line[`${what}_at`][i] ?? 0;
      const name = line.src ? lineOf(line.src) : line.name;
      return value > 0 ? [`${name} ${amount(value, what)}`] : [];
    });
    const total = `${what === "bytes" ? "bytes" : "graph nodes"} ${amount(this.data[what][i], what)}`;
    setText(this.readout, [`step ${steps[i]}`, total, ...parts].join(" · "));
  }
}

/** A key that changes when an answer arrives. */
function keyOf(answers: LeakAnswer[]): string {
  return JSON.stringify(answers.map((a) => [a.line, a.name, a.objects, a.seconds]));
}

function tell(answer: LeakAnswer): HTMLElement {
  const name = answer.name || placeOf(answer);
  const { cause } = answer;
  const held = holderWords(answer);
  const lost = answer.lost_bytes;
  return html(
    "article",
    { "aria-label": `References to ${name}` },
    html("header", {}, html("b", {}, "References to "), name),
    ...answer.paths.map(pathOf),
    held && html("p", { class: "edt-muted" }, held),
    lost > 0 && html("p", {}, `gc.collect() frees ${amount(lost, "bytes")} of it.`),
    cause &&
      html("p", { class: "edt-cause" }, html("b", {}, `${cause.title}. `), cause.why),
    cause && changeOf(cause),
    cause?.also && html("p", {}, `${cause.also.why}.`),
    cause?.also && changeOf(cause.also),
    html("p", { class: "edt-muted" }, lookedWords(answer)),
  );
}

/** losses → [412] → .grad_fn, each with a description. */
function pathOf(path: LeakPath): HTMLElement {
  const first = { code: path.root || path.words, what: path.what };
  const hops = [first, ...path.hops].map(({ code, what }) =>
    html("li", {}, html("code", {}, code.trim()), html("small", {}, what)),
  );
  const list = html("ol", { class: "edt-path", "aria-label": "Path of references" });
  attr(list, { title: path.words });
  list.append(...hops);
  return list;
}

function changeOf({ src, how, change }: Omit<LeakCause, "kind" | "title" | "also">) {
  if (!change && !src) return null;
  const old =
    src && html("div", {}, html("span", {}, lineOf(src)), html("code", {}, src.text));
  const next = html(
    "div",
    { "data-new": true },
    html("span", {}, how),
    html("code", {}, change),
  );
  return html("div", { class: "edt-change" }, old, change !== "" && next);
}

/** Draw a LeakFinder into `el`; returns a function that removes it. */
export function renderLeaks(model: Model, el: HTMLElement): () => void {
  const view = new LeakFinder(model, el);
  return () => view.dispose();
}

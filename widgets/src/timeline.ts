/**
 * Timeline: where does the time go?
 *
 * The Python half is `edutorch/widgets/timeline.py`. Synced traits: `data`, `frozen`,
 * `status`. An overview strip, the bars of the selected window, and totals below.
 */
import { attr, button, consume, html, setText } from "./dom";
import { duration } from "./format";
import type { Model } from "./model";
import { readout, Shell } from "./shell";
import { coloursOf } from "./theme";
import { PAN, WHEEL, ZOOM } from "./time_axis";
import { Bars, EMPTY } from "./timeline_bars";
import {
  AXIS,
  Painter,
  paintOverview,
  prepare,
  ROW,
  rowTops,
  type Window,
} from "./timeline_canvas";
import { legendOf } from "./timeline_legend";
import { TotalsTable } from "./timeline_table";
import { barText, gapText, notes, stepText, whereText } from "./timeline_text";
import type { TimelineData } from "./timeline_types";

const HINT =
  "Arrow keys go from bar to bar, Enter zooms to one, + and − zoom, 0 shows all.";
const OVERVIEW = 32;
/** nanoseconds */
const NEAREST = 1000;
/** pixels around a thin bar that count as on it */
const SLACK = 3;
/** pixels that the pointer may move during a click */
const STILL = 4;

class Timeline {
  private readonly shell: Shell;
  private readonly empty = html(
    "p",
    { class: "edt-empty" },
    "Nothing recorded yet. Bars appear as soon as something is computed.",
  );
  private readonly search = html("input", {
    class: "edt-search",
    type: "search",
    placeholder: "Search  /",
    "aria-label": "Search bars by name",
  });
  private readonly count = html("span", { class: "edt-info", "aria-live": "polite" });
  private readonly strip = html("canvas", {
    class: "edt-strip-all",
    "aria-hidden": "true",
  });
  private readonly canvas = html("canvas");
  private readonly stage = html(
    "div",
    { class: "edt-bars", tabindex: 0, role: "application" },
    this.canvas,
  );
  private readonly readout = readout();
  private readonly keys = html("ul", { class: "edt-keys" });
  private readonly table: TotalsTable;
  private bars = new Bars(EMPTY);
  private window: Window = { low: 0, high: 1 };
  /** the reader has chosen the window: new data do not move it */
  private chosen = false;
  private selected = -1;
  private found: number[] | null = null;
  private tops: number[] = [];
  private readonly repaint: () => void;

  constructor(
    private readonly model: Model,
    el: HTMLElement,
  ) {
    this.shell = new Shell(model, el, "timeline", "Timeline");
    const { life, root, bar } = this.shell;
    this.repaint = life.perFrame(() => this.paint());
    this.table = new TotalsTable(
      life,
      () => this.drawTable(),
      (name) => {
        this.search.value = name;
        this.find();
        this.nextFound();
      },
    );
    bar.append(this.tools());
    root.append(this.empty, this.strip, this.stage, this.readout, this.keys);
    root.append(this.table.element);
    life.listen(this.stage, "keydown", (event) => this.key(event));
    life.listen(this.stage, "wheel", (event) => this.wheel(event), { passive: false });
    life.listen(this.search, "input", () => this.find());
    life.listen(this.search, "keydown", ({ key }) => {
      if (key === "Enter") this.nextFound();
    });
    this.listenToPointer();
    life.onAppearance(this.stage, () => {
      this.paint();
      this.drawKeys();
    });
    this.shell.follow(() => this.update());
  }

  dispose(): void {
    this.shell.life.end();
  }

  private tools(): HTMLElement {
    const tool = (face: string, label: string, act: () => void) => {
      const made = button(face, label);
      this.shell.life.listen(made, "click", act);
      return made;
    };
    const zoom = html("span", {
      class: "edt-group",
      role: "group",
      "aria-label": "Zoom",
    });
    zoom.append(
      tool("−", "Zoom out (−)", () => this.zoom(ZOOM)),
      tool("+", "Zoom in (+)", () => this.zoom(1 / ZOOM)),
      tool("Step", "Show the last whole step (S)", () => this.showStep()),
      tool("All", "Show everything (0)", () => this.showAll()),
    );
    const find = html("span", { class: "edt-find" }, this.search, this.count);
    return html("span", { class: "edt-tools" }, find, zoom);
  }

  // ---- new data

  private update(): void {
    const sent = (this.model.get("data") ?? {}) as Partial<TimelineData>;
    const before = this.bars;
    this.bars = new Bars({ ...EMPTY, ...sent });
    this.keepPlace(before);
    const { data } = this.bars;
    const blank = this.bars.n === 0;
    this.empty.hidden = !blank;
    for (const part of [
      this.strip,
      this.stage,
      this.readout,
      this.keys,
      this.table.element,
    ])
      part.hidden = blank;
    if (!blank) {
      this.find();
      this.drawKeys();
      this.moved();
      if (!this.readout.textContent) setText(this.readout, HINT);
    }
    const info = `${stepText(this.bars)}, ${duration(data.total / 1e3)}`;
    this.shell.drawn(
      data.rev,
      [info, notes(data)].filter(Boolean).join("; "),
      data.step,
    );
  }

  /** Keep the window and the selected bar in place in time. */
  private keepPlace(before: Bars): void {
    const { origin, total } = this.bars.data;
    const shift = before.n ? before.data.origin - origin : 0;
    if (this.selected >= 0) {
      const start = before.data.bars.start[this.selected] + shift;
      const name = before.name(this.selected);
      const { bars } = this.bars.data;
      this.selected = bars.start.findIndex(
        (s, i) => s === start && this.bars.name(i) === name,
      );
    }
    if (!this.chosen) {
      this.openStep();
      return;
    }
    const length = Math.min(this.window.high - this.window.low, total);
    const low = Math.max(0, Math.min(this.window.low + shift, total - length));
    this.window = { low, high: low + length };
  }

  private openStep(): void {
    const step = this.bars.lastStep();
    const { start, dur } = this.bars.data.bars;
    this.window =
      step >= 0 && dur[step] > 0
        ? { low: start[step], high: this.bars.end(step) }
        : { low: 0, high: Math.max(1, this.bars.data.total) };
  }

  // ---- the window

  private show(low: number, high: number): void {
    const { total } = this.bars.data;
    const length = Math.max(Math.min(NEAREST, total), Math.min(high - low, total), 1);
    const from = Math.max(0, Math.min(low, total - length));
    this.window = { low: from, high: from + length };
    this.chosen = true;
    this.moved();
  }

  private zoom(factor: number, at = 0.5): void {
    const { low, high } = this.window;
    const point = low + (high - low) * at;
    const length = Math.max(NEAREST, (high - low) * factor);
    this.show(point - length * at, point + length * (1 - at));
  }

  private pan(part: number): void {
    const { low, high } = this.window;
    const by = (high - low) * part;
    this.show(low + by, high + by);
  }

  private showAll(): void {
    this.show(0, this.bars.data.total);
  }

  /** Show the last step, and from now on each new one. */
  private showStep(): void {
    this.openStep();
    this.chosen = false;
    this.moved();
  }

  private zoomTo(i: number): void {
    const { start, dur } = this.bars.data.bars;
    const beside = Math.max(dur[i] * 0.05, NEAREST / 4);
    this.show(start[i] - beside, this.bars.end(i) + beside);
  }

  /** Bring a bar into view without zooming. */
  private reveal(i: number): void {
    const { low, high } = this.window;
    const { start } = this.bars.data.bars;
    if (start[i] <= high && this.bars.end(i) >= low) return;
    const middle = start[i] - (high - low) / 2;
    this.show(middle, middle + high - low);
  }

  private moved(): void {
    this.repaint();
    this.drawTable();
  }

  // ---- drawing

  private get width(): number {
    return Math.max(100, this.stage.clientWidth || 760);
  }

  private paint(): void {
    if (this.bars.n === 0) return;
    const { width } = this;
    const { tops, height } = rowTops(this.bars);
    this.tops = tops;
    const colours = coloursOf(this.shell.root);
    const context = prepare(this.canvas, width, height);
    const found = this.found && new Set(this.found);
    const look = { window: this.window, selected: this.selected, found };
    if (context)
      new Painter(context, this.bars, colours, width).draw(look, tops, height);
    const strip = prepare(this.strip, width, OVERVIEW);
    if (strip) paintOverview(strip, this.bars, colours, width, OVERVIEW, this.window);
    const bars = `${this.bars.n} bars, ${whereText(this.bars, this.window)} shown`;
    attr(this.stage, { "aria-label": `Timeline, ${bars}. ${HINT}` });
  }

  private drawTable(): void {
    this.table.draw(this.bars.data, this.window, whereText(this.bars, this.window));
  }

  private drawKeys(): void {
    this.keys.replaceChildren(...legendOf(this.bars.data, this.shell.root));
  }

  // ---- pointer and keyboard

  private key(event: KeyboardEvent): void {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts: Record<string, () => void> = {
      "+": () => this.zoom(1 / ZOOM),
      "=": () => this.zoom(1 / ZOOM),
      "-": () => this.zoom(ZOOM),
      "0": () => this.showAll(),
      s: () => this.showStep(),
      "/": () => this.search.focus(),
      Escape: () => this.select(-1),
      Enter: () => this.selected >= 0 && this.zoomTo(this.selected),
      l: () => this.goToLinked(),
      n: () => this.nextFound(),
      PageUp: () => this.pan(-0.5),
      PageDown: () => this.pan(0.5),
    };
    const act = key.startsWith("Arrow")
      ? () => this.arrow(key, event.shiftKey)
      : acts[key];
    if (!act) return;
    consume(event);
    act();
  }

  private arrow(key: string, shift: boolean): void {
    if (shift && key !== "ArrowUp" && key !== "ArrowDown") {
      this.pan(key === "ArrowRight" ? PAN : -PAN);
      return;
    }
    const { start } = this.bars.data.bars;
    const { low, high } = this.window;
    const first = start.findIndex(
      (s, i) => s >= low - 1 && this.bars.end(i) <= high + 1,
    );
    const from = this.selected;
    this.select(from < 0 ? Math.max(0, first) : this.bars.neighbour(from, key));
  }

  private goToLinked(): void {
    if (this.selected < 0) return;
    const to = this.bars.data.bars.link[this.selected];
    const linked = to >= 0 ? to : this.bars.linked.get(this.selected)?.[0];
    if (linked !== undefined) this.select(linked);
  }

  private select(i: number): void {
    this.selected = i;
    setText(this.readout, i < 0 ? HINT : barText(this.bars, i));
    if (i >= 0) this.reveal(i);
    this.repaint();
  }

  private wheel(event: WheelEvent): void {
    const across = event.shiftKey ? event.deltaY : event.deltaX;
    if (event.ctrlKey || event.metaKey) {
      const { left } = this.stage.getBoundingClientRect();
      const at = Math.max(0, Math.min(1, (event.clientX - left) / this.width));
      this.zoom(Math.exp(event.deltaY * WHEEL), at);
    } else if (Math.abs(across) > Math.abs(event.shiftKey ? 0 : event.deltaY))
      this.pan(across / this.width);
    else return;
    event.preventDefault();
  }

  private listenToPointer(): void {
    const { life } = this.shell;
    let from: PointerEvent | null = null;
    let start = this.window;
    life.listen(this.stage, "pointerdown", (event) => {
      if (event.button !== 0) return;
      from = event;
      start = this.window;
    });
    life.listen(this.stage, "pointermove", (event) => {
      if (!from || event.buttons !== 1) this.point(event, false);
      else if (Math.abs(event.clientX - from.clientX) > STILL) {
        const length = start.high - start.low;
        const by = ((event.clientX - from.clientX) / this.width) * length;
        this.show(start.low - by, start.high - by);
      }
    });
    life.listen(this.stage, "pointerup", (event) => {
      if (from && Math.abs(event.clientX - from.clientX) <= STILL)
        this.point(event, true);
      from = null;
    });
    life.listen(this.stage, "dblclick", () => {
      if (this.selected >= 0) this.zoomTo(this.selected);
    });
    life.listen(this.stage, "pointerleave", () => {
      from = null;
      this.select(this.selected);
    });
    const jump = (event: PointerEvent) => {
      if (event.buttons !== 1) return;
      const box = this.strip.getBoundingClientRect();
      const at = ((event.clientX - box.left) / this.width) * this.bars.data.total;
      const half = (this.window.high - this.window.low) / 2;
      this.show(at - half, at + half);
    };
    life.listen(this.strip, "pointerdown", jump);
    life.listen(this.strip, "pointermove", jump);
  }

  /** Describe what is under the pointer; a click selects it. */
  private point(event: PointerEvent, click: boolean): void {
    const box = this.canvas.getBoundingClientRect();
    const y = event.clientY - box.top;
    const { low, high } = this.window;
    const scale = (high - low) / this.width;
    const row = this.tops.findIndex((top) => y >= top && y < top + ROW);
    const ns = low + (event.clientX - box.left) * scale;
    const hit = y < AXIS || row < 0 ? null : this.bars.at(row, ns, SLACK * scale);
    if (click) this.select(typeof hit === "number" ? hit : -1);
    if (hit === null) return;
    const words = typeof hit === "number" ? barText(this.bars, hit) : "";
    setText(
      this.readout,
      words || gapText(this.bars, hit as Exclude<typeof hit, number>),
    );
  }

  // ---- search

  private find(): void {
    const wanted = this.search.value.trim().toLowerCase();
    const hits = this.bars.data.names.map((name) =>
      name.toLowerCase().includes(wanted),
    );
    const { name } = this.bars.data.bars;
    this.found = wanted === "" ? null : name.flatMap((n, i) => (hits[n] ? i : []));
    this.tellFound();
    this.repaint();
  }

  private nextFound(): void {
    if (!this.found?.length) return;
    const { start } = this.bars.data.bars;
    const after = this.selected < 0 ? this.window.low : start[this.selected];
    const next = this.found.find(
      (i) =>
        i !== this.selected &&
        (start[i] > after || (start[i] === after && i > this.selected)),
    );
    this.select(next ?? this.found[0]);
    this.tellFound();
  }

  private tellFound(): void {
    const { found } = this;
    const at = found ? found.indexOf(this.selected) : -1;
    const words = at < 0 ? `${found?.length} found` : `${at + 1} of ${found?.length}`;
    setText(this.count, found ? words : "");
  }
}

/** Draw a Timeline into `el`; returns a function that removes it. */
export function renderTimeline(model: Model, el: HTMLElement): () => void {
  const view = new Timeline(model, el);
  return () => view.dispose();
}

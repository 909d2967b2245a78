/** Draws a timeline's bars, and an overview of all. */
import { clip, duration } from "./format";
import type { Colours } from "./theme";
import { timeTicks } from "./time_axis";
import { type Bars, STEP } from "./timeline_bars";

export const ROW = 20;
export const AXIS = 20;
const TITLE = 16;
/** px of a letter */
const LETTER = 6.1;
const OVERVIEW_ROW = 4;
/** pixels from tick to tick, at least */
const TICK = 110;

/** Start and end in nanoseconds. */
export interface Window {
  low: number;
  high: number;
}

export interface Look {
  window: Window;
  selected: number;
  /** bars that match the search; null without a search */
  found: Set<number> | null;
}

interface Style {
  fill: string;
  /** how much of the fill shows */
  alpha: number;
  border: string;
  ink: string;
}

const INK = "#14181f";

export function styles(c: Colours): Style[] {
  const [solid, light] = [1, 0.14];
  const module = c.family("module");
  const none = "transparent";
  return [
    { fill: c.muted, alpha: 0.12, border: c.border, ink: c.text },
    { fill: module, alpha: light, border: module, ink: c.text },
    { fill: c.family("linear"), alpha: solid, border: none, ink: c.bg },
    { fill: c.grad, alpha: solid, border: none, ink: c.bg },
    { fill: c.found, alpha: light, border: c.found, ink: c.text },
    { fill: c.grad, alpha: light, border: c.grad, ink: c.text },
    { fill: c.family("param"), alpha: solid, border: none, ink: INK },
    { fill: c.family("input"), alpha: solid, border: none, ink: c.bg },
  ];
}

/** The positions of rows; lanes have titles if there are several. */
export function rowTops(bars: Bars): { tops: number[]; height: number } {
  const tops: number[] = [];
  let y = AXIS;
  for (const { rows } of bars.lanes) {
    if (bars.lanes.length > 1) y += TITLE;
    for (let k = 0; k < rows; k++, y += ROW) tops.push(y);
  }
  return { tops, height: y + 4 };
}

/** A canvas of this size in CSS pixels, with device resolution; null if unsupported. */
export function prepare(canvas: HTMLCanvasElement, width: number, height: number) {
  const ratio = window.devicePixelRatio || 1;
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h)
    Object.assign(canvas, { width: w, height: h });
  const context = canvas.getContext("2d");
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}

/** A hatch that means "no operation runs". */
function hatch(context: CanvasRenderingContext2D, colour: string) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const small = tile.getContext("2d");
  if (!small) return colour;
  small.strokeStyle = colour;
  small.globalAlpha = 0.55;
  small.beginPath();
  for (const x of [-3, 3]) {
    small.moveTo(x, 6);
    small.lineTo(x + 6, 0);
  }
  small.stroke();
  return context.createPattern(tile, "repeat") ?? colour;
}

export class Painter {
  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly bars: Bars,
    private readonly colours: Colours,
    private readonly width: number,
  ) {
    context.font = `11px ${colours.font}`;
    context.textBaseline = "middle";
  }

  draw(look: Look, tops: number[], height: number): void {
    this.axis(look.window, height);
    this.titles(tops);
    this.gaps(look.window, tops);
    this.paintBars(look, tops);
    this.pauses(look.window, height);
  }

  private x(ns: number, { low, high }: Window): number {
    return ((ns - low) / (high - low)) * this.width;
  }

  private axis(window: Window, height: number): void {
    const { context, colours } = this;
    const length = window.high - window.low;
    context.lineWidth = 1;
    const count = Math.max(2, this.width / TICK);
    for (const { us, text } of timeTicks(0, length / 1e3, count)) {
      const x = Math.round(this.x(window.low + us * 1e3, window)) + 0.5;
      context.strokeStyle = colours.border;
      context.globalAlpha = 0.5;
      context.beginPath();
      context.moveTo(x, 14);
      context.lineTo(x, height);
      context.stroke();
      context.globalAlpha = 1;
      context.fillStyle = colours.muted;
      if (x + 4 + text.length * LETTER < this.width) context.fillText(text, x + 3, 8);
    }
  }

  private titles(tops: number[]): void {
    if (this.bars.lanes.length < 2) return;
    this.context.fillStyle = this.colours.muted;
    for (const { title, row } of this.bars.lanes)
      this.context.fillText(clip(title, 60), 4, tops[row] - TITLE / 2);
  }

  /** Below each bar with nested bars: the time between these is hatched. */
  private gaps(window: Window, tops: number[]): void {
    const { context, bars } = this;
    const pattern = hatch(context, this.colours.line);
    const { start, lane } = bars.data.bars;
    for (let i = 0; i < bars.n; i++) {
      if (bars.children[i].length === 0) continue;
      const left = Math.max(0, this.x(start[i], window));
      const right = Math.min(this.width, this.x(bars.end(i), window));
      if (right - left < 3) continue;
      const top = tops[bars.row(bars.lanes[lane[i]], i) + 1];
      context.fillStyle = pattern;
      context.fillRect(left, top + 1, right - left, ROW - 5);
    }
  }

  private paintBars(look: Look, tops: number[]): void {
    const { bars } = this;
    const looks = styles(this.colours);
    const { start, kind } = bars.data.bars;
    for (const lane of bars.lanes) {
      const painted: number[] = []; // the pixel up to which each row is filled
      for (const i of lane.bars) {
        const left = this.x(start[i], look.window);
        const right = this.x(bars.end(i), look.window);
        if (right < 0 || left > this.width) continue;
        const row = bars.row(lane, i);
        const marked = i === look.selected || look.found?.has(i);
        if (!marked && right < (painted[row] ?? -1)) continue;
        painted[row] = Math.max(right, left + 0.7);
        this.bar(i, left, right, tops[row], looks[kind[i]], look);
      }
    }
  }

  private bar(
    i: number,
    from: number,
    to: number,
    y: number,
    style: Style,
    look: Look,
  ): void {
    const { context, bars, colours } = this;
    const left = Math.max(-2, from);
    const wide = Math.max(0.7, Math.min(this.width + 2, to) - left - 0.5);
    const dim = look.found && !look.found.has(i) ? 0.35 : 1;
    context.fillStyle = colours.bg;
    if (wide > 3) context.fillRect(left, y, wide, ROW - 3); // on top of the hatching
    context.globalAlpha = style.alpha * dim;
    context.fillStyle = style.fill;
    context.fillRect(left, y, wide, ROW - 3);
    context.globalAlpha = dim;
    if (wide > 3 && style.border !== "transparent") {
      context.strokeStyle = style.border;
      context.lineWidth = 1;
      context.strokeRect(left + 0.5, y + 0.5, wide - 1, ROW - 4);
    }
    if (wide > 24) {
      context.fillStyle = style.ink;
      const text = clip(bars.short(i), Math.floor((wide - 7) / LETTER));
      context.fillText(text, Math.max(0, left) + 4, y + ROW / 2 - 1);
    }
    context.globalAlpha = 1;
    this.outline(i, left, wide, y, look);
  }

  /** Frames around the selected bar, its linked bars, and search results. */
  private outline(i: number, left: number, wide: number, y: number, look: Look): void {
    const { context, colours } = this;
    const { selected } = look;
    const { link } = this.bars.data.bars;
    const linked = selected >= 0 && (link[i] === selected || link[selected] === i);
    const colour =
      i === selected ? colours.accent : linked ? colours.found : colours.bad;
    if (i !== selected && !linked && !(look.found?.has(i) && wide > 4)) return;
    context.strokeStyle = colour;
    context.lineWidth = i === selected || linked ? 2.5 : 1;
    context.setLineDash(linked ? [4, 2] : []);
    context.strokeRect(left, y, Math.max(2, wide), ROW - 3);
    context.setLineDash([]);
  }

  /** Marks where a pause was cut out. */
  private pauses(window: Window, height: number): void {
    const { context, colours } = this;
    for (const [at, ns] of this.bars.data.pauses) {
      const x = this.x(at, window);
      if (x < 0 || x > this.width) continue;
      context.strokeStyle = colours.text;
      context.setLineDash([3, 3]);
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, height);
      context.stroke();
      context.setLineDash([]);
      context.fillStyle = colours.text;
      context.fillText(`${duration(ns / 1e3)} pause`, x + 4, AXIS + ROW / 2 - 1);
    }
  }
}

/** All bars, small, with the window marked. */
export function paintOverview(
  context: CanvasRenderingContext2D,
  bars: Bars,
  c: Colours,
  width: number,
  height: number,
  { low, high }: Window,
): void {
  const looks = styles(c);
  const total = Math.max(1, bars.data.total);
  const { start, dur, kind, lane } = bars.data.bars;
  const rows = Math.floor(height / OVERVIEW_ROW);
  for (let i = 0; i < bars.n; i++) {
    const row = bars.lanes[lane[i]].row + bars.depth[i];
    if (row >= rows) continue;
    const wide = (dur[i] / total) * width;
    context.globalAlpha = kind[i] === STEP ? 0.25 : Math.max(0.5, looks[kind[i]].alpha);
    context.fillStyle = looks[kind[i]].fill;
    const x = (start[i] / total) * width;
    context.fillRect(
      x,
      row * OVERVIEW_ROW,
      Math.max(0.5, wide - 0.5),
      OVERVIEW_ROW - 1,
    );
  }
  context.globalAlpha = 1;
  const [left, right] = [(low / total) * width, (high / total) * width];
  context.strokeStyle = c.accent;
  context.lineWidth = 2;
  context.strokeRect(left + 1, 1, Math.max(3, right - left - 2), height - 2);
}

/** The values of a tensor, or of its gradient: cells, slices, histogram, statistics. */
import { moved, pointer } from "./chart";
import { attr, button, consume, html, refill, setText, svg } from "./dom";
import { number, sampleWords } from "./format";
import type { Lifetime } from "./model";
import { MOST_TILES, Tiles } from "./tensor_tiles";
import type { TensorGrid, TensorStats, TensorValues } from "./tensor_types";
import { boundOf, type Cell, cellPixels, imagePixels, inkOn } from "./value_colours";

const WIDTH = 320;
const HEIGHT = 240;
/** cell size in pixels: largest, smallest, and the smallest that shows its number */
const LARGEST = 40;
const SMALLEST = 4;
const READABLE = 30;
const HINT = "Hover over a cell or use the arrow keys to see its value.";

export class TensorPanel {
  readonly root = html("section", { class: "edt-panel" });
  private readonly head = html("h4");
  private readonly slicer = html("div", { class: "edt-slicer" });
  private readonly chart = html("div", {
    class: "edt-cells",
    tabindex: 0,
    role: "application",
  });
  private readonly canvas = html("canvas");
  private readonly numbers = svg("svg", { "aria-hidden": "true" });
  private readonly cursor = svg("rect", { class: "edt-cursor" });
  private readonly readout = html("div", {
    class: "edt-readout",
    "aria-live": "polite",
  });
  private readonly bars = html("div", { class: "edt-chart" });
  private readonly facts = html("dl", { class: "edt-facts" });
  /** the values, and what sums them up; side by side where there is room */
  private readonly drawing = html("div");
  private readonly summary = html("div");
  private readonly mode = button("Image", "Show as an image", {
    "aria-pressed": "true",
  });
  private readonly tiles: Tiles;
  private values: TensorValues | null = null;
  /** the index of the slice, over all leading dimensions */
  private slice = 0;
  private cell: [number, number] | null = null;
  private image = true;
  private ndim = 0;
  private bound = 0;
  /** the kernel was asked for the slice */
  private waiting = false;
  private side: [number, number] = [1, 1];
  /** how many times larger than in a notebook */
  private magnified = 1;

  constructor(
    private readonly life: Lifetime,
    private readonly name: string,
    private readonly ask: (slice: number) => boolean,
  ) {
    attr(this.root, { "aria-label": name });
    attr(this.chart, {
      "aria-label": `Cells of the ${name}. Arrow keys move from cell to cell.`,
    });
    this.tiles = new Tiles(life, name, (tile) => this.pick(tile));
    this.chart.append(this.canvas, this.numbers);
    this.root.append(html("header", {}, this.head, this.mode), this.slicer);
    this.drawing.append(this.tiles.root, this.chart, this.readout);
    this.summary.append(this.bars, this.facts);
    this.root.append(this.drawing, this.summary);
    pointer(
      life,
      this.chart,
      (x, y) => this.point(x, y),
      () => this.read(null),
    );
    life.listen(this.chart, "keydown", (event) => this.key(event));
    life.listen(this.mode, "click", () => {
      this.image = !this.image;
      this.drawCells();
    });
  }

  /** Set the values to draw; hide everything if there are none. */
  show(values: TensorValues | null, ndim: number, magnified: number): void {
    this.root.hidden = values === null;
    this.magnified = magnified;
    for (const part of [this.root, this.drawing, this.summary])
      part.style.flexBasis = `${(WIDTH + 20) * magnified}px`;
    this.ndim = ndim;
    const first = this.values === null;
    this.values = values;
    if (values === null) return;
    const { grid, note, stats } = values;
    if (first) this.slice = grid.first;
    setText(this.head, note ? `${this.name} (${note})` : this.name);
    this.bound = boundOf(grid.values);
    this.drawSlicer(grid);
    this.drawCells();
    refill(this.bars, ...histogram(values, WIDTH * magnified));
    refill(this.facts, ...facts(stats));
  }

  /** One slider for each leading dimension. */
  private drawSlicer({ lead }: TensorGrid): void {
    this.slicer.hidden = lead.length === 0;
    if (this.slicer.childElementCount === lead.length) return;
    this.slicer.replaceChildren(
      ...lead.map((size, dim) => {
        const slider = html("input", {
          type: "range",
          min: 0,
          max: Math.max(0, size - 1),
          value: placeOf(this.slice, lead)[dim] ?? 0,
          "aria-label": `index of dimension ${dim}`,
        });
        this.life.listen(slider, "input", () => this.slide());
        return html("label", {}, `dim ${dim}`, slider, html("output"));
      }),
    );
  }

  private slide(): void {
    const grid = this.values?.grid;
    if (!grid) return;
    const at = [...this.slicer.querySelectorAll("input")].map((s) => Number(s.value));
    this.slice = at.reduce((flat, index, dim) => flat * grid.lead[dim] + index, 0);
    this.waiting = this.planes(grid).length === 0 && this.ask(this.slice);
    this.drawCells();
  }

  /** A tile was chosen: show its slice. */
  private pick(tile: number): void {
    const grid = this.values?.grid;
    if (!grid) return;
    this.slice = this.firstTile(grid) + tile * this.perTile;
    const at = placeOf(this.slice, grid.lead);
    this.slicer.querySelectorAll("input").forEach((slider, dim) => {
      slider.value = String(at[dim]);
    });
    this.drawCells();
  }

  /** Slices per tile: three for a colour image. */
  private get perTile(): number {
    return this.inColour ? 3 : 1;
  }

  private firstTile({ first }: TensorGrid): number {
    return Math.ceil(first / this.perTile) * this.perTile;
  }

  /** The slice shown (three for a colour image); none if it was not sent. */
  private planes(grid: TensorGrid, slice = this.slice): Cell[][] {
    const { shown, first, values } = grid;
    const size = shown[0] * shown[1];
    const from = Math.floor(slice / this.perTile) * this.perTile - first;
    if (from < 0 || (from + this.perTile) * size > values.length) return [];
    return Array.from({ length: this.perTile }, (_, k) =>
      values.slice((from + k) * size, (from + k + 1) * size),
    );
  }

  /** All slices that were sent, as pictures. */
  private drawTiles(grid: TensorGrid, available: number): void {
    const pictures: Uint8ClampedArray[] = [];
    const size = grid.shown[0] * grid.shown[1];
    const sent = size > 0 ? Math.floor(grid.values.length / size) : 0;
    const from = this.firstTile(grid);
    const end = Math.min(grid.first + sent, from + MOST_TILES * this.perTile);
    for (let slice = from; slice < end; slice += this.perTile) {
      const planes = this.planes(grid, slice);
      if (planes.length > 0) pictures.push(this.pictureOf(planes));
    }
    this.tiles.show(pictures, grid.shown, available, this.magnified);
    this.tiles.mark(Math.floor((this.slice - from) / this.perTile));
  }

  /** RGBA bytes of a slice, on the scale of all slices that were sent. */
  private pictureOf(planes: Cell[][]): Uint8ClampedArray {
    return this.asImage
      ? imagePixels(planes, this.bound > 1 ? 255 : 1)
      : cellPixels(planes[0], this.bound);
  }

  private get asImage(): boolean {
    return this.image && (this.values?.image ?? "") !== "";
  }

  private get inColour(): boolean {
    return this.asImage && this.values?.image === "rgb";
  }

  private drawCells(): void {
    if (!this.values) return;
    const { grid, image } = this.values;
    this.mode.hidden = image === "";
    attr(this.mode, { "aria-pressed": String(this.image) });
    const at = placeOf(this.slice, grid.lead);
    this.slicer.querySelectorAll("output").forEach((output, dim) => {
      setText(output, `index ${at[dim]} of ${grid.lead[dim]}`);
    });
    this.slicer.querySelectorAll("label").forEach((label, dim) => {
      label.hidden = this.inColour && dim === grid.lead.length - 1;
    });
    const [rows, columns] = grid.shown;
    const [wide, high] = [WIDTH * this.magnified, HEIGHT * this.magnified];
    const available = Math.min(wide, this.root.clientWidth || wide);
    const largest = LARGEST * this.magnified;
    const side = Math.min(available / columns, high / rows, largest);
    this.side = [Math.max(side, SMALLEST), Math.max(side, SMALLEST)];
    const width = Math.min(available, columns * this.side[0]);
    const height = Math.min(high, rows * this.side[1]);
    this.side = [width / Math.max(1, columns), height / Math.max(1, rows)];
    const planes = this.planes(grid);
    this.chart.hidden = rows * columns === 0;
    attr(this.canvas, { width: columns, height: rows });
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    attr(this.numbers, { width, height, viewBox: `0 0 ${width} ${height}` });
    this.paint(planes, grid);
    this.drawTiles(grid, available);
    this.numbers.replaceChildren(...this.digits(planes, grid), this.cursor);
    this.read(this.cell);
  }

  private paint(planes: Cell[][], grid: TensorGrid): void {
    const context = this.canvas.getContext("2d");
    if (!context || planes.length === 0 || planes[0].length === 0) return;
    const image = context.createImageData(grid.shown[1], grid.shown[0]);
    image.data.set(this.pictureOf(planes));
    context.putImageData(image, 0, 0);
  }

  /** Numbers in the cells, if they fit. */
  private digits(planes: Cell[][], { shown }: TensorGrid): SVGElement[] {
    const [w, h] = this.side;
    if (this.asImage || w < READABLE || planes.length === 0) return [];
    return planes[0].map((value, i) =>
      svg(
        "text",
        {
          x: ((i % shown[1]) + 0.5) * w,
          y: (Math.floor(i / shown[1]) + 0.5) * h + 3.5,
          "text-anchor": "middle",
          fill: inkOn(value, this.bound),
        },
        brief(value),
      ),
    );
  }

  private point(x: number, y: number): void {
    const [rows, columns] = this.values?.grid.shown ?? [0, 0];
    const column = Math.floor(x / this.side[0]);
    const row = Math.floor(y / this.side[1]);
    const inside = column >= 0 && column < columns && row >= 0 && row < rows;
    this.read(inside ? [column, row] : null);
  }

  private key(event: KeyboardEvent): void {
    const [rows, columns] = this.values?.grid.shown ?? [0, 0];
    const to =
      event.key === "Escape"
        ? null
        : moved(event.key, this.cell ?? [0, 0], columns, rows);
    if (!to && event.key !== "Escape") return;
    consume(event);
    this.read(to);
  }

  /** Mark a cell and report its index and value. */
  private read(cell: [number, number] | null): void {
    if (!this.values) return;
    const { grid } = this.values;
    const planes = this.planes(grid);
    const [rows, columns] = grid.shown;
    this.cell = cell && cell[0] < columns && cell[1] < rows ? cell : null;
    attr(this.cursor, { visibility: this.cell ? null : "hidden" });
    if (planes.length === 0 && rows * columns > 0) {
      const asked = "Loading this slice …";
      setText(this.readout, this.waiting ? asked : "This slice was not recorded.");
      return;
    }
    if (!this.cell) {
      setText(this.readout, every(grid) || HINT);
      return;
    }
    const [column, row] = this.cell;
    const [w, h] = this.side;
    attr(this.cursor, { x: column * w, y: row * h, width: w, height: h });
    const values = planes.map((plane) => spoken(plane[row * columns + column]));
    const value = values.join(", ");
    const index: (number | string)[] = indexOf(this.cell, this.slice, grid);
    if (this.inColour) index[index.length - 3] = ":";
    index.splice(0, index.length - Math.max(1, this.ndim));
    const place = this.ndim === 0 ? "item()" : `[${index.join(", ")}]`;
    setText(this.readout, `${place} = ${value}`);
  }
}

/** Indices of a slice in the leading dimensions. */
export function placeOf(slice: number, lead: number[]): number[] {
  const place: number[] = [];
  let rest = slice;
  for (let dim = lead.length - 1; dim >= 0; dim--) {
    place.unshift(rest % lead[dim]);
    rest = Math.floor(rest / lead[dim]);
  }
  return place;
}

/** Indices in all dimensions; a vector has only the last. */
function indexOf(
  [column, row]: [number, number],
  slice: number,
  { lead, steps }: TensorGrid,
): number[] {
  return [...placeOf(slice, lead), row * steps[0], column * steps[1]];
}

/** A note on what a larger slice omits, and on slices without a tile. */
function every({ steps, rows, columns, lead, shown, values }: TensorGrid): string {
  const sent = Math.min(MOST_TILES, Math.floor(values.length / (shown[0] * shown[1])));
  const all = lead.reduce((n, size) => n * size, 1);
  const some = sent < all ? ` Tiles show ${sent} of ${all} slices.` : "";
  if (Math.max(...steps) === 1) return some;
  return `${rows}×${columns}, showing ${sampleWords(steps)}.${some}`;
}

function spoken(value: Cell): string {
  return typeof value === "string" ? value : String(value);
}

/** A number in at most five characters; a small one is not rounded to zero. */
export function brief(value: Cell): string {
  if (typeof value === "string") return value;
  const text = number(value);
  if (text.length <= 5) return text;
  const fixed = Math.abs(value) >= 0.0095 && Math.abs(value) < 100;
  return fixed ? value.toFixed(2) : value.toExponential(0);
}

function histogram({ histogram: found }: TensorValues, wide: number): SVGElement[] {
  if (!found) return [];
  const { low, high, counts } = found;
  const top = Math.max(...counts);
  const w = wide / counts.length;
  const floor = (56 * wide) / WIDTH; // letters keep their size on the full screen
  const words = `Histogram from ${number(low)} to ${number(high)}, largest bin ${top}`;
  const picture = svg("svg", { viewBox: `0 0 ${wide} ${floor + 18}`, role: "img" });
  attr(picture, { "aria-label": words, style: `max-width: ${wide}px` });
  counts.forEach((count, k) => {
    const height = (floor * count) / top;
    const box = { x: k * w, y: floor - height, width: Math.max(1, w - 1), height };
    const step = (high - low) / counts.length;
    const range = `${number(low + k * step)} to ${number(low + (k + 1) * step)}: ${count}`;
    picture.append(svg("rect", { ...box, class: "edt-bin" }, svg("title", {}, range)));
  });
  const y = floor + 14;
  const end = { x: wide, y, "text-anchor": "end" };
  picture.append(
    svg("line", {
      x1: 0,
      y1: floor + 0.5,
      x2: wide,
      y2: floor + 0.5,
      class: "edt-axis",
    }),
    svg("text", { x: 0, y }, number(low)),
    svg("text", end, number(high)),
  );
  return [picture];
}

function facts(stats: TensorStats): HTMLElement[] {
  const list: [string, string][] = [
    ["min", number(stats.min)],
    ["max", number(stats.max)],
    ["mean", number(stats.mean)],
    ["deviation", number(stats.std)],
    ["norm", number(stats.norm)],
    ["zeros", String(stats.zeros)],
  ];
  if (stats.nan > 0) list.push(["nan", String(stats.nan)]);
  if (stats.inf > 0) list.push(["infinite", String(stats.inf)]);
  const of = stats.n < stats.numel ? `${stats.n} of ${stats.numel}` : String(stats.n);
  list.push(["elements", of]);
  if (stats.nan + stats.inf > 0) list.push(["computed over", "finite elements"]);
  return list.map(([name, value]) => {
    const bad = name === "nan" || name === "infinite";
    const words = html("dd", { class: bad ? "edt-nonfinite" : null }, value);
    return html("div", {}, html("dt", {}, name), words);
  });
}

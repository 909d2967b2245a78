/** All slices of a tensor side by side: kernels, feature maps or a batch of images. */
import { moved } from "./chart";
import { attr, consume, html, svg } from "./dom";
import type { Lifetime } from "./model";

/** the number of slices drawn at once */
export const MOST_TILES = 256;

export interface Tiling {
  /** tiles per row, and rows of tiles */
  across: number;
  down: number;
  /** the number of slices with tiles */
  count: number;
}

/** The number of tiles per row, so that the whole is about `shape` wide to high. */
export function tiling(count: number, rows: number, columns: number): Tiling {
  const n = Math.min(count, MOST_TILES);
  const wide = Math.sqrt((n * 1.4 * (rows + 1)) / (columns + 1));
  const across = Math.max(1, Math.min(n, Math.round(wide)));
  return { across, down: Math.ceil(n / across), count: n };
}

/** RGBA tiles as one picture, separated by transparent lines of one pixel. */
export function montage(
  tiles: Uint8ClampedArray[],
  { across, down }: Tiling,
  rows: number,
  columns: number,
): { width: number; height: number; pixels: Uint8ClampedArray } {
  const width = across * (columns + 1) - 1;
  const height = down * (rows + 1) - 1;
  const pixels = new Uint8ClampedArray(4 * width * height);
  tiles.forEach((tile, k) => {
    const left = (k % across) * (columns + 1);
    const top = Math.floor(k / across) * (rows + 1);
    for (let row = 0; row < rows; row++) {
      const line = tile.subarray(4 * row * columns, 4 * (row + 1) * columns);
      pixels.set(line, 4 * ((top + row) * width + left));
    }
  });
  return { width, height, pixels };
}

const WIDTH = 320;
const HEIGHT = 132;
const LARGEST = 44;

/** A strip of tiles, one of which is chosen by pointer or arrow keys. */
export class Tiles {
  readonly root = html("div", { class: "edt-cells edt-tiles", tabindex: 0 });
  private readonly canvas = html("canvas");
  private readonly overlay = svg("svg", { "aria-hidden": "true" });
  private readonly cursor = svg("rect", { class: "edt-cursor" });
  private tiling: Tiling = { across: 1, down: 1, count: 1 };
  private size: [number, number] = [1, 1];
  private at = 0;

  /** `pick` is called with the index of the tile. */
  constructor(
    life: Lifetime,
    name: string,
    private readonly pick: (tile: number) => void,
  ) {
    attr(this.root, {
      role: "application",
      "aria-label": `Slices of the ${name}. Arrow keys move from slice to slice.`,
    });
    this.overlay.append(this.cursor);
    this.root.append(this.canvas, this.overlay);
    life.listen(this.root, "click", ({ clientX, clientY }) => {
      const box = this.root.getBoundingClientRect();
      const column = Math.floor((clientX - box.left) / this.size[0]);
      this.choose(column, Math.floor((clientY - box.top) / this.size[1]));
    });
    life.listen(this.root, "keydown", (event) => this.key(event));
  }

  /** Draw tiles of `rows` by `columns` pixels into the `available` width. */
  show(
    tiles: Uint8ClampedArray[],
    [rows, columns]: [number, number],
    available: number,
    magnified: number,
  ): void {
    this.root.hidden = tiles.length < 2 || rows * columns === 0;
    if (this.root.hidden) return;
    this.tiling = tiling(tiles.length, rows, columns);
    const shown = tiles.slice(0, this.tiling.count);
    const { width, height, pixels } = montage(shown, this.tiling, rows, columns);
    const wide = Math.min(WIDTH * magnified, available);
    const fits = Math.min(wide / width, (HEIGHT * magnified) / height);
    const scale = Math.min(fits, (LARGEST * magnified) / Math.max(rows, columns));
    attr(this.canvas, { width, height });
    this.canvas.style.width = `${width * scale}px`;
    this.canvas.style.height = `${height * scale}px`;
    this.size = [(columns + 1) * scale, (rows + 1) * scale];
    const context = this.canvas.getContext("2d");
    if (!context) return;
    const image = context.createImageData(width, height);
    image.data.set(pixels);
    context.putImageData(image, 0, 0);
  }

  /** Mark the tile that is shown in full; -1 for none. */
  mark(tile: number): void {
    this.at = tile;
    const [w, h] = this.size;
    const inside = tile >= 0 && tile < this.tiling.count;
    attr(this.cursor, {
      visibility: inside ? null : "hidden",
      x: (tile % this.tiling.across) * w + 0.75,
      y: Math.floor(tile / this.tiling.across) * h + 0.75,
      width: Math.max(1, w - 1.5),
      height: Math.max(1, h - 1.5),
    });
  }

  private key(event: KeyboardEvent): void {
    const { across, down } = this.tiling;
    const at = Math.max(0, this.at);
    const from: [number, number] = [at % across, Math.floor(at / across)];
    const to = moved(event.key, from, across, down);
    if (!to) return;
    consume(event);
    this.choose(...to);
  }

  private choose(column: number, row: number): void {
    const tile = row * this.tiling.across + column;
    if (column < this.tiling.across && tile >= 0 && tile < this.tiling.count)
      this.pick(tile);
  }
}

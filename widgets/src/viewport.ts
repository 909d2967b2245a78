/** Panning and zooming: screen = world * scale + (x, y). */
import { READABLE, type Size } from "./direction";

interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

const MIN_SCALE = 0.004;
const MAX_SCALE = 3;
/** "Fit" makes text no smaller than is just legible; the rest is a pan away */
const LEGIBLE = 0.8;
export const MARGIN = 18;

export class Viewport {
  x = 0;
  y = 0;
  scale = 1;
  /** the reader moved it, so new data must not */
  touched = false;

  constructor(
    private readonly screen: () => Size,
    private readonly changed: () => void,
  ) {}

  pan(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
    this.touched = true;
    this.changed();
  }

  /** Zoom around a point of the screen. */
  zoom(factor: number, cx?: number, cy?: number): void {
    const { width, height } = this.screen();
    const [px, py] = [cx ?? width / 2, cy ?? height / 2];
    const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, this.scale * factor));
    this.x = px - ((px - this.x) * scale) / this.scale;
    this.y = py - ((py - this.y) * scale) / this.scale;
    this.scale = scale;
    this.touched = true;
    this.changed();
  }

  /** Show as much of the content as stays legible; a second time, everything. */
  fit(content: Size): void {
    const before = [this.x, this.y, this.scale].join();
    this.center(content, LEGIBLE);
    if ([this.x, this.y, this.scale].join() === before) this.center(content, MIN_SCALE);
    this.touched = true;
    this.changed();
  }

  /** Show the content if it is legible, else the part around its `start`. */
  open(content: Size, start?: Rect, least = READABLE): void {
    this.center(content, least, start);
  }

  /** The height of a screen that `open` fills with this content. */
  tall(content: Size): number {
    return content.height * this.across(content, READABLE) + 2 * MARGIN;
  }

  /** The scale at which the content is as wide as the screen, within limits. */
  private across(content: Size, least: number): number {
    const across = (this.screen().width - 2 * MARGIN) / Math.max(1, content.width);
    return Math.max(least, Math.min(1, across));
  }

  private center(content: Size, least: number, start?: Rect): void {
    const { width, height } = this.screen();
    const down = (height - 2 * MARGIN) / Math.max(1, content.height);
    this.scale = Math.max(least, Math.min(this.across(content, least), down));
    const middle = start && { x: start.x + start.w / 2, y: start.y + start.h / 2 };
    this.x = this.shift(width, content.width, middle?.x);
    this.y = this.shift(height, content.height, middle?.y);
  }

  /** Centre what fits; otherwise show the part around `middle`, or the start. */
  private shift(screen: number, content: number, middle = 0): number {
    const spare = screen - content * this.scale;
    if (spare >= 2 * MARGIN) return spare / 2;
    const end = spare - MARGIN;
    return Math.min(MARGIN, Math.max(end, screen / 2 - middle * this.scale));
  }

  /** Bring a rectangle of the world into view, with some margin. */
  reveal(rect: Rect): void {
    const { width, height } = this.screen();
    const left = rect.x * this.scale + this.x;
    const top = rect.y * this.scale + this.y;
    const [w, h] = [rect.w * this.scale, rect.h * this.scale];
    const inside =
      left >= MARGIN &&
      top >= MARGIN &&
      left + w <= width - MARGIN &&
      top + h <= height - MARGIN;
    if (inside) return;
    this.x += width / 2 - (left + w / 2);
    this.y += height / 2 - (top + h / 2);
    this.touched = true;
    this.changed();
  }

  /**
   * What was at one place is now at another: keep it where it is on the screen,
   * and its head in sight. `middle`: which part of its width stays.
   */
  hold(
    before: Rect,
    after: Rect,
    middle: number,
    head: { w: number; h: number },
  ): void {
    this.x += (before.x + before.w * middle - after.x - after.w * middle) * this.scale;
    this.y += (before.y - after.y) * this.scale;
    const [w, h] = [Math.min(after.w, head.w), Math.min(after.h, head.h)];
    this.reveal({ x: after.x, y: after.y, w, h });
  }

  /** Keep a rectangle in view, without counting this as a move by the reader. */
  follow(rect: Rect): void {
    const { touched } = this;
    this.reveal(rect);
    this.touched = touched;
  }

  /** Bring a rectangle into view at a scale at which its text is legible. */
  approach(rect: Rect): void {
    const [least, { width, height }] = [READABLE, this.screen()];
    if (this.scale < least) {
      this.scale = least;
      this.x = width / 2 - (rect.x + rect.w / 2) * least;
      this.y = height / 2 - (rect.y + rect.h / 2) * least;
      this.touched = true;
      this.changed();
    }
    this.reveal(rect);
  }

  /** Convert a point of the screen to the world. */
  toWorld(px: number, py: number): [number, number] {
    return [(px - this.x) / this.scale, (py - this.y) / this.scale];
  }
}

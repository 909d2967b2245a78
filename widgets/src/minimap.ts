/** A small picture of the whole graph with the visible part marked. */
import { READABLE, type Size } from "./direction";
import { html } from "./dom";
import type { Scene } from "./graph_state";
import type { Rect } from "./layout";
import type { Lifetime } from "./model";
import { coloursOf } from "./theme";
import type { Viewport } from "./viewport";

/** beside a graph that is drawn downwards */
const BESIDE: Size = { width: 110, height: 170 };
/** the height below a graph drawn left to right, and beside it */
const BELOW = 44;
const SIDES = 22;
const AROUND = 13;
/** a small graph has no map */
const MAX_SCALE = 0.25;
/** the smallest width of a long chain */
const THIN = 18;
/** a smaller view (beside the details, or a strip) has no space for it */
const NARROW = 560;
const FLAT = 130;

export class Minimap {
  readonly element = html("canvas", { class: "edt-map", "aria-hidden": "true" });
  private across = 1;
  private down = 1;

  constructor(
    private readonly viewport: Viewport,
    private readonly screen: () => Size,
    /** size of graph and map together */
    private readonly available: () => Size,
    life: Lifetime,
  ) {
    const go = (event: PointerEvent) => {
      event.stopPropagation();
      if (event.buttons === 1) this.center(event);
    };
    life.listen(this.element, "pointerdown", go);
    life.listen(this.element, "pointermove", go);
  }

  private center(event: PointerEvent): void {
    const { left, top } = this.element.getBoundingClientRect();
    const { scale } = this.viewport;
    const { width, height } = this.screen();
    const wx = (event.clientX - left) / this.across;
    const wy = (event.clientY - top) / this.down;
    this.viewport.pan(
      width / 2 - wx * scale - this.viewport.x,
      height / 2 - wy * scale - this.viewport.y,
    );
  }

  /** The pixels it takes below a graph that is too wide to be legible. */
  below({ placed }: Scene): number {
    const wide = placed.width * READABLE > this.available().width;
    return wide && placed.direction === "right" ? BELOW + AROUND : 0;
  }

  draw(scene: Scene): void {
    const { width, height, direction } = scene.placed;
    const { x, y, scale } = this.viewport;
    const available = this.available();
    const flat = direction === "right";
    const fits = width * scale <= available.width && height * scale <= available.height;
    const hidden = fits || (flat ? available.height < FLAT : available.width < NARROW);
    this.element.hidden = hidden;
    if (hidden) return;
    const most = flat ? { width: available.width - SIDES, height: BELOW } : BESIDE;
    const size = Math.min(MAX_SCALE, most.width / width, most.height / height);
    this.across = flat ? size : Math.max(size, THIN / width);
    this.down = flat ? Math.max(size, THIN / height) : size;
    const ratio = window.devicePixelRatio || 1;
    const [w, h] = [width * this.across, height * this.down];
    Object.assign(this.element.style, { width: `${w}px`, height: `${h}px` });
    Object.assign(this.element, { width: w * ratio, height: h * ratio });
    const screen = this.screen(); // now that the map is beside it
    const context = this.element.getContext("2d");
    if (!context) return;
    const colours = coloursOf(this.element);
    context.scale(ratio * this.across, ratio * this.down);
    for (const box of scene.folded.boxes) {
      const r = scene.placed.rects.get(box.id) as Rect;
      const style = scene.styles.get(box.id);
      const frame = box.kind === "frame";
      context.fillStyle = frame
        ? colours.frame
        : colours.family(style?.family ?? "module");
      context.fillRect(r.x, r.y, r.w, r.h);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const within = (v: number, most: number) => Math.min(most - 1, Math.max(1, v));
    const [left, top] = [
      within((-x / scale) * this.across, w),
      within((-y / scale) * this.down, h),
    ];
    const right = within(((screen.width - x) / scale) * this.across, w);
    const bottom = within(((screen.height - y) / scale) * this.down, h);
    context.fillStyle = context.strokeStyle = colours.accent;
    context.globalAlpha = 0.14;
    context.fillRect(left, top, right - left, bottom - top);
    context.globalAlpha = 1;
    context.lineWidth = 1.5;
    context.strokeRect(left, top, right - left, bottom - top);
  }
}

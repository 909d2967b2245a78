/** A small picture of the whole graph with the visible part marked. */
import { html } from "./dom";
import type { Scene } from "./graph_state";
import type { Rect } from "./layout";
import type { Lifetime } from "./model";
import { coloursOf } from "./theme";
import type { Size, Viewport } from "./viewport";

const MAX_SIZE: Size = { width: 110, height: 170 };
/** a long chain is not drawn thinner than this */
const MIN_WIDTH = 20;
/** a narrower view (beside the details) has no space for it */
const NARROW = 560;

export class Minimap {
  readonly element = html("canvas", { class: "edt-map", "aria-hidden": "true" });
  private across = 1;
  private down = 1;

  constructor(
    private readonly viewport: Viewport,
    private readonly screen: () => Size,
    /** width of graph and map together */
    private readonly availableWidth: () => number,
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

  draw(scene: Scene): void {
    const { width, height } = scene.placed;
    const { x, y, scale } = this.viewport;
    const available = this.availableWidth();
    const fits = width * scale <= available && height * scale <= this.screen().height;
    const hidden = fits || available < NARROW;
    this.element.hidden = hidden;
    if (hidden) return;
    this.down = Math.min(MAX_SIZE.width / width, MAX_SIZE.height / height);
    this.across = Math.max(this.down, MIN_WIDTH / width);
    const ratio = window.devicePixelRatio || 1;
    const [w, h] = [width * this.across, height * this.down];
    Object.assign(this.element.style, { width: `${w}px`, height: `${h}px` });
    Object.assign(this.element, { width: w * ratio, height: h * ratio });
    const screen = this.screen(); // now that the map has its place beside it
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

/** Paints a graph on a canvas, for more boxes than SVG can move smoothly. */

import { type BoxStyle, titleGround } from "./box_style";
import type { Box } from "./boxes";
import { html } from "./dom";
import type { Scene } from "./graph_state";
import { bend, type Marks, type Painter } from "./graph_svg";
import { HEADER, type Point, type Rect, type Route } from "./layout";
import { type Colours, coloursOf } from "./theme";
import type { Viewport } from "./viewport";

/** Below this scale text is illegible: a box is a dot in its family's colour. */
const TEXT_SCALE = 0.5;
/** The minimum width of lines in pixels. */
const THIN = 0.6;

interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function overlaps(area: Area, r: Rect): boolean {
  return (
    r.x < area.right &&
    r.x + r.w > area.left &&
    r.y < area.bottom &&
    r.y + r.h > area.top
  );
}

function crosses(area: Area, points: Point[], right: boolean): boolean {
  const [first, last] = [points[0], points[points.length - 1]];
  return right
    ? first[0] < area.right && last[0] > area.left
    : first[1] < area.bottom && last[1] > area.top;
}

export class CanvasPainter implements Painter {
  readonly element = html("canvas", { class: "edt-canvas" });
  /** the number of boxes in the last frame, for tests */
  painted = 0;
  private scene: Scene | null = null;
  private marks: Marks = { selected: "", focus: "", now: "", found: new Set() };
  private view = { x: 0, y: 0, scale: 1 };
  private order: Box[] = [];

  paint(scene: Scene): void {
    this.scene = scene;
    const { boxes } = scene.folded;
    this.order = [...boxes].sort((a, b) => sort(a) - sort(b));
    this.redraw();
  }

  mark(marks: Marks): void {
    this.marks = marks;
    this.redraw();
  }

  setViewport({ x, y, scale }: Viewport): void {
    this.view = { x, y, scale };
    this.redraw();
  }

  elementId(): null {
    return null;
  }

  hit(_target: EventTarget | null, x: number, y: number): string {
    const { scene, view } = this;
    const [wx, wy] = [(x - view.x) / view.scale, (y - view.y) / view.scale];
    for (let i = this.order.length - 1; i >= 0; i--) {
      const { id, kind } = this.order[i];
      const r = scene?.placed.rects.get(id);
      if (!r || wx < r.x || wx > r.x + r.w || wy < r.y) continue;
      if (wy <= r.y + (kind === "frame" ? HEADER : r.h)) return id;
    }
    return "";
  }

  private redraw(): void {
    const { element, scene, view } = this;
    const context = element.getContext("2d");
    if (!context || !scene) return;
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = element;
    if (element.width !== width * ratio || element.height !== height * ratio) {
      element.width = width * ratio;
      element.height = height * ratio;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.translate(view.x, view.y);
    context.scale(view.scale, view.scale);
    const area = {
      left: -view.x / view.scale,
      top: -view.y / view.scale,
      right: (width - view.x) / view.scale,
      bottom: (height - view.y) / view.scale,
    };
    const boxes = this.order.filter((b) =>
      overlaps(area, scene.placed.rects.get(b.id) as Rect),
    );
    const right = scene.placed.direction === "right";
    const routes = scene.placed.routes.filter((r) => crosses(area, r.points, right));
    const frame = new Frame(context, scene, this.marks, coloursOf(element), view.scale);
    frame.draw(boxes, routes);
    this.painted = boxes.length;
  }
}

function sort(box: Box): number {
  return box.kind === "frame" ? 0 : 1;
}

/** The drawing of one frame. */
class Frame {
  constructor(
    private readonly c: CanvasRenderingContext2D,
    private readonly scene: Scene,
    private readonly marks: Marks,
    private readonly colours: Colours,
    private readonly scale: number,
  ) {}

  draw(boxes: Box[], routes: Route[]): void {
    const frames = boxes.filter((box) => box.kind === "frame");
    const lit = (route: Route) => Number(this.scene.flows.has(route.net));
    for (const route of [...routes].sort((a, b) => lit(a) - lit(b))) this.route(route);
    // frames are almost transparent: lines show through them, but not behind titles
    for (const box of frames) this.ground(box);
    for (const box of frames) this.frame(box);
    for (const box of boxes)
      if (box.kind === "frame") this.title(box);
      else this.box(box);
  }

  private get direction() {
    return this.scene.placed.direction;
  }

  private rect(box: Box): Rect {
    return this.scene.placed.rects.get(box.id) as Rect;
  }

  private frame(box: Box): void {
    const { c, colours } = this;
    const { x, y, w, h } = this.rect(box);
    this.outline(x, y, w, h, 12);
    c.fillStyle = colours.frame;
    c.fill();
    c.strokeStyle = colours.border;
    c.lineWidth = 1;
    c.stroke();
  }

  /** Hides lines where a frame's title will be. */
  private ground(box: Box): void {
    if (this.scale < TEXT_SCALE) return;
    const { x, y } = this.rect(box);
    const title = this.scene.styles.get(box.id)?.title ?? "";
    const ground = titleGround(title);
    this.c.fillStyle = this.colours.bg;
    this.c.fillRect(x + ground.x, y + ground.y, ground.width, ground.height);
  }

  private title(box: Box): void {
    if (this.scale < TEXT_SCALE) return;
    const { c, colours } = this;
    const { x, y } = this.rect(box);
    const title = `▾ ${this.scene.styles.get(box.id)?.title}`;
    c.font = `600 12px ${colours.font}`;
    c.fillStyle = colours.muted;
    c.fillText(title, x + 13, y + 21);
  }

  private box(box: Box): void {
    const { c, colours, marks } = this;
    const style = this.scene.styles.get(box.id) as BoxStyle;
    const { x, y, w, h } = this.rect(box);
    const round = box.kind === "param" ? h / 2 : box.kind === "input" ? 3 : 9;
    const dot = this.scale < TEXT_SCALE;
    const folded = box.kind === "module" || box.kind === "repeat";
    if (folded && !dot) this.plate(x + 4, y + 4, w, h, round, colours.panel);
    this.outline(x, y, w, h, round);
    c.fillStyle = dot ? colours.family(style.family) : colours.box;
    c.fill();
    const marked =
      [marks.selected, marks.focus, marks.now].includes(box.id) ||
      marks.found.has(box.id);
    this.pen(box, style);
    if (!dot || marked) c.stroke();
    c.setLineDash([]);
    if (dot) return;
    const inset = box.kind === "param" ? 14 : 9;
    c.fillStyle = colours.family(style.family);
    c.fillRect(x + inset, y + 12, 4, h - 24);
    this.text(style, folded ? "▸ " : "", x + inset + 12, y);
  }

  private plate(x: number, y: number, w: number, h: number, r: number, fill: string) {
    const { c, colours } = this;
    this.outline(x, y, w, h, r);
    c.fillStyle = fill;
    c.fill();
    c.strokeStyle = colours.border;
    c.lineWidth = 1;
    c.stroke();
  }

  /** A box's outline as in the style sheet for SVG, thick enough to be seen. */
  private pen({ id, kind }: Box, style: BoxStyle): void {
    const { c, colours, marks } = this;
    const given = kind === "const" || kind === "input";
    let [colour, width, dash] = [colours.border, 1, given ? [4, 3] : []];
    if (style.bad) [colour, width] = [colours.bad, 2];
    if (marks.found.has(id)) [colour, width] = [colours.found, 2.5];
    if (id === marks.now) [colour, width] = [colours.found, 4];
    if (id === marks.focus) [colour, width, dash] = [colours.accent, 2, [3, 2]];
    if (id === marks.selected) [colour, width, dash] = [colours.accent, 3, []];
    c.strokeStyle = colour;
    c.lineWidth = width > 1 ? Math.max(width, 1.5 / this.scale) : width;
    c.setLineDash(dash);
  }

  private text(style: BoxStyle, sign: string, x: number, y: number): void {
    const { c, colours } = this;
    c.fillStyle = colours.text;
    c.font = `600 12.5px ${colours.font}`;
    c.fillText(sign + style.title, x, y + 19);
    c.font = `11px ${colours.font}`;
    c.fillStyle = colours.muted;
    c.fillText(style.sub, x, y + 33.5);
    if (style.bad || style.grad) c.font = `600 11px ${colours.font}`;
    c.fillStyle = style.bad ? colours.bad : style.grad ? colours.grad : colours.muted;
    c.fillText(style.foot, x, y + 48);
  }

  private outline(x: number, y: number, w: number, h: number, r: number): void {
    this.c.beginPath();
    this.c.roundRect(x, y, w, h, r);
  }

  private route({ points, net, from, arrow, long }: Route): void {
    const { c, colours } = this;
    const grad = this.scene.flows.has(net);
    c.beginPath();
    c.moveTo(...points[0]);
    for (let i = 1; i < points.length; i++) {
      const [[ax, ay], [bx, by]] = [points[i - 1], points[i]];
      if (ax === bx || ay === by || long) c.lineTo(bx, by);
      else {
        const [p, q] = bend([ax, ay], [bx, by], this.direction);
        c.bezierCurveTo(...p, ...q, bx, by);
      }
    }
    c.strokeStyle = grad ? colours.grad : colours.line;
    c.globalAlpha = long ? 0.35 : 1;
    const hot = net === (this.marks.focus || this.marks.selected);
    c.lineWidth = Math.max(hot ? 3 : grad ? 2 : 1.25, THIN / this.scale);
    c.stroke();
    c.globalAlpha = 1;
    if (this.scale < TEXT_SCALE) return;
    if (arrow) this.tip(points[points.length - 1]);
    if (grad && from === net) this.backTip(points[0]);
  }

  /** A gradient returns to the start of a line. */
  private backTip(at: Point): void {
    const { c } = this;
    this.wings(at, 7, 1);
    c.lineWidth = 1.6;
    c.stroke();
  }

  /** An arrowhead at `tip` pixels along the line, starting at `wing` pixels. */
  private wings([x, y]: Point, wing: number, tip: number): void {
    const { c } = this;
    const right = this.direction === "right";
    const go = (draw: "moveTo" | "lineTo", across: number, along: number) =>
      right ? c[draw](x + along, y + across) : c[draw](x + across, y + along);
    c.beginPath();
    go("moveTo", -4, wing);
    go("lineTo", 0, tip);
    go("lineTo", 4, wing);
  }

  private tip(at: Point): void {
    const { c } = this;
    this.wings(at, -8, 0);
    c.closePath();
    c.fillStyle = c.strokeStyle;
    c.fill();
  }
}

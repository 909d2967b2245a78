/** Draws a graph as SVG. Elements are reused from one picture to the next. */

import { type BoxStyle, titleGround } from "./box_style";
import type { Box } from "./boxes";
import type { Direction } from "./direction";
import { attr, setText, svg } from "./dom";
import type { Scene } from "./graph_state";
import { BOX_H, HEADER, type Point, type Rect, type Route } from "./layout";
import type { Viewport } from "./viewport";

/** The marks in the picture, by box id. */
export interface Marks {
  selected: string;
  focus: string;
  /** where training is paused */
  now: string;
  found: ReadonlySet<string>;
}

export interface Painter {
  readonly element: HTMLElement | SVGElement;
  /** Draw a scene; `moved` if boxes have moved. */
  paint(scene: Scene, moved: boolean): void;
  mark(marks: Marks): void;
  setViewport(viewport: Viewport): void;
  /** The element id of a box, null if there is none. */
  elementId(box: string): string | null;
  /** Box at a point of the screen, "" if none. */
  hit(target: EventTarget | null, x: number, y: number): string;
}

/** Curves between rows, straight lines within them. */
export function curve(
  points: Point[],
  straight = false,
  direction: Direction = "down",
): string {
  let path = `M${at(points[0])}`;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    path +=
      straight || level(a, b)
        ? `L${at(b)}`
        : `C${bend(a, b, direction).map(at).join(" ")} ${at(b)}`;
  }
  return path;
}

function level(a: Point, b: Point): boolean {
  return a[0] === b[0] || a[1] === b[1];
}

/** The inner control points of a curve that leaves and arrives along the flow. */
export function bend(a: Point, b: Point, direction: Direction): [Point, Point] {
  const [x, y] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  return direction === "right"
    ? [
        [x, a[1]],
        [x, b[1]],
      ]
    : [
        [a[0], y],
        [b[0], y],
      ];
}

function at([x, y]: Point): string {
  return `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
}

class BoxElement {
  readonly element: SVGGElement;
  /** of a frame: hides lines where its title is */
  readonly ground = svg("rect", { class: "edt-ground" });
  private readonly texts: SVGTextElement[];
  private readonly tip = svg("title");
  private drawn = "";

  constructor(
    private readonly kind: Box["kind"],
    private readonly shape: SVGRectElement,
    private readonly back: SVGRectElement,
    private readonly strip: SVGRectElement,
  ) {
    const [title, sub, foot] = ["title", "sub", "foot"].map((name) =>
      svg("text", { class: `edt-${name}` }),
    );
    this.texts = [title, sub, foot];
    const group = kind === "frame" ? "frame" : "node";
    this.element = svg("g", { class: group, "data-kind": kind });
    this.element.append(this.tip);
    if (kind === "module" || kind === "repeat") this.element.append(back);
    this.element.append(shape);
    this.element.append(strip);
    this.element.append(...this.texts);
  }

  draw(box: Box, rect: Rect, style: BoxStyle, elementId: string): void {
    const drawn = JSON.stringify([box.id, rect, style, elementId]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    attr(this.element, {
      id: elementId,
      role: "img",
      "aria-label": style.label,
      "data-box": box.id,
      "data-id": box.node || box.id,
      "data-module": box.node === "" ? box.path : null,
      "data-family": style.family,
      "data-grad": style.grad ? "1" : "0",
      "data-bad": style.bad,
    });
    const place = `translate(${at([rect.x, rect.y]).split(",").join("px,")}px)`;
    this.element.style.transform = place;
    this.ground.style.transform = place;
    setText(this.tip, `${box.title}\n${box.sub}`);
    if (this.kind === "frame") this.drawFrame(rect, style);
    else this.drawBox(rect, style);
  }

  private drawFrame(rect: Rect, style: BoxStyle): void {
    attr(this.shape, { width: rect.w, height: rect.h, rx: 12 });
    attr(this.strip, { class: "edt-header", width: rect.w, height: HEADER, rx: 12 });
    attr(this.texts[0], { x: 13, y: 21 });
    setText(this.texts[0], `▾ ${style.title}`);
    attr(this.ground, titleGround(style.title));
  }

  remove(): void {
    this.element.remove();
    this.ground.remove();
  }

  private drawBox(rect: Rect, style: BoxStyle): void {
    const round = this.kind === "param" ? BOX_H / 2 : this.kind === "input" ? 3 : 9;
    const size = { width: rect.w, height: rect.h, rx: round };
    attr(this.shape, size);
    attr(this.back, { ...size, x: 4, y: 4 });
    const inset = this.kind === "param" ? 14 : 9;
    attr(this.strip, { x: inset, y: 12, width: 4, height: rect.h - 24, rx: 2 });
    const folded = this.kind === "module" || this.kind === "repeat";
    const lines = [folded ? `▸ ${style.title}` : style.title, style.sub, style.foot];
    this.texts.forEach((element, i) => {
      attr(element, { x: inset + 12, y: 19 + 14.5 * i });
      setText(element, lines[i]);
    });
  }
}

export class SvgPainter implements Painter {
  readonly element = svg("svg", { class: "edt-svg", "aria-hidden": false });
  private readonly world = svg("g");
  private readonly frames = svg("g");
  private readonly lines = svg("g", { class: "edt-lines" });
  private readonly grounds = svg("g");
  private readonly nodes = svg("g");
  private boxes = new Map<string, BoxElement>();
  private order: string[] = [];
  private paths: { route: Route; element: SVGPathElement }[] = [];
  private form = "";

  /** `prefix` distinguishes the ids of several views on a page. */
  constructor(private readonly prefix: string) {
    const arrow = (id: string, path: string, refX: number, kind: string) =>
      svg(
        "marker",
        {
          id: prefix + id,
          viewBox: "0 0 10 10",
          refX,
          refY: 5,
          markerWidth: 9,
          markerHeight: 9,
          markerUnits: "userSpaceOnUse",
          orient: "auto",
        },
        svg("path", { d: path, class: `edt-tip-${kind}` }),
      );
    const solid = "M0,1 L9,5 L0,9 z";
    this.element.append(
      svg(
        "defs",
        {},
        arrow("tip", solid, 9, "value"),
        arrow("tip-grad", solid, 9, "grad"),
        arrow("back", "M9,1 L2,5 L9,9", 0, "back"),
      ),
      this.world,
    );
    // frames are almost transparent: lines show through them, but not behind titles
    this.world.append(this.lines, this.grounds, this.frames, this.nodes);
  }

  paint(scene: Scene, moved: boolean): void {
    this.rekey(scene);
    const seen = new Set<string>();
    for (const [i, box] of scene.folded.boxes.entries()) {
      seen.add(box.id);
      this.elementFor(box).draw(
        box,
        scene.placed.rects.get(box.id) as Rect,
        scene.styles.get(box.id) as BoxStyle,
        `${this.prefix}box${i}`,
      );
    }
    for (const [id, box] of this.boxes) {
      if (seen.has(id)) continue;
      box.remove();
      this.boxes.delete(id);
    }
    if (moved || scene.form !== this.form) this.drawLines(scene);
    this.form = scene.form;
    this.order = scene.folded.boxes.map((b) => b.id);
    this.paths.forEach(({ element }, i) => {
      this.colour(element, scene.placed.routes[i], scene);
    });
    this.raise();
  }

  /** In pictures of equal form the i-th boxes correspond, whatever their ids. */
  private rekey(scene: Scene): void {
    if (scene.form !== this.form) return;
    const kept = new Map<string, BoxElement>();
    scene.folded.boxes.forEach((box, i) => {
      kept.set(box.id, this.boxes.get(this.order[i]) as BoxElement);
    });
    this.boxes = kept;
  }

  private elementFor(box: Box): BoxElement {
    const found = this.boxes.get(box.id);
    const sort = box.kind === "frame" ? "frame" : "node";
    if (found?.element.getAttribute("data-kind") === box.kind) return found;
    found?.remove();
    const rects = ["edt-shape", "edt-back", "edt-strip"].map((name) =>
      svg("rect", { class: name }),
    );
    const made = new BoxElement(box.kind, rects[0], rects[1], rects[2]);
    made.element.classList.add("edt-new");
    (sort === "frame" ? this.frames : this.nodes).append(made.element);
    if (sort === "frame") this.grounds.append(made.ground);
    this.boxes.set(box.id, made);
    return made;
  }

  private drawLines(scene: Scene): void {
    const { direction, routes } = scene.placed;
    this.paths = routes.map((route) => {
      const d = curve(route.points, route.long, direction);
      return { route, element: svg("path", { d, class: "edt-line" }) };
    });
    this.lines.replaceChildren(...this.paths.map((p) => p.element));
  }

  /** Lines that carry gradients lie above the others, whose heads would hide theirs. */
  private raise(): void {
    const elements = this.paths.map((path) => path.element);
    const lit = elements.filter((element) => element.dataset.grad === "1");
    const top = [...this.lines.children].slice(elements.length - lit.length);
    const raised = top.every((e) => e.getAttribute("data-grad") === "1");
    if (!raised) this.lines.append(...lit);
  }

  private colour(element: SVGPathElement, route: Route, scene: Scene): void {
    const line = `${route.from}>${route.to}`;
    const grad = scene.flows.has(route.net) || scene.flows.has(line);
    const tip = route.arrow ? `url(#${this.prefix}tip${grad ? "-grad" : ""})` : null;
    const back = grad && route.from === route.net ? `url(#${this.prefix}back)` : null;
    attr(element, {
      "data-net": route.net,
      "data-line": line,
      "data-grad": grad ? "1" : "0",
      "data-long": route.long,
      "marker-end": tip,
      "marker-start": back,
    });
  }

  mark({ selected, focus, now, found }: Marks): void {
    for (const [id, { element }] of this.boxes) {
      element.classList.toggle("edt-selected", id === selected);
      element.classList.toggle("edt-focus", id === focus);
      element.classList.toggle("edt-now", id === now);
      element.classList.toggle("edt-found", found.has(id));
    }
    const net = focus || selected;
    for (const { element } of this.paths)
      element.classList.toggle("edt-hot", element.getAttribute("data-net") === net);
  }

  /** Highlight these lines. */
  heat(lines: ReadonlySet<string>): void {
    for (const { element } of this.paths)
      element.classList.toggle("edt-hot", lines.has(element.dataset.line ?? ""));
  }

  setViewport({ x, y, scale }: Viewport): void {
    attr(this.world, { transform: `translate(${x},${y}) scale(${scale})` });
  }

  elementId(box: string): string | null {
    return this.boxes.get(box)?.element.id ?? null;
  }

  hit(target: EventTarget | null): string {
    const box = target instanceof Element ? target.closest("[data-box]") : null;
    return box?.getAttribute("data-box") ?? "";
  }
}

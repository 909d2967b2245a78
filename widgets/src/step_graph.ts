/** The drawn graph around the current moment of a Stepper; a click or Enter moves there. */
import type { Box } from "./boxes";
import { betterDirection, type Direction, shown } from "./direction";
import { attr, consume, html } from "./dom";
import { isDirection, neighbour } from "./graph_keyboard";
import { listenToPointer } from "./graph_pointer";
import type { Scene } from "./graph_state";
import { SvgPainter } from "./graph_svg";
import { type Layout, layout } from "./layout";
import type { Lifetime } from "./model";
import { type Near, StepMap } from "./step_near";
import type { Row } from "./step_rows";
import type { StepData } from "./step_types";
import { MARGIN, Viewport } from "./viewport";

/** operations before and after: as many as are legible, at least one */
const HOPS = [3, 2, 1];
const WHOLE = 0.9;
/** the smallest scale for what still does not fit */
const LEAST = 0.8;
let graphs = 0;

export class StepGraph {
  readonly element = html("div", {
    class: "edt-stage",
    role: "application",
    tabindex: 0,
    "data-testid": "step-graph",
  });
  private readonly painter = new SvgPainter(`edt-near${graphs++}-`);
  private readonly viewport: Viewport;
  private map: StepMap | null = null;
  private row: Row | null = null;
  private near: Near | null = null;
  private scene: Scene | null = null;
  private focus = "";

  constructor(
    life: Lifetime,
    private readonly go: (at: number) => void,
    private readonly leave: () => void,
  ) {
    this.viewport = new Viewport(
      () => this.frame(),
      () => this.painter.setViewport(this.viewport),
    );
    this.element.append(this.painter.element);
    listenToPointer(this.element, this.viewport, life, {
      pressed: () => {},
      clicked: (target) => this.enter(this.painter.hit(target)),
    });
    life.listen(this.element, "keydown", (event) => this.key(event));
    life.listen(this.element, "blur", () => this.moveTo(""));
    life.onAppearance(this.element, () => this.redraw());
  }

  /** Set another step, or more of it. */
  take(data: StepData): void {
    this.map = new StepMap(data);
  }

  /** Draw the neighbourhood of a row. */
  show(row: Row): void {
    this.row = row;
    this.focus = "";
    this.redraw();
  }

  private frame() {
    const { clientWidth, clientHeight } = this.element;
    return { width: clientWidth || 600, height: clientHeight || 200 };
  }

  private redraw(): void {
    if (!this.map || !this.row) return;
    const { near, placed } = this.fitting(this.map, this.row);
    const { folded, styles, flows, lit } = near;
    const form = [...styles.keys(), ...folded.edges.map((e) => e.to)].join();
    this.near = near;
    this.scene = { folded, placed, styles, flows, form };
    this.painter.paint(this.scene, true);
    this.painter.heat(near.hot);
    this.viewport.open(placed, placed.rects.get(lit), LEAST);
    this.painter.setViewport(this.viewport);
    attr(this.element, {
      "data-backward": near.backward,
      "aria-label": `${this.words(near)} Arrow keys follow lines, Enter goes there.`,
    });
    this.mark();
  }

  /** As many operations before and after as the frame can show. */
  private fitting(map: StepMap, row: Row): { near: Near; placed: Layout } {
    const { width, height } = this.frame();
    const frame = { width: width - 2 * MARGIN, height: height - 2 * MARGIN };
    let last: { near: Near; placed: Layout } | null = null;
    for (const hops of HOPS) {
      const near = map.around(row, hops);
      const wide = {
        ...near.folded,
        boxes: near.folded.boxes.map((b) => asWide(b, near)),
      };
      const ways = { down: layout(wide), right: layout(wide, "right") };
      const way: Direction = betterDirection("", ways.down, ways.right, frame);
      last = { near, placed: ways[way] };
      if (shown(ways[way], frame) >= WHOLE) break;
    }
    return last as { near: Near; placed: Layout };
  }

  /** A text version: the current box, its sources and its users. */
  private words({ folded, styles, lit, backward }: Near): string {
    const label = (id: string) => styles.get(id)?.title ?? "";
    const { edges } = folded;
    const from = edges.filter((e) => e.to === lit).map((e) => label(e.from));
    const to = edges.filter((e) => e.from === lit).map((e) => label(e.to));
    const parts = [`Graph around ${styles.get(lit)?.label ?? ""}`];
    if (backward) parts.push("in backward");
    if (from.length > 0) parts.push(`reads ${from.join(", ")}`);
    if (to.length > 0) parts.push(`read by ${to.join(", ")}`);
    return `${parts.join("; ")}.`;
  }

  private mark(): void {
    const { near, focus } = this;
    if (!near) return;
    const none: ReadonlySet<string> = new Set();
    this.painter.mark({ selected: "", focus, now: near.lit, found: none });
    this.painter.heat(near.hot);
    attr(this.element, { "aria-activedescendant": this.painter.elementId(focus) });
  }

  private moveTo(id: string): void {
    this.focus = id;
    const rect = this.scene?.placed.rects.get(id);
    if (rect) this.viewport.follow(rect);
    this.mark();
  }

  private enter(id: string): void {
    if (!this.map || !this.row || id === "") return;
    const at = this.map.target(id, this.row);
    if (at >= 0) this.go(at);
  }

  /** Arrow keys select a box, Enter goes there; other keys step. */
  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.scene) return;
    const { key } = event;
    const at = this.focus || (this.near?.lit ?? "");
    if (isDirection(key)) this.moveTo(neighbour(this.scene, at, key));
    else if (key === "Enter" || key === " ") this.enter(at);
    else if (key === "Escape") this.leave();
    else return;
    consume(event);
  }
}

/** A box as wide as its last line needs. */
function asWide(box: Box, { styles }: Near): Box {
  const foot = styles.get(box.id)?.foot ?? "";
  return foot.length > box.sub.length ? { ...box, sub: foot } : box;
}

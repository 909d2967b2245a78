/**
 * GraphView: what did my code just compute, and which module did it?
 *
 * The Python half is `edutorch/widgets/graph_view.py`. Synced traits: `data` (snapshot),
 * `expanded` (open module paths; empty = chosen here), `selected` (node id), `direction`
 * ("" = chosen here), `frozen`, `status`. Up to MAX_SVG boxes are drawn as SVG, more on a canvas.
 */

import type { Box } from "./boxes";
import type { Direction, Size } from "./direction";
import { attr, html, refill, setText } from "./dom";
import { CanvasPainter } from "./graph_canvas";
import { type Actions, HELP, pressed } from "./graph_commands";
import { ageHint, DetailPanel, graphFacts } from "./graph_detail";
import { endBox, neighbour, startBox } from "./graph_keyboard";
import { listenToPointer } from "./graph_pointer";
import { GraphSearch } from "./graph_search";
import { GraphState, toGraph } from "./graph_state";
import { type Painter, SvgPainter } from "./graph_svg";
import { graphTable } from "./graph_table";
import { legend, Tools } from "./graph_toolbar";
import { Height, MAX_HEIGHT } from "./height";
import { Minimap } from "./minimap";
import { type Model, strings, text } from "./model";
import { followPlace } from "./places";
import { Shell } from "./shell";
import { MARGIN, Viewport } from "./viewport";

const MAX_SVG = 300;
/** what must be visible of an opened frame */
const HEAD = { w: 220, h: 60 };
let views = 0;

class GraphView {
  private readonly shell: Shell;
  private readonly state = new GraphState();
  private readonly prefix = `edt${++views}-`;
  private readonly stage = html("div", {
    class: "edt-stage",
    role: "application",
    tabindex: 0,
    "aria-label": `Graph. ${HELP}`,
  });
  /** the graph, with its map beside it */
  private readonly plane = html("div", { class: "edt-plane" }, this.stage);
  private readonly detail = new DetailPanel(() => this.select(""));
  private readonly table = html("div", { class: "edt-table", hidden: true });
  private readonly body = html(
    "div",
    { class: "edt-body" },
    this.plane,
    this.table,
    this.detail.element,
  );
  private readonly height = new Height(this.body);
  private readonly empty = html("p", { class: "edt-empty" });
  /** in the legend, whose height stays the same when this appears */
  private readonly age = html("span", { class: "edt-age" });
  private readonly legend = legend(this.age);
  /** read aloud, since boxes on a canvas are not elements that can have the focus */
  private readonly spoken = html("span", { class: "edt-quiet", "aria-live": "polite" });
  private readonly tools: Tools;
  private readonly viewport: Viewport;
  private readonly minimap: Minimap;
  private painter: Painter = new SvgPainter(this.prefix);
  private readonly search: GraphSearch;
  /** the box where training is paused */
  private lit = "";
  /** the last move in the graph was by keyboard: its box is marked */
  private byKeys = false;

  constructor(
    private readonly model: Model,
    el: HTMLElement,
  ) {
    this.shell = new Shell(model, el, "graph", "Graph");
    this.viewport = new Viewport(
      () => this.screen(),
      () => this.relook(),
    );
    this.minimap = new Minimap(
      this.viewport,
      () => this.screen(),
      () => this.sizeOf(this.plane),
      this.shell.life,
    );
    this.tools = new Tools(this.shell.life, {
      fold: () => this.deepen(false),
      unfold: () => this.deepen(true),
      zoom: (factor) => this.viewport.zoom(factor),
      fit: () => this.viewport.fit(this.state.scene.placed),
      turn: (direction) => this.turn(direction),
      table: (shown) => {
        this.table.hidden = !shown;
        this.refresh(false);
      },
    });
    this.search = new GraphSearch(this.shell.life, this.state, this.tools, {
      mark: () => this.mark(),
      opened: () => {
        this.saveExpanded();
        this.refresh(true);
      },
      go: (id) => this.goTo(id),
      leave: () => this.stage.focus(),
    });
    this.shell.bar.append(this.tools.element);
    this.stage.append(this.painter.element, this.spoken);
    this.plane.append(this.minimap.element);
    this.shell.root.append(this.empty, this.body, this.legend);
    this.listen();
    this.state.frame = () => this.frame();
    this.state.held = () => this.viewport.touched || Boolean(this.state.data.now);
    this.state.wanted = this.direction;
    this.state.setExpanded(strings(model, "expanded"));
    this.state.selected = text(model, "selected");
    this.shell.follow(() => this.update());
  }

  end(): void {
    this.shell.life.end();
  }

  private sizeOf({ clientWidth, clientHeight }: HTMLElement): Size {
    return { width: clientWidth || 800, height: clientHeight || 500 };
  }

  private screen(): Size {
    return this.sizeOf(this.stage);
  }

  /** The space for the graph: the view grows where nothing else sets its height. */
  private frame(): Size {
    const { width, height } = this.sizeOf(this.plane);
    const free = this.height.free ? MAX_HEIGHT : height;
    return { width: width - 2 * MARGIN, height: free - 2 * MARGIN };
  }

  private listen(): void {
    const { life } = this.shell;
    life.watch(this.model, "change:selected", () => {
      if (text(this.model, "selected") === this.state.selected) return;
      this.state.selected = text(this.model, "selected");
      this.refresh(false);
    });
    life.watch(this.model, "change:expanded", () => {
      const list = strings(this.model, "expanded");
      if (list.join("\n") === this.state.expanded.join("\n")) return;
      this.state.setExpanded(list);
      this.refresh(this.state.update(this.state.data));
    });
    life.watch(this.model, "change:direction", () => {
      if (this.direction !== this.state.wanted) this.turned(this.direction);
    });
    life.listen(this.stage, "keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey) this.byKeys = true;
      pressed(event, this.actions());
    });
    life.listen(this.detail.element, "click", (event) =>
      followPlace(event.target, this.model),
    );
    life.listen(this.table, "click", (event) => {
      const name = event.target instanceof Element ? event.target : null;
      const id = name?.closest("[data-select]")?.getAttribute("data-select");
      if (id) this.select(id);
    });
    life.onAppearance(this.stage, () => {
      if (this.state.reframe()) this.refresh(true);
      this.makeRoom();
      if (!this.viewport.touched) this.reopen();
      this.relook();
    });
    listenToPointer(this.stage, this.viewport, life, {
      pressed: () => {
        this.byKeys = false;
      },
      clicked: (target, x, y) => {
        const box = this.state.box(this.painter.hit(target, x, y));
        if (!box) return;
        this.state.focus = box.kind === "frame" ? "" : box.id;
        this.activate(box);
      },
    });
  }

  /** Handle new data. */
  private update(): void {
    const data = toGraph(this.model.get("data"));
    this.refresh(this.state.update(data));
    this.shell.drawn(data.rev, this.facts(), data.step);
  }

  private facts(): string {
    return graphFacts(this.state.data, this.state.boxCount(), this.shell.compact);
  }

  /** Handle a change of the trait `direction`. */
  private get direction(): Direction | "" {
    const given = text(this.model, "direction");
    return given === "down" || given === "right" ? given : "";
  }

  /** Turn the drawing at the reader's request. */
  private turn(direction: Direction): void {
    this.turned(direction);
    this.model.set("direction", direction);
    this.model.save_changes();
  }

  private turned(direction: Direction | ""): void {
    this.viewport.touched = false;
    this.refresh(this.state.turn(direction));
  }

  /** Draw the current state; `moved` if boxes have moved. */
  private refresh(moved: boolean): void {
    const { scene, data } = this.state;
    const blank = data.nodes.length === 0;
    this.empty.hidden = !blank;
    const of = data.of ? `in which ${data.of} takes part ` : "";
    setText(
      this.empty,
      `Nothing recorded yet. The next computation ${of}is drawn here.`,
    );
    this.body.hidden = blank;
    this.plane.hidden = !this.table.hidden;
    this.legend.hidden = blank;
    this.tools.element.hidden = blank;
    this.tools.able(this.state.canFold, this.state.canUnfold);
    this.tools.turned(this.state.direction);
    attr(this.plane, { "data-direction": this.state.direction });
    this.choosePainter();
    this.makeRoom();
    if (moved && !this.viewport.touched) this.reopen();
    this.painter.paint(scene, moved);
    this.relook();
    this.mark();
    this.showSelected();
    this.shell.tell(this.facts());
    this.showAge();
    if (!this.table.hidden) this.listNodes();
  }

  /** Tall enough for the graph as first shown; text gets the whole space. */
  private makeRoom(): void {
    const text = this.state.selected !== "" || !this.table.hidden;
    const { scene } = this.state;
    const tall = this.viewport.tall(scene.placed) + this.minimap.below(scene);
    if (text) this.height.grow(Number.POSITIVE_INFINITY);
    else if (scene.placed.height > 0) this.height.grow(tall);
  }

  private showAge(): void {
    const { data } = this.state;
    const hint = ageHint(data);
    setText(
      this.age,
      hint && `graph of step ${data.step}, values from step ${data.recorded_step}`,
    );
    attr(this.age, { title: hint || null });
  }

  private listNodes(): void {
    refill(this.table, graphTable(this.state.data, this.state.selected));
  }

  private choosePainter(): void {
    const many = this.state.boxCount() > MAX_SVG;
    if (many === this.painter instanceof CanvasPainter) return;
    const old = this.painter.element;
    this.painter = many ? new CanvasPainter() : new SvgPainter(this.prefix);
    old.replaceWith(this.painter.element);
  }

  private relook(): void {
    this.painter.setViewport(this.viewport);
    this.minimap.draw(this.state.scene);
  }

  private mark(): void {
    const { state } = this;
    const selected = state.boxOf(state.selected)?.id ?? "";
    const boxes = this.search.found.flatMap((id) => state.boxOf(id)?.id ?? []);
    const focus = this.byKeys ? state.focus : "";
    const now = state.boxOf(state.data.now ?? "")?.id ?? "";
    this.painter.mark({ selected, focus, now, found: new Set(boxes) });
    this.followTo(now);
    const spoken = state.scene.styles.get(state.focus)?.label;
    setText(this.spoken, this.painter instanceof CanvasPainter ? (spoken ?? "") : "");
    attr(this.stage, {
      "aria-activedescendant": this.painter.elementId(state.focus),
      "aria-label": spoken ?? `Graph. ${HELP}`,
    });
  }

  /** The first view of a graph, and where training is paused in it. */
  private reopen(): void {
    const { scene, data } = this.state;
    const first = scene.placed.rects.get(startBox(scene));
    // along the flow, start at the graph's edge; across it, at the first box
    const along = this.state.direction === "down" ? { y: 0, h: 0 } : { x: 0, w: 0 };
    this.viewport.open(scene.placed, first && { ...first, ...along });
    this.lit = "";
    this.followTo(this.state.boxOf(data.now ?? "")?.id ?? "");
  }

  /** Training is paused at another op: bring it into view, once. */
  private followTo(now: string): void {
    const rect = this.state.scene.placed.rects.get(now);
    if (rect && now !== this.lit) this.viewport.follow(rect);
    this.lit = now;
  }

  private showSelected(): void {
    const { byId, selected, data } = this.state;
    this.detail.show(byId.get(selected), data);
  }

  private select(id: string): void {
    this.state.selected = id;
    this.model.set("selected", id);
    this.model.save_changes();
    this.detail.forget();
    this.makeRoom();
    this.mark();
    this.showSelected();
    if (!this.table.hidden) this.listNodes();
  }

  /** Click or Enter on a box: open, close, or show it. */
  private activate(box: Box): void {
    if (box.node !== "") this.select(box.node);
    else this.toggle(box);
  }

  private toggle(box: Box): void {
    const before = this.state.scene.placed.rects.get(box.id);
    this.viewport.touched = true; // do not turn what has just been opened
    this.state.toggle(box);
    const after = this.state.scene.placed.rects.get(box.id);
    const middle = this.state.direction === "down" ? 0.5 : 0;
    if (before && after) this.viewport.hold(before, after, middle, HEAD);
    const inside = this.state.scene.folded.boxes.find((b) => b.parent === box.id);
    this.state.focus =
      this.state.box(box.id)?.kind === "frame" ? (inside?.id ?? "") : box.id;
    this.saveExpanded();
    this.refresh(true);
  }

  private deepen(open: boolean): void {
    this.viewport.touched = false;
    if (open) this.state.unfold();
    else this.state.foldInnermost();
    this.state.focus = "";
    this.saveExpanded();
    this.refresh(true);
  }

  private saveExpanded(): void {
    this.model.set("expanded", this.state.expanded);
    this.model.save_changes();
  }

  private moveTo(id: string): void {
    this.state.focus = id;
    const rect = this.state.scene.placed.rects.get(id);
    if (rect) this.viewport.reveal(rect);
    this.mark();
  }

  private actions(): Actions {
    const { state, viewport } = this;
    return {
      move: (key) => this.moveTo(neighbour(state.scene, state.focus, key)),
      pan: (dx, dy) => viewport.pan(dx, dy),
      end: (last) => this.moveTo(endBox(state.scene, last)),
      zoom: (factor) => viewport.zoom(factor),
      fit: () => viewport.fit(state.scene.placed),
      turn: () => this.turn(state.direction === "down" ? "right" : "down"),
      search: () => this.tools.search.focus(),
      enter: (fold) => this.enter(fold),
      escape: () => this.escape(),
    };
  }

  private enter(fold: boolean): void {
    const box = this.state.box(this.state.focus);
    const target = fold ? this.state.box(box?.parent ?? "") : box;
    if (target) this.activate(target);
  }

  private escape(): void {
    if (this.state.selected !== "") this.select("");
    else this.moveTo("");
  }

  /** Show a node found by the search. */
  private goTo(id: string): void {
    const { state } = this;
    this.select(id);
    const box = state.boxOf(id)?.id ?? "";
    const rect = state.scene.placed.rects.get(box);
    if (rect) this.viewport.approach(rect);
    this.moveTo(box);
  }
}

/** Draw a GraphView into `el`; returns a function that removes it. */
export function renderGraph(model: Model, el: HTMLElement): () => void {
  const view = new GraphView(model, el);
  return () => view.end();
}

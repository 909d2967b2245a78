/**
 * A graph in the page, one node at a time: the reader steps forward and backward through
 * the nodes, sees the numbers of each step, changes the leaves, and may run backward twice.
 *
 * The Python half is `edutorch/course/interactions/graph_player.py`; the steps are in
 * `graph_frames.ts`.
 */
import { attr, button, html, refill, setText, svg } from "../dom";
import { Lifetime, type Model } from "../model";
import { CALLS, type Frame, framesOf, type GraphNode, titleOf } from "./graph_frames";

const LARGEST = 5;
/** milliseconds per step while it plays */
const PACE = 1200;
const ACROSS = 150;
const DOWN = 96;
const WIDE = 118;
const HIGH = 58;
const LEFT = 80;
const TOP = 36;
const WIDTH = 310;

const STYLE = `
.egp-controls { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; padding: 10px 12px 2px; }
.egp-controls label { display: inline-flex; align-items: center; gap: 6px; }
.egp-controls output { min-width: 1.6em; font-variant-numeric: tabular-nums; }
.egp-controls input { width: 110px; }
.edutorch .egp-words { margin: 8px 12px 4px; min-height: 40px; font-size: 15px; font-variant-numeric: tabular-nums; }
.egp-body { display: flex; flex-wrap: wrap; gap: 4px 20px; padding: 0 12px 10px; align-items: flex-start; }
.egp-graph { flex: 1 1 300px; max-width: 400px; min-width: 0; border-radius: 8px; }
.egp-graph svg { display: block; width: 100%; height: auto; }
.egp-graph text { text-anchor: middle; fill: var(--edt-text); font-size: 13px; font-variant-numeric: tabular-nums; }
.egp-node { cursor: pointer; }
.egp-node rect { fill: var(--edt-box); stroke: var(--edt-border); stroke-width: 1.2; }
.egp-node.egp-unknown rect { stroke-dasharray: 4 3; }
.egp-node.egp-here rect { stroke: var(--edt-accent); stroke-width: 3; }
.egp-graph .egp-title { font-weight: 650; }
.egp-graph .egp-unknown-value { fill: var(--edt-muted); }
.egp-graph .egp-grad, .egp-graph .egp-share { fill: var(--edt-grad); }
.egp-graph .egp-share { font-size: 12px; font-weight: 650; paint-order: stroke; stroke: var(--edt-bg); stroke-width: 4px; }
.egp-edge { fill: none; stroke: var(--edt-line); stroke-width: 1.4; }
.egp-edge.egp-used { stroke: var(--edt-grad); stroke-width: 2.2; }
.egp-tip { fill: var(--edt-line); }
.egp-tip.egp-used { fill: var(--edt-grad); }
.egp-log { flex: 1 1 300px; min-width: 0; margin: 0; padding: 4px 0 0 26px; font-size: 12.5px; font-variant-numeric: tabular-nums; }
.egp-log li { padding: 1px 0; color: var(--edt-muted); }
.egp-log li.egp-last { color: var(--edt-text); font-weight: 650; }
.egp-log li.egp-to-come { visibility: hidden; }
`;

interface State {
  graphs: Record<string, GraphNode[]>;
  graph: string;
  leaves: Record<string, number>;
  calls: string;
}

class GraphPlayer {
  private readonly life = new Lifetime();
  private readonly state: State;
  private frames: Frame[] = [];
  private at = 0;
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly graph = html("select", { "data-testid": "graph" });
  private readonly calls = html("select", { "data-testid": "calls" });
  private readonly play = button("Play", "Play", { "data-testid": "play" });
  private readonly sliders: Record<string, HTMLInputElement> = {};
  private readonly outputs: Record<string, HTMLElement> = {};
  private readonly words = html("p", {
    class: "egp-words",
    role: "status",
    "data-testid": "words",
  });
  private readonly board = html("div", {
    class: "egp-graph",
    tabindex: 0,
    role: "application",
    "data-testid": "board",
    "aria-label":
      "The graph. Arrow keys go from step to step, Home and End to the ends.",
  });
  private readonly picture = svg("svg", { "aria-hidden": "true" });
  private readonly log = html("ol", {
    class: "egp-log",
    start: 0,
    "data-testid": "log",
    "aria-label": "The steps so far",
  });
  private readonly redraw = this.life.perFrame(() => this.draw());

  constructor(model: Model, root: HTMLElement) {
    this.state = structuredClone(model.get("data") as State);
    const style = html("style");
    style.textContent = STYLE;
    this.board.append(this.picture);
    const body = html("div", { class: "egp-body" }, this.board, this.log);
    root.append(style, this.controls(), this.words, body);
    this.listen();
    this.life.add(() => this.pause());
    this.draw();
  }

  end(): void {
    this.life.end();
  }

  private controls(): HTMLElement {
    for (const name of Object.keys(this.state.graphs))
      this.graph.append(html("option", { value: name }, name));
    for (const name of CALLS) this.calls.append(html("option", { value: name }, name));
    this.graph.value = this.state.graph;
    this.calls.value = this.state.calls;
    const group = html("span", { class: "edt-group", role: "group" });
    const ways: [string, string, string, () => number][] = [
      ["first", "|◀", "To the beginning", () => 0],
      ["back", "◀", "Previous step", () => this.at - 1],
      ["step", "Step ▶", "Next step", () => this.at + 1],
      ["last", "▶|", "To the end", () => this.frames.length],
    ];
    for (const [id, face, label, to] of ways) {
      const made = button(face, label, { "data-testid": id });
      this.life.listen(made, "click", () => this.go(to()));
      group.append(made);
    }
    group.append(this.play);
    const row = html(
      "div",
      { class: "egp-controls" },
      html("label", {}, "L = ", this.graph),
    );
    for (const name of ["a", "b"]) row.append(this.slider(name));
    row.append(html("label", {}, "backward ", this.calls), group);
    return row;
  }

  private slider(name: string): HTMLElement {
    const made = html("input", {
      type: "range",
      min: -LARGEST,
      max: LARGEST,
      step: 1,
      "data-testid": name,
      "aria-label": name,
    });
    made.value = String(this.state.leaves[name]);
    this.sliders[name] = made;
    this.outputs[name] = html("output");
    this.life.listen(made, "input", () => {
      this.state.leaves[name] = Number(made.value);
      this.redraw();
    });
    return html("label", {}, name, made, this.outputs[name]);
  }

  private listen(): void {
    const { life, state } = this;
    life.listen(this.graph, "change", () => {
      state.graph = this.graph.value;
      this.go(0);
    });
    life.listen(this.calls, "change", () => {
      state.calls = this.calls.value;
      this.redraw();
    });
    life.listen(this.play, "click", () => (this.timer ? this.pause() : this.begin()));
    life.listen(this.board, "keydown", (event) => this.key(event));
    life.listen(this.board, "click", ({ target }) => {
      const node = (target as Element).closest("[data-node]");
      if (node) this.visit(node.getAttribute("data-node") ?? "");
    });
  }

  private key(event: KeyboardEvent): void {
    const to: Record<string, number> = {
      ArrowRight: this.at + 1,
      ArrowDown: this.at + 1,
      ArrowLeft: this.at - 1,
      ArrowUp: this.at - 1,
      Home: 0,
      End: this.frames.length,
    };
    if (!(event.key in to)) return;
    event.preventDefault();
    this.go(to[event.key]);
  }

  /** To the next step that concerns a node, wrapping around to its first. */
  private visit(name: string): void {
    const about = this.frames.flatMap(({ node }, i) => (node === name ? [i] : []));
    const next = about.find((i) => i > this.at) ?? about[0];
    if (next !== undefined) this.go(next);
  }

  private go(to: number, playing = false): void {
    if (!playing) this.pause();
    this.at = to;
    this.redraw();
  }

  private begin(): void {
    if (this.at >= this.frames.length - 1) this.at = -1;
    const next = () => {
      this.go(this.at + 1, true);
      if (this.at >= this.frames.length - 1) this.pause();
    };
    this.timer = setInterval(next, PACE);
    this.say("Pause");
    next();
  }

  private pause(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.say("Play");
  }

  private say(face: string): void {
    setText(this.play, face);
    attr(this.play, { title: face, "aria-label": face });
  }

  // ---- drawing

  private draw(): void {
    const { graphs, graph, leaves, calls } = this.state;
    const nodes = graphs[graph];
    this.frames = framesOf(nodes, leaves, calls);
    this.at = Math.max(0, Math.min(this.at, this.frames.length - 1));
    const frame = this.frames[this.at];
    for (const [name, slider] of Object.entries(this.sliders)) {
      slider.disabled = !nodes.some((node) => node.name === name);
      setText(this.outputs[name], slider.disabled ? "–" : String(leaves[name]));
    }
    setText(this.words, frame.words);
    const rows = Math.max(...nodes.map(({ y }) => y)) + 1;
    const high = rows * DOWN - (DOWN - HIGH) + 2 * (TOP - HIGH / 2);
    attr(this.picture, { viewBox: `0 0 ${WIDTH} ${high}` });
    refill(
      this.picture,
      ...this.edges(nodes, frame),
      ...nodes.map((node) => boxOf(node, frame)),
    );
    const lines = this.frames.map(({ words }, i) => {
      const look = i === this.at ? "egp-last" : i > this.at ? "egp-to-come" : "";
      return html("li", { class: look, "aria-hidden": i > this.at && "true" }, words);
    });
    refill(this.log, ...lines);
  }

  private edges(nodes: GraphNode[], frame: Frame): Element[] {
    const parts: Element[] = [];
    const labels: Element[] = [];
    const places = new Map(nodes.map((node) => [node.name, node]));
    for (const user of nodes) {
      const twice = new Set(user.inputs).size < user.inputs.length;
      user.inputs.forEach((name, i) => {
        const source = places.get(name);
        if (!source) return;
        const bend = twice ? 2 * i - 1 : 0;
        const [x1, y1] = [LEFT + source.x * ACROSS + 16 * bend, TOP + source.y * DOWN];
        const [x2, y2] = [LEFT + user.x * ACROSS + 16 * bend, TOP + user.y * DOWN];
        const [top, foot] = [y1 + HIGH / 2, y2 - HIGH / 2];
        const share = frame.sent[`${user.name}>${i}`];
        const used = share === undefined ? "" : "egp-used";
        parts.push(
          svg("path", {
            d: `M${x1} ${top}L${x2} ${foot - 4}`,
            class: `egp-edge ${used}`,
          }),
          svg("path", {
            d: `M${x2 - 4.5} ${foot - 8}h9L${x2} ${foot}z`,
            class: `egp-tip ${used}`,
          }),
        );
        if (share === undefined) return;
        const x = (x1 + x2) / 2 + (bend < 0 ? -15 : 15);
        const place = { x, y: (top + foot) / 2 + 4, class: "egp-share" };
        labels.push(svg("text", place, String(share)));
      });
    }
    return [...parts, ...labels];
  }
}

/** A node with its known value and gradient. */
function boxOf(node: GraphNode, frame: Frame): Element {
  const { name } = node;
  const [x, y] = [LEFT + node.x * ACROSS, TOP + node.y * DOWN];
  const known = name in frame.values;
  const look = `${known ? "" : "egp-unknown"} ${name === frame.node ? "egp-here" : ""}`;
  const value = known ? String(frame.values[name]) : "?";
  const grad = name in frame.grads ? `∇ ${frame.grads[name]}` : "";
  const text = (dy: number, words: string, kind: string) =>
    svg("text", { x, y: y + dy, class: kind }, words);
  return svg(
    "g",
    { class: `egp-node ${look}`, "data-node": name },
    svg("rect", {
      x: x - WIDE / 2,
      y: y - HIGH / 2,
      width: WIDE,
      height: HIGH,
      rx: 8,
    }),
    text(-11, titleOf(node), "egp-title"),
    text(6, value, known ? "" : "egp-unknown-value"),
    text(22, grad, "egp-grad"),
  );
}

/** Draw the interaction; returns a function that ends it. */
export function renderGraphPlayer(model: Model, el: HTMLElement): () => void {
  const made = new GraphPlayer(model, el);
  return () => made.end();
}

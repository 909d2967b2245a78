/**
 * Views beside the notebook, so that they and the training cell are seen at once.
 *
 * JupyterLab has no place for that which needs no extension. So the panel is put into the
 * notebook's own element, at its right, and the notebook is made so much narrower: the
 * panel moves, hides and closes with the notebook. The output keeps a line in place of
 * the view, and when the output goes (its cell runs again), so does the view.
 */
import { attr, button, consume, html } from "./dom";

const NOTEBOOK = ".jp-NotebookPanel";
/** the panel's share of the notebook's width, and the minimum for both */
const SHARE = 0.42;
const LEAST = 300;
const STEP = 40;

/** the panel's width in pixels as set by the reader, 0 for the default share */
let chosen = 0;

/** The panel of one notebook. */
class Side {
  private readonly edge = html("div", {
    class: "edt-edge",
    role: "separator",
    tabindex: 0,
    "aria-orientation": "vertical",
    "aria-label": "Width of the views. Left and right arrow keys change it.",
  });
  private readonly element = html(
    "aside",
    { class: "edt-side", "aria-label": "Views beside the notebook" },
    this.edge,
  );
  private readonly sizes = new ResizeObserver(() => this.fit());

  constructor(private readonly panel: HTMLElement) {
    this.edge.addEventListener("pointerdown", (event) => {
      this.edge.setPointerCapture(event.pointerId);
    });
    this.edge.addEventListener("pointermove", (event) => {
      if (event.buttons === 1)
        this.widen(this.panel.getBoundingClientRect().right - event.clientX);
    });
    this.edge.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
      if (!by) return;
      consume(event);
      this.widen(this.element.offsetWidth + by);
    });
  }

  take(root: HTMLElement): void {
    this.element.append(root);
    if (this.element.isConnected) return;
    this.panel.append(this.element);
    attr(this.panel, { "data-edt-side": true });
    this.sizes.observe(this.panel);
    this.fit();
  }

  /** Without views, give the space back to the notebook. */
  left(): void {
    if (this.element.children.length > 1) return;
    this.sizes.disconnect();
    this.element.remove();
    attr(this.panel, { "data-edt-side": null });
  }

  private widen(pixels: number): void {
    chosen = Math.max(LEAST, pixels);
    this.fit();
  }

  private fit(): void {
    const total = this.panel.clientWidth;
    const wanted = Math.max(LEAST, chosen || SHARE * total);
    const width = Math.round(Math.min(wanted, Math.max(total / 2, total - LEAST)));
    const book = this.panel.querySelector<HTMLElement>(".jp-Notebook");
    this.panel.style.setProperty("--edt-side", `${width}px`);
    this.element.style.top = `${book?.offsetTop ?? 0}px`;
    attr(this.edge, { "aria-valuenow": width, "aria-valuemin": LEAST });
    attr(this.edge, { "aria-valuemax": Math.max(LEAST, total - LEAST) });
  }
}

const sides = new WeakMap<Element, Side>();
/** for each view, the output that is docked, and the others that show it */
const holders = new Map<unknown, Dock>();
const waiting = new Set<Dock>();

/** The place of one view: its output, or the side of the notebook. */
export class Dock {
  private readonly away: HTMLElement;
  private side: Side | null = null;

  constructor(
    readonly view: unknown,
    private readonly root: HTMLElement,
    private readonly home: HTMLElement,
    title: string,
    back: () => void,
  ) {
    const bring = button("Bring back", `Show ${title} here again`);
    bring.addEventListener("click", back);
    this.away = html(
      "div",
      { class: "edutorch edt-away" },
      `${title} is shown beside `,
    );
    this.away.append("the notebook.", bring);
  }

  /** Whether there is a notebook to dock to. */
  get possible(): boolean {
    return this.home.closest(NOTEBOOK) !== null;
  }

  /** Dock the view, or put it back into the output. */
  settle(beside: boolean): void {
    const panel = this.home.closest<HTMLElement>(NOTEBOOK);
    if (!beside) this.comeBack();
    else if (panel) this.go(panel);
  }

  private go(panel: HTMLElement): void {
    const holder = holders.get(this.view) ?? this;
    if (holder !== this) waiting.add(this);
    else if (!this.side) {
      this.side = sides.get(panel) ?? new Side(panel);
      sides.set(panel, this.side);
      holders.set(this.view, this);
      keepFocus(this.root, () => this.side?.take(this.root));
    }
    if (this.away.isConnected && this.away.parentElement === this.home) return;
    this.home.replaceChildren(this.away);
  }

  private comeBack(): void {
    if (this.root.parentElement === this.home) return;
    keepFocus(this.root, () => this.home.replaceChildren(this.root));
    this.leave();
  }

  /** The view ends: another output that shows it replaces it. */
  end(): void {
    this.root.remove();
    this.away.remove();
    this.leave();
  }

  private leave(): void {
    waiting.delete(this);
    if (!this.side) return;
    this.side.left();
    this.side = null;
    holders.delete(this.view);
    for (const other of waiting)
      if (other.view === this.view) {
        waiting.delete(other);
        other.settle(true);
        return;
      }
  }
}

/** Moved elements lose the focus, which JupyterLab then gives to the cell. */
function keepFocus(root: HTMLElement, move: () => void): void {
  const focus = document.activeElement;
  const held = focus instanceof HTMLElement && root.contains(focus);
  move();
  if (held) requestAnimationFrame(() => focus.focus({ preventScroll: true }));
}

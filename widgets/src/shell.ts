/** The frame shared by all views: the bar at the top, alerts, and cleanup. */
import { Dock } from "./dock";
import { attr, button, html, setText } from "./dom";
import { Lifetime, type Model, text } from "./model";
import { STYLE } from "./style_sheet";

/** ms between two drawings, even if a slow page has updates waiting */
const REDRAW_MS = 100;
const ALONE = "No longer connected to the kernel. Run this cell again to reconnect.";
/** the height of a chart in a strip, without its axes */
const STRIP = 74;
/** in full screen: px of a view besides its charts, and of one besides its plot */
const REST = 240;
const AXES = 60;
/** in full screen, charts grow to at most this multiple of their height */
const MAGNIFIED = 4;
/** the traits for place and size, which a view keeps when it is created again */
const PLACES = ["compacted", "docked"];
/** for each cell's views, by name, the traits of these that are on */
const kept = new WeakMap<Element, Map<string, string[]>>();
/** below this width, what is side by side is stacked */
const NARROW = 560;
/** below this width, a view's buttons get a line of their own, below the title */
const TIGHT = 1150;

/**
 * JupyterLab's one-letter shortcuts ("dd" deletes the cell) must not act in a view. It
 * looks for this mark on the way up from what has the focus, but only until one of its
 * own rules fits, and that may be at once.
 */
export function keepKeys(target: EventTarget | null): void {
  if (target instanceof Element) attr(target, { "data-lm-suppress-shortcuts": true });
}

/** Where a view says what is under the pointer; screen readers read it aloud. */
export function readout(): HTMLElement {
  return html("div", {
    class: "edt-readout",
    "data-testid": "readout",
    "aria-live": "polite",
  });
}

export class Shell {
  readonly root: HTMLElement;
  readonly bar = html("div", { class: "edt-bar" });
  readonly life = new Lifetime();
  private readonly info = html("span", { class: "edt-info" });
  private readonly frozen = html("span", { class: "edt-frozen", hidden: true });
  /** how many training steps the view watches, if not all */
  private readonly pace = html("span", { class: "edt-pace", "data-testid": "pace" });
  private readonly alert = html("p", { class: "edt-alert", role: "status" });
  private readonly space = html("span", { class: "edt-space" });
  /** what changes the place of the view */
  private readonly places = html("span", {
    class: "edt-group edt-places",
    role: "group",
    "aria-label": "Place",
  });
  private rendered = 0;
  private alone = false;
  private redraw = () => {};
  private recalled = false;

  constructor(
    readonly model: Model,
    private readonly el: HTMLElement,
    private readonly name: string,
    title: string,
  ) {
    const style = html("style");
    style.textContent = STYLE;
    this.root = html("section", {
      class: `edutorch edutorch-${name}`,
      "aria-label": title,
      "data-rendered": 0,
    });
    this.bar.append(html("span", { class: "edt-name" }, title), this.info, this.frozen);
    this.bar.append(this.pace, this.space, this.places);
    this.root.append(style, this.bar, this.alert);
    el.append(this.root);
    this.life.add(() => this.root.remove());
    if (model.get("docked") !== undefined) this.offerPlaces(title);
    if (name !== "live") this.offerFullScreen();
    this.places.hidden = this.places.childElementCount === 0;
    this.life.listen(this.root, "focusin", ({ target }) => keepKeys(target));
    this.life.onAppearance(this.root, () => {
      const { clientWidth } = this.root;
      const below = (most: number) => clientWidth > 0 && clientWidth < most;
      attr(this.root, { "data-narrow": below(NARROW), "data-tight": below(TIGHT) });
    });
    const status = () => setText(this.alert, this.remark());
    this.life.watch(model, "change:status", status);
    this.life.watch(model, "comm_live_update", () => {
      this.alone = true; // sent by ipywidgets when it drops the kernel's connection
      status();
    });
    status();
  }

  /** A button, and the key F, for full screen. */
  private offerFullScreen(): void {
    if (!document.fullscreenEnabled) return;
    const full = () => document.fullscreenElement === this.root;
    const whole = this.offer("Full", "Full screen", "f", "fullscreen", () => {
      if (full()) void document.exitFullscreen();
      else this.root.requestFullscreen().catch(() => {});
    });
    const press = () => attr(whole, { "aria-pressed": String(full()) });
    this.life.listen(document, "fullscreenchange", press);
    press();
  }

  /** Buttons and keys for a low strip, and for docking. */
  private offerPlaces(title: string): void {
    const { model, life } = this;
    const turn = (trait: string) => {
      model.set(trait, model.get(trait) !== true);
      model.save_changes();
    };
    if (this.name !== "live") {
      const strip = this.offer("Strip", "Compact strip", "c", "compact", () =>
        turn("compacted"),
      );
      const lower = () => {
        attr(strip, { "aria-pressed": String(this.compact) });
        attr(this.root, { "data-compact": this.compact });
        this.keep();
        this.redraw();
      };
      life.watch(model, "change:compacted", lower);
      lower();
    }
    const back = () => turn("docked");
    const dock = new Dock(
      text(model, "token") || this,
      this.root,
      this.el,
      title,
      back,
    );
    const side = this.offer("Side", "Show beside the notebook", "s", "side", back);
    const settle = () => {
      const beside = model.get("docked") === true;
      attr(side, { "aria-pressed": String(beside) });
      side.hidden = !dock.possible;
      dock.settle(beside);
    };
    life.watch(model, "change:docked", () => {
      this.keep();
      settle();
    });
    life.onAppearance(this.el, () => {
      this.recall();
      settle();
    });
    life.add(() => dock.end());
  }

  /** A button in the bar, with its key. */
  private offer(face: string, about: string, key: string, id: string, act: () => void) {
    const made = button(face, `${about} (${key.toUpperCase()})`, { "data-testid": id });
    this.places.append(made);
    this.life.listen(made, "click", act);
    this.life.listen(this.root, "keydown", (event) => {
      const plain = !(event.ctrlKey || event.metaKey || event.altKey);
      const { target } = event;
      const typing =
        target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
      if (event.key.toLowerCase() === key && plain && !typing) act();
    });
    return made;
  }

  /** Whether the view is a low strip, without legends and facts. */
  get compact(): boolean {
    return this.model.get("compacted") === true;
  }

  /**
   * The height of a chart that is `full` pixels high in a notebook; on the full screen
   * `rows` of them share what the rest leaves.
   */
  chart(full: number, rows = 1): number {
    if (this.compact) return Math.min(full, STRIP);
    if (document.fullscreenElement !== this.root) return full;
    const share = (this.root.clientHeight - REST) / rows - AXES;
    return Math.max(full, Math.min(share, MAGNIFIED * full));
  }

  /** Remember the view's place for the next one that this cell creates. */
  private keep(): void {
    const cell = this.el.closest(".jp-Cell");
    if (!cell) return;
    const names = kept.get(cell) ?? new Map<string, string[]>();
    const on = PLACES.filter((trait) => this.model.get(trait) === true);
    kept.set(cell, names.set(this.name, on));
    this.recalled = true;
  }

  /** When a cell runs again, maybe after a restart, its views keep their places. */
  private recall(): void {
    const cell = this.el.closest(".jp-Cell");
    if (!cell || this.recalled) return;
    this.recalled = true;
    for (const trait of kept.get(cell)?.get(this.name) ?? [])
      this.model.set(trait, true);
    this.model.save_changes();
  }

  /** The status, unless the mark "recorded" says the same. */
  private remark(): string {
    if (this.alone) return ALONE;
    const status = text(this.model, "status");
    return /^recorded( at step \d+)?$/.test(status) ? "" : status;
  }

  /** Put an element beside the title. */
  lead(...parts: HTMLElement[]): void {
    this.space.before(...parts);
  }

  /** Note that new data was drawn (`info` null: already told); tests read the count. */
  drawn(rev: number, info: string | null, recordedStep: number | null): void {
    this.rendered++;
    if (this.rendered > 1 && this.alone) {
      this.alone = false;
      setText(this.alert, this.remark());
    }
    attr(this.root, { "data-rendered": this.rendered, "data-rev": rev });
    if (info !== null) this.tell(info);
    const frozen = this.model.get("frozen") === true;
    this.frozen.hidden = !frozen;
    const when = recordedStep === null ? "" : ` at step ${recordedStep}`;
    setText(this.frozen, `recorded${when}`);
    const { pace } = Object(this.model.get("data"));
    setText(this.pace, typeof pace === "string" ? pace : "");
  }

  /** The facts beside the title. */
  tell(info: string): void {
    setText(this.info, info);
  }

  /** Draw now, and soon after the data or `frozen` changes. */
  follow(draw: () => void): void {
    const soon = this.life.paced(REDRAW_MS, draw);
    this.life.watch(this.model, "change:data", soon);
    this.life.watch(this.model, "change:frozen", soon);
    this.redraw = draw;
    draw();
  }
}

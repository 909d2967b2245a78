/** The frame all views share: bar on top, alerts, and the end of it all. */
import { attr, button, html, setText } from "./dom";
import { Lifetime, type Model, text } from "./model";
import { STYLE } from "./theme";

/** ms between two drawings, also where a slow page has updates waiting */
const REDRAW_MS = 100;
const ALONE = "No longer connected to the kernel. Run this cell again to go on.";
/** in fewer pixels, what stood side by side stands one above the other */
const NARROW = 560;

/**
 * JupyterLab's one-letter shortcuts ("dd" deletes the cell) must not act in a view. It
 * looks for this mark on the way up from what has the focus, but only until one of its
 * own rules fits, and that may be at once.
 */
function keepKeys(target: EventTarget | null): void {
  if (target instanceof Element) attr(target, { "data-lm-suppress-shortcuts": true });
}

export class Shell {
  readonly root: HTMLElement;
  readonly bar = html("div", { class: "edt-bar" });
  readonly life = new Lifetime();
  private readonly info = html("span", { class: "edt-info" });
  private readonly frozen = html("span", { class: "edt-frozen", hidden: true });
  private readonly alert = html("p", { class: "edt-alert", role: "status" });
  private readonly space = html("span", { class: "edt-space" });
  private rendered = 0;
  private alone = false;

  constructor(
    readonly model: Model,
    el: HTMLElement,
    name: string,
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
    this.bar.append(this.space);
    this.root.append(style, this.bar, this.alert);
    if (name !== "live") this.offerFullScreen();
    el.append(this.root);
    this.life.add(() => this.root.remove());
    this.life.listen(this.root, "focusin", ({ target }) => keepKeys(target));
    this.life.onAppearance(this.root, () => {
      const { clientWidth } = this.root;
      attr(this.root, { "data-narrow": clientWidth > 0 && clientWidth < NARROW });
    });
    const status = () => setText(this.alert, this.remark());
    this.life.watch(model, "change:status", status);
    this.life.watch(model, "comm_live_update", () => {
      this.alone = true; // ipywidgets says so when it lets go of the kernel
      status();
    });
    status();
  }

  /** A button, and the key F, for all of the screen. */
  private offerFullScreen(): void {
    if (!document.fullscreenEnabled) return;
    const whole = button("Full", "Full screen (F)", { "data-testid": "fullscreen" });
    const turn = () => {
      if (document.fullscreenElement === this.root) void document.exitFullscreen();
      else this.root.requestFullscreen().catch(() => {});
    };
    this.bar.append(whole);
    attr(whole, { style: "order: 9" }); // views put their buttons behind it
    this.life.listen(whole, "click", turn);
    this.life.listen(this.root, "keydown", (event) => {
      const plain = !(event.ctrlKey || event.metaKey || event.altKey);
      const typing = event.target instanceof HTMLInputElement;
      if (event.key.toLowerCase() === "f" && plain && !typing) turn();
    });
  }

  /** The status, unless the mark "recorded" says the same. */
  private remark(): string {
    if (this.alone) return ALONE;
    const status = text(this.model, "status");
    return /^recorded( at step \d+)?$/.test(status) ? "" : status;
  }

  /** Put something beside the title. */
  lead(...parts: HTMLElement[]): void {
    this.space.before(...parts);
  }

  /** Note that new data was drawn; tests and readers see the count. */
  drawn(rev: number, info: string, recordedStep: number | null): void {
    this.rendered++;
    if (this.rendered > 1 && this.alone) {
      this.alone = false;
      setText(this.alert, this.remark());
    }
    attr(this.root, { "data-rendered": this.rendered, "data-rev": rev });
    this.tell(info);
    const frozen = this.model.get("frozen") === true;
    this.frozen.hidden = !frozen;
    const when = recordedStep === null ? "" : ` at step ${recordedStep}`;
    setText(this.frozen, `recorded${when}`);
  }

  /** The facts beside the title. */
  tell(info: string): void {
    setText(this.info, info);
  }

  /** Draw now, and again soon after the data or `frozen` changed. */
  follow(draw: () => void): void {
    const soon = this.life.paced(REDRAW_MS, draw);
    this.life.watch(this.model, "change:data", soon);
    this.life.watch(this.model, "change:frozen", soon);
    draw();
  }
}

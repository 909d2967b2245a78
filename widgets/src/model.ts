/** The anywidget model, and the cleanup of a view. */

/** frames to wait for a hidden page */
const MAX_TRIES = 60;

export type Handler = (...args: never[]) => void;

/** What anywidget passes to `render`: synced traits and custom messages. */
export interface Model {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  save_changes(): void;
  send(content: unknown): void;
  on(event: string, handler: Handler): void;
  off(event: string, handler: Handler): void;
  /** the host's widget manager, if any; see `places.ts` */
  readonly widget_manager?: unknown;
}

/** Collects listeners and timers, so that one call removes them all. */
export class Lifetime {
  private readonly undo: (() => void)[] = [];

  add(undo: () => void): void {
    this.undo.push(undo);
  }

  watch(model: Model, event: string, handler: Handler): void {
    model.on(event, handler);
    this.add(() => model.off(event, handler));
  }

  listen<K extends keyof HTMLElementEventMap>(
    target: EventTarget,
    type: K,
    handler: (event: HTMLElementEventMap[K]) => void,
    options?: AddEventListenerOptions,
  ): void {
    target.addEventListener(type, handler as EventListener, options);
    this.add(() => target.removeEventListener(type, handler as EventListener, options));
  }

  every(ms: number, action: () => void): void {
    const timer = setInterval(action, ms);
    this.add(() => clearInterval(timer));
  }

  /** A function that schedules `action` for the next frame, at most once per frame. */
  perFrame(action: () => void): () => void {
    let pending = 0;
    this.add(() => cancelAnimationFrame(pending));
    return () => {
      if (pending !== 0) return;
      pending = requestAnimationFrame(() => {
        pending = 0;
        action();
      });
    };
  }

  /** The same, and at least `ms` after the last time. */
  paced(ms: number, action: () => void): () => void {
    let last = Number.NEGATIVE_INFINITY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = this.perFrame(() => {
      last = performance.now();
      action();
    });
    this.add(() => clearTimeout(timer));
    return () => {
      if (timer !== undefined) return;
      const wait = last + ms - performance.now();
      if (wait <= 0) return soon();
      timer = setTimeout(() => {
        timer = undefined;
        soon();
      }, wait);
    };
  }

  /**
   * Call `action` soon after the page's colours or the element's size changed.
   * JupyterLab hides the page while it changes its theme: nothing has a size then, and
   * no observer tells when that is over, so we look again for a while.
   */
  onAppearance(element: Element, action: () => void): void {
    let tries = 0;
    const look = this.perFrame(() => {
      if (element.clientWidth === 0 && tries-- > 0) look();
      else action();
    });
    const changed = () => {
      tries = MAX_TRIES;
      look();
    };
    const theme = new MutationObserver(changed);
    const attributeFilter = [
      "data-jp-theme-name",
      "data-jp-theme-light",
      "data-theme",
      "data-vscode-theme-kind",
    ];
    for (const target of [document.body, document.documentElement])
      theme.observe(target, { attributes: true, attributeFilter });
    this.add(() => theme.disconnect());
    if (typeof ResizeObserver === "undefined") return;
    const size = new ResizeObserver(changed);
    size.observe(element);
    this.add(() => size.disconnect());
  }

  end(): void {
    for (const undo of this.undo.splice(0).reverse()) undo();
  }
}

/** A synced trait as text. */
export function text(model: Model, key: string): string {
  const value = model.get(key);
  return typeof value === "string" ? value : "";
}

/** A synced trait as a list of strings. */
export function strings(model: Model, key: string): string[] {
  const value = model.get(key);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Views on a page of their own, which has neither a kernel nor JupyterLab. */
import type { Handler, Model } from "./model";

/** A view's traits; what is set stays in the page. */
export class RecordedModel implements Model {
  private readonly handlers = new Map<string, Set<Handler>>();

  constructor(private readonly traits: Record<string, unknown>) {}

  get(key: string): unknown {
    return this.traits[key];
  }

  set(key: string, value: unknown): void {
    this.traits[key] = value;
    for (const handler of this.handlers.get(`change:${key}`) ?? [])
      (handler as () => void)();
  }

  save_changes(): void {}

  send(): void {}

  on(event: string, handler: Handler): void {
    this.handlers.set(event, (this.handlers.get(event) ?? new Set()).add(handler));
  }

  off(event: string, handler: Handler): void {
    this.handlers.get(event)?.delete(handler);
  }
}

type Render = (context: { model: Model; el: HTMLElement }) => unknown;

/** Draw each view into a place of its own. */
export function drawAll(
  render: Render,
  main: HTMLElement,
  states: Record<string, unknown>[],
): void {
  for (const state of states) {
    const el = document.createElement("div");
    main.append(el);
    render({ model: new RecordedModel(state), el });
  }
}

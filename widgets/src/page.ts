/** Views on a page of their own, without a kernel or JupyterLab. */
import { html } from "./dom";
import type { Handler, Model } from "./model";

export type Traits = Record<string, unknown>;
export type Render = (context: { model: Model; el: HTMLElement }) => unknown;

/** A view's traits; changes stay in the page. */
export class RecordedModel implements Model {
  private readonly handlers = new Map<string, Set<Handler>>();

  constructor(private readonly traits: Traits) {}

  get(key: string): unknown {
    return this.traits[key];
  }

  set(key: string, value: unknown): void {
    this.traits[key] = value;
    this.tell(`change:${key}`);
  }

  save_changes(): void {}

  send(_content?: unknown): void {}

  on(event: string, handler: Handler): void {
    this.handlers.set(event, (this.handlers.get(event) ?? new Set()).add(handler));
  }

  off(event: string, handler: Handler): void {
    this.handlers.get(event)?.delete(handler);
  }

  protected tell(event: string, ...values: unknown[]): void {
    for (const handler of [...(this.handlers.get(event) ?? [])])
      (handler as (...values: unknown[]) => void)(...values);
  }
}

/** Draw each view into its own element. */
export function drawAll(render: Render, main: HTMLElement, states: Traits[]): void {
  for (const state of states) draw(render, main, new RecordedModel(state));
}

/** Draw one view. */
export function draw(render: Render, main: HTMLElement, model: Model): void {
  const el = html("div");
  main.append(el);
  render({ model, el });
}

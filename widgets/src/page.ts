/** Views on a page of their own, without JupyterLab: saved, or served by a program. */
import { html, setText } from "./dom";
import type { Handler, Model } from "./model";

type Traits = Record<string, unknown>;
type Render = (context: { model: Model; el: HTMLElement }) => unknown;

const LOST = "No connection to the program: it has ended, or was stopped.";

/** A view's traits; what is set stays in the page. */
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

/** A view of a program that runs; what is set goes to the program as well. */
export class ServedModel extends RecordedModel {
  private changed: Traits = {};

  constructor(
    traits: Traits,
    private readonly post: (message: unknown) => void,
  ) {
    super(traits);
  }

  override set(key: string, value: unknown): void {
    this.changed[key] = value;
    super.set(key, value);
  }

  override save_changes(): void {
    this.post({ method: "update", state: this.changed });
    this.changed = {};
  }

  override send(content: unknown): void {
    this.post({ method: "custom", content });
  }

  /** The program has new values. */
  update(state: Traits): void {
    for (const [key, value] of Object.entries(state)) super.set(key, value);
  }

  /** The program has a message. */
  hear(content: unknown): void {
    this.tell("msg:custom", content, []);
  }
}

/** Draw each view into a place of its own. */
export function drawAll(render: Render, main: HTMLElement, states: Traits[]): void {
  for (const state of states) draw(render, main, new RecordedModel(state));
}

function draw(render: Render, main: HTMLElement, model: Model): void {
  const el = html("div");
  main.append(el);
  render({ model, el });
}

/** What `PageServer` sends. */
interface News {
  states?: Record<string, Traits>;
  messages?: [string, unknown][];
}

/** Draw the views of a program that serves this page, and keep them up to date. */
export function follow(render: Render, main: HTMLElement, token: string): EventSource {
  const models = new Map<string, ServedModel>();
  const status = html("p", { role: "status" });
  main.before(status);
  const address = (path: string) => `/${path}?token=${encodeURIComponent(token)}`;
  const post = (ident: string) => (message: unknown) => {
    const body = JSON.stringify(message);
    fetch(address(ident), { method: "POST", body }).catch(() => setText(status, LOST));
  };
  const stream = new EventSource(address("events"));
  stream.onopen = () => setText(status, "");
  stream.onerror = () => setText(status, LOST);
  stream.onmessage = ({ data }) => {
    const { states = {}, messages = [] } = JSON.parse(data) as News;
    for (const [ident, state] of Object.entries(states)) {
      const known = models.get(ident);
      if (known) known.update(state);
      else {
        const model = new ServedModel(state, post(ident));
        models.set(ident, model);
        draw(render, main, model);
      }
    }
    for (const [ident, content] of messages) models.get(ident)?.hear(content);
  };
  return stream;
}

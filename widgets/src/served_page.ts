/**
 * Views on a page that a program serves (`edutorch/widgets/page_server.py`): new values
 * come as a stream of events, and what is set in the page is posted. Notebooks do not
 * have this program.
 */
import { html, setText } from "./dom";
import { draw, RecordedModel, type Render, type Traits } from "./page";

const LOST = "No connection to the program: it has ended, or was stopped.";

/** A view of a running program; changes are also sent to the program. */
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

  /** Handle new values from the program. */
  update(state: Traits): void {
    for (const [key, value] of Object.entries(state)) super.set(key, value);
  }

  /** Handle a message from the program. */
  hear(content: unknown): void {
    this.tell("msg:custom", content, []);
  }
}

/** What `PageServer` sends. */
interface News {
  states?: Record<string, Traits>;
  messages?: [string, unknown][];
}

/** Draw the views of the program that serves this page, and keep them updated. */
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

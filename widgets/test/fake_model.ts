/** Stands in for anywidget's model. */
import type { Handler, Model } from "../src/model";

type Message = { cmd: string; granularity?: string };

export class FakeModel implements Model {
  readonly sent: Message[] = [];
  saves = 0;
  /** what the kernel replies to a message, if anything */
  answer: (message: Message) => unknown = () => null;
  private readonly handlers = new Map<string, Set<Handler>>();

  constructor(private readonly traits: Record<string, unknown>) {}

  get(key: string): unknown {
    return this.traits[key];
  }

  set(key: string, value: unknown): void {
    this.traits[key] = value;
    this.emit(`change:${key}`);
  }

  save_changes(): void {
    this.saves++;
  }

  send(content: unknown): void {
    const message = content as Message;
    this.sent.push(message);
    const reply = this.answer(message);
    if (reply) this.emit("msg:custom", reply);
  }

  on(event: string, handler: Handler): void {
    const set = this.handlers.get(event) ?? new Set();
    this.handlers.set(event, set.add(handler));
  }

  off(event: string, handler: Handler): void {
    this.handlers.get(event)?.delete(handler);
  }

  emit(event: string, ...args: unknown[]): void {
    for (const handler of this.handlers.get(event) ?? [])
      (handler as (...args: unknown[]) => void)(...args);
  }

  /** Handlers still there: none after a view was disposed of. */
  get listening(): number {
    return [...this.handlers.values()].reduce((n, set) => n + set.size, 0);
  }
}

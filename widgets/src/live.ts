/**
 * Live controls: pause, step and resume a training loop while its cell runs.
 *
 * The Python half is `edutorch/widgets/live.py`. While a cell runs the kernel hears this
 * widget only on a subshell, and only if the loop never writes to the widget. So all
 * communication is by custom messages that start here: `hello` every 100 ms until the reply
 * says `live` (after 4 s: once a second, or seldom if nothing answers), then commands, whose
 * replies say where training is, and `state` twice a second. The trait `state` is read once.
 */
import { attr, button, html, setText } from "./dom";
import type { Model } from "./model";
import { Shell } from "./shell";

type Granularity = "op" | "module" | "step";

interface LiveState {
  mode: "running" | "paused" | "inactive" | "idle";
  granularity: Granularity;
  at: string;
}

interface Reply {
  ack?: number;
  live?: boolean;
  state?: Partial<LiveState>;
}

const HELLO_MS = 100;
const HELLO_TRIES = 40;
const LATER_MS = 1000;
/** to a busy kernel: unread messages wait in its queue */
const SILENT_MS = 30_000;
const POLL_MS = 500;
/** after a click, while training has not paused again */
const SOON_MS = 100;
const SOON_TRIES = 20;
const GRAINS: [Granularity, string][] = [
  ["op", "step: one operation"],
  ["module", "step: one module"],
  ["step", "step: one training step"],
];
const WORDS = { running: "running", paused: "paused", idle: "waiting for training" };
const INACTIVE =
  "inactive: clicks do not reach the kernel while a cell runs. They need ipykernel 7.3 or " +
  "later, a page that uses its subshells (JupyterLab's does, VS Code's does not), and " +
  "buttons shown in a cell before the training loop. Training continues.";
const GONE =
  "inactive: the kernel does not respond. If it was restarted, run the cell of these " +
  "buttons again.";
/** unanswered questions after which the kernel is considered gone */
const MAX_UNANSWERED = 20;
const RECORDED = "inactive: this notebook is shown without its kernel.";

class Live {
  private readonly shell: Shell;
  private readonly dot = html("span", { class: "edt-dot" });
  private readonly word = html("span", { "data-testid": "mode", role: "status" });
  private readonly at = html("span", {
    class: "edt-info edt-code",
    "data-testid": "at",
  });
  private readonly pause = button("❚❚ Pause", "Pause training", {
    "data-testid": "pause",
  });
  private readonly step = button("▸❙ Step", "Run one step", {
    "data-testid": "step",
  });
  private readonly resume = button("▶ Resume", "Resume training", {
    "data-testid": "resume",
  });
  private readonly retry = button("Try again", "Ask the kernel again", {
    "data-testid": "retry",
  });
  private readonly grain = html("select", {
    class: "edt-button",
    "aria-label": "Size of a step",
    "data-testid": "granularity",
  });
  private state: LiveState = { mode: "idle", granularity: "op", at: "" };
  private live = false;
  /** the kernel had answered and no longer does */
  private gone = false;
  private unanswered = 0;
  private tries = 0;
  private hello: ReturnType<typeof setTimeout> | undefined;
  private soon: ReturnType<typeof setTimeout> | undefined;
  private quick = 0;

  constructor(
    private readonly model: Model,
    el: HTMLElement,
  ) {
    this.shell = new Shell(model, el, "live", "Live");
    const { life, bar } = this.shell;
    for (const [value, name] of GRAINS)
      this.grain.append(html("option", { value }, name));
    const buttons = html("span", {
      class: "edt-group",
      role: "group",
      "aria-label": "Training",
    });
    buttons.append(this.pause, this.step, this.resume);
    bar.prepend(this.dot);
    this.shell.lead(this.word, this.at);
    bar.append(buttons, this.grain, this.retry);
    this.take(model.get("state") as Partial<LiveState>);
    life.watch(model, "comm_live_update", () => this.lose());
    life.watch(model, "msg:custom", (reply: Reply) => this.hear(reply));
    life.listen(this.pause, "click", () => this.click({ cmd: "pause" }));
    life.listen(this.resume, "click", () => this.click({ cmd: "resume" }));
    life.listen(this.step, "click", () => {
      this.click({ cmd: "step", granularity: this.grain.value });
    });
    life.listen(this.retry, "click", () => this.shake());
    life.every(POLL_MS, () => this.poll());
    life.add(() => clearTimeout(this.hello));
    life.add(() => clearTimeout(this.soon));
    if (model.get("frozen") !== true) this.shake();
    this.show();
  }

  end(): void {
    this.shell.life.end();
  }

  /** Say hello until Python answers from a thread that can hear us during a cell. */
  private shake(): void {
    this.tries = 0;
    this.greet();
  }

  private greet(): void {
    this.tries++;
    this.greetIn(this.patient ? SILENT_MS : HELLO_MS);
    this.send({ cmd: "hello" });
    this.show();
  }

  private greetIn(ms: number): void {
    clearTimeout(this.hello);
    this.hello = setTimeout(() => this.greet(), ms);
  }

  private get patient(): boolean {
    return this.tries > HELLO_TRIES;
  }

  private poll(): void {
    const seen = document.visibilityState !== "hidden" && this.shell.root.isConnected;
    if (!this.live || !seen) return;
    if (++this.unanswered > MAX_UNANSWERED) this.lose();
    else this.send({ cmd: "state" });
  }

  /** The kernel restarted or is gone: ask occasionally whether it is back. */
  private lose(): void {
    this.live = false;
    this.gone = true;
    this.tries = HELLO_TRIES;
    this.greet();
  }

  private send(message: { cmd: string; granularity?: string }): void {
    try {
      this.model.send(message);
    } catch {
      // the connection is closed: treat as unanswered
    }
  }

  private click(message: { cmd: string; granularity?: string }): void {
    this.quick = SOON_TRIES;
    this.send(message);
  }

  /** Ask again soon, until training has continued after the click. */
  private watchStep(): void {
    clearTimeout(this.soon);
    const { mode, at } = this.state;
    if (mode !== "paused" || at !== "" || this.quick-- <= 0) return;
    this.soon = setTimeout(() => this.send({ cmd: "state" }), SOON_MS);
  }

  private hear(reply: Reply): void {
    if (!reply?.ack) return;
    this.gone = false;
    this.unanswered = 0;
    if (reply.live !== undefined) this.live = reply.live;
    if (this.live) clearTimeout(this.hello);
    else this.greetIn(this.patient ? LATER_MS : HELLO_MS);
    this.take(reply.state);
    this.watchStep();
    this.show();
  }

  private take(state: Partial<LiveState> | undefined): void {
    const grain = state?.granularity;
    if (grain && grain !== this.state.granularity) this.grain.value = grain;
    this.state = { ...this.state, ...state };
  }

  private words(): string {
    if (this.model.get("frozen") === true) return RECORDED;
    if (!this.live && !this.patient) return "connecting …";
    if (!this.live) return this.gone ? GONE : INACTIVE;
    const { mode } = this.state;
    return mode === "inactive" ? INACTIVE : WORDS[mode];
  }

  private show(): void {
    const { mode, at } = this.state;
    const words = this.words();
    const ready = this.live && mode !== "inactive";
    attr(this.shell.root, { "data-live": ready ? "1" : null, "data-mode": mode });
    attr(this.dot, { "data-mode": ready ? mode : null });
    setText(this.word, words);
    setText(this.at, ready ? at : "");
    this.pause.disabled = !ready || mode === "paused";
    this.resume.disabled = !ready || mode !== "paused";
    this.step.disabled = !ready || mode !== "paused";
    this.grain.disabled = !ready;
    this.retry.hidden = this.live || !this.patient || words === RECORDED;
  }
}

/** Draw the live controls into `el`; returns a function that removes it. */
export function renderLive(model: Model, el: HTMLElement): () => void {
  const view = new Live(model, el);
  return () => view.end();
}

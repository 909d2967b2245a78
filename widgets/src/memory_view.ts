/**
 * MemoryView: what fills the memory, and when does it peak?
 *
 * The Python half is `edutorch/widgets/memory_view.py`. Synced traits: `data`, `frozen`,
 * `status`. Two charts: the whole run, which shows of each stretch of time the moment
 * that held most, and below it one training step in full.
 */
import { pattern, rule } from "./chart";
import { attr, button, html, setText, svg } from "./dom";
import { bytes, number } from "./format";
import { isStep, MemoryChart, type Stack, totalOf } from "./memory_chart";
import type { MemoryData, MemoryStep } from "./memory_types";
import type { Model } from "./model";
import { readout, Shell } from "./shell";

const EMPTY: MemoryData = {
  v: 1,
  rev: 0,
  device: "cpu",
  kind: "",
  categories: [],
  t: [],
  bytes: [],
  marks: [],
  now: 0,
  peak: 0,
  limit: null,
  reserved: null,
  steps: [],
};
const HIGH = 200;
const LOW = 160;
const HINT = "Hover over a chart or use the arrow keys to see its values.";
let views = 0;

class MemoryView {
  private readonly shell: Shell;
  private readonly prefix = `edtm${++views}-`;
  private readonly facts = html("dl", { class: "edt-facts" });
  private readonly run: MemoryChart;
  private readonly step: MemoryChart;
  private readonly stepHead = html("div", { class: "edt-subhead" });
  private readonly stepTitle = html("span", { "data-testid": "step-title" });
  private readonly choices = html("span", {
    class: "edt-group",
    role: "group",
    "aria-label": "Training step",
  });
  private readonly readout = readout();
  private readonly keys = html("ul", { class: "edt-keys" });
  private readonly empty = html(
    "p",
    { class: "edt-empty" },
    "No memory recorded yet. It appears as soon as something is computed.",
  );
  private data = EMPTY;
  /** the index of the step shown */
  private chosen = 0;

  constructor(
    private readonly model: Model,
    el: HTMLElement,
  ) {
    this.shell = new Shell(model, el, "memory", "Memory");
    const { life } = this.shell;
    const high = () => this.shell.chart(HIGH, 2);
    this.run = new MemoryChart(life, `${this.prefix}r`, high, "Memory over time", (i) =>
      this.tell(this.data, i, this.data.marks),
    );
    this.step = new MemoryChart(
      life,
      `${this.prefix}s`,
      () => Math.max(LOW, this.shell.chart(LOW, 2)),
      "Memory in one training step",
      (i) => this.tell(this.shown, i, this.shown?.phases ?? []),
    );
    this.stepHead.append(this.stepTitle, this.choices);
    this.shell.root.append(
      this.empty,
      this.facts,
      this.run.element,
      this.stepHead,
      this.step.element,
      this.readout,
      this.keys,
    );
    this.shell.follow(() => this.update());
  }

  end(): void {
    this.shell.life.end();
  }

  private get shown(): MemoryStep | undefined {
    const { steps } = this.data;
    return steps[Math.min(this.chosen, steps.length - 1)];
  }

  private update(): void {
    const given = (this.model.get("data") ?? {}) as Partial<MemoryData>;
    this.data = { ...EMPTY, ...given };
    this.draw();
    const { device, kind } = this.data;
    const info = `${kind || "no device"}${device === "cpu" ? "" : ` · ${device}`}`;
    const last = this.data.steps[this.data.steps.length - 1];
    this.shell.drawn(this.data.rev, info, last?.step ?? null);
  }

  private draw(): void {
    const blank = this.data.t.length === 0;
    this.empty.hidden = !blank;
    const { run, step, stepHead } = this;
    for (const part of [this.facts, run.element, this.readout, this.keys])
      part.hidden = blank;
    const one = Boolean(this.shown) && !this.shell.compact;
    stepHead.hidden = step.element.hidden = blank || !one;
    if (blank) return;
    this.drawFacts();
    run.take(this.wholeRun(), `Memory by category, peak ${bytes(this.data.peak)}`);
    if (this.shown) this.drawStep(this.shown);
    this.drawKeys();
    if (!this.readout.textContent) setText(this.readout, HINT);
  }

  private wholeRun(): Stack {
    const { categories, t, bytes: rows, marks, peak, limit } = this.data;
    const near = limit !== null && limit < peak * 2.5;
    const levels = [{ bytes: peak, name: "peak", dash: "5 4" }];
    if (near) levels.push({ bytes: limit, name: "limit", dash: "1 3" });
    const reach = Math.max(1, peak, near ? limit : 0) * 1.08;
    const end = Math.max(t[t.length - 1], marks[marks.length - 1]?.t ?? 0);
    const drawn = { categories, t, bytes: rows, end, reach, levels, marks };
    return { ...drawn, phases: [], peakAt: null };
  }

  private drawStep(step: MemoryStep): void {
    const title = stepTitle(step);
    setText(this.stepTitle, title);
    const { t, bytes: rows, phases } = step;
    this.step.take(
      {
        categories: this.data.categories,
        t,
        bytes: rows,
        end: step.ms,
        reach: Math.max(1, this.data.peak) * 1.08,
        levels: [],
        marks: [],
        phases,
        peakAt: peakOf(step).ms,
      },
      title,
    );
    this.drawChoices();
  }

  /** Buttons for the peak and the latest step, if these differ. */
  private drawChoices(): void {
    const { steps } = this.data;
    this.choices.hidden = steps.length < 2;
    const names = steps.map((s) => s.name);
    while (this.choices.childElementCount > names.length)
      this.choices.lastElementChild?.remove();
    names.forEach((name, i) => {
      const known = this.choices.children[i] as HTMLElement | undefined;
      const made = known ?? this.choices.appendChild(this.choice(i));
      const about = `Show the ${name} training step`;
      setText(made, name);
      const pressed = String(name === this.shown?.name);
      attr(made, { title: about, "aria-label": about, "aria-pressed": pressed });
    });
  }

  private choice(i: number): HTMLElement {
    const made = button("", "");
    this.shell.life.listen(made, "click", () => this.choose(i));
    return made;
  }

  private choose(i: number): void {
    this.chosen = i;
    this.draw();
  }

  private drawFacts(): void {
    const { now, peak, limit, reserved } = this.data;
    const facts: [string, string][] = [
      ["now", bytes(now)],
      ["peak", bytes(peak)],
      ["limit", limit === null ? "none" : bytes(limit)],
    ];
    if (reserved !== null) facts.push(["reserved by the pool", bytes(reserved)]);
    this.facts.replaceChildren(
      ...facts.map(([name, value]) =>
        html("div", {}, html("dt", {}, name), html("dd", { "data-fact": name }, value)),
      ),
    );
  }

  private drawKeys(): void {
    const { categories, bytes: rows } = this.data;
    const now = rows[rows.length - 1] ?? [];
    const items = categories.map((name, j) => {
      const id = `${this.prefix}k${j}`;
      const size = { width: 26, height: 13, rx: 3 };
      const sample = svg("rect", { ...size, fill: `url(#${id})` });
      const key = svg("svg", {}, svg("defs", {}, pattern(id, j)), sample);
      const words = name === "other" ? "other (data, buffers, temporaries)" : name;
      return html("li", {}, key, `${words} ${bytes(now[j] ?? 0)}`);
    });
    const steps = this.data.marks.some(isStep) ? [stepKey()] : [];
    this.keys.replaceChildren(html("li", {}, "in use now:"), ...items, ...steps);
  }

  /** Describe what was in memory at a sample of one of the charts. */
  private tell(
    chart: { t: number[]; bytes: number[][] } | undefined,
    i: number | null,
    moments: { t: number; name: string }[],
  ): void {
    if (!chart || i === null) {
      setText(this.readout, HINT);
      return;
    }
    const row = chart.bytes[i] ?? [];
    const ms = chart.t[i];
    const since = ms - chart.t[0];
    const when = since < 2000 ? `${number(since)} ms` : `${number(since / 1000)} s`;
    const moment = moments.filter((m) => m.t <= ms).pop()?.name;
    const each = this.data.categories.map((name, j) => `${name} ${bytes(row[j] ?? 0)}`);
    const head = [when, moment, `total ${bytes(totalOf(row))}`];
    setText(this.readout, [...head.filter(Boolean), ...each].join(" · "));
  }
}

/** The meaning of the strokes on the axis of the whole run. */
function stepKey(): HTMLElement {
  const stroke = rule(13, 3, 13, 10, "edt-cursor");
  return html("li", {}, svg("svg", {}, stroke), "end of a training step");
}

function peakOf({ t, bytes: rows }: MemoryStep): { most: number; ms: number } {
  const totals = rows.map(totalOf);
  const most = Math.max(...totals);
  return { most, ms: t[totals.indexOf(most)] };
}

/** The title of a step's chart, with the time of its peak. */
export function stepTitle(step: MemoryStep): string {
  const { most, ms } = peakOf(step);
  const phase = step.phases.filter((p) => p.t <= ms).pop();
  const where = phase ? ` in ${phase.name}` : "";
  const peak = `at most ${bytes(most)}, after ${ms.toFixed(2)} ms${where}`;
  return `Step ${step.step} (${step.name}): ${peak}`;
}

/** Draw a MemoryView into `el`; returns a function that removes it. */
export function renderMemory(model: Model, el: HTMLElement): () => void {
  const view = new MemoryView(model, el);
  return () => view.end();
}

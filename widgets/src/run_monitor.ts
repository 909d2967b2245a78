/**
 * RunMonitor: is training going well?
 *
 * The Python half is `edutorch/widgets/run_monitor.py`. Synced traits: `data`, `frozen`,
 * `status`. A bar of progress, a chart for each metric, and alerts with their rules.
 */
import { availableWidth, moved, pointer } from "./chart";
import { attr, button, consume, html, refill, setText, svg } from "./dom";
import { plural } from "./format";
import type { Model } from "./model";
import {
  arrange,
  type Chart,
  draw,
  INSIDE,
  keptText,
  look,
  nearest,
  xOf,
} from "./run_charts";
import { beyondText, progressText, runTitle, timeText, valueText } from "./run_scale";
import type { RunAlert, RunData, RunName, RunSeries } from "./run_types";
import { readout, Shell } from "./shell";

const EMPTY: RunData = {
  v: 1,
  rev: 0,
  run: { id: 0, name: "", settings: [] },
  state: "waiting",
  step: 0,
  done: 0,
  total: null,
  passes: 0,
  elapsed: 0,
  left: null,
  rate: null,
  unit: "",
  series: [],
  others: [],
  alerts: [],
  rules: [],
  remarks: [],
};
const MAX_CHARTS = 32;
const SHOWN_ALERTS = 5;
const SIGNS: Record<string, string> = {
  nonfinite: "✕",
  rising: "▲",
  large: "▲",
  small: "▼",
  stalled: "▬",
};

class RunMonitor {
  private readonly shell: Shell;
  private readonly bar = html("div", { class: "edt-progress", role: "progressbar" });
  private readonly facts = html("dl", { class: "edt-facts" });
  private readonly chart = html("div", {
    class: "edt-chart",
    tabindex: 0,
    role: "application",
    "aria-label":
      "Metrics by step. Left and right arrow keys move in time, up and down from metric to metric.",
  });
  private readonly readout = readout();
  private readonly beyond = html("ul", {
    class: "edt-marks edt-muted",
    "aria-label": "Values beyond the axes",
  });
  private readonly runs = html("div", {
    class: "edt-keys",
    role: "group",
    "aria-label": "Runs",
  });
  private readonly alerts = html("ul", { class: "edt-marks", "aria-label": "Alerts" });
  private readonly rules = html("details", { class: "edt-rules" });
  private readonly remarks = html("ul", {
    class: "edt-marks",
    "aria-label": "Remarks",
  });
  private readonly empty = html(
    "p",
    { class: "edt-empty" },
    "No metrics yet. They appear after the first batch.",
  );
  private data = EMPTY;
  private charts: Chart[] = [];
  private cursors: SVGElement[] = [];
  /** runs switched off by the reader, by title */
  private readonly hidden = new Set<string>();
  /** the step and metric of the reading */
  private at: { step: number; row: number } | null = null;

  constructor(
    private readonly model: Model,
    el: HTMLElement,
  ) {
    this.shell = new Shell(model, el, "run", "Training run");
    this.shell.root.append(this.bar, this.facts, this.empty, this.chart);
    this.shell.root.append(this.readout, this.beyond, this.runs, this.alerts);
    this.shell.root.append(this.remarks, this.rules);
    const { life } = this.shell;
    pointer(
      life,
      this.chart,
      (x, y) => this.point(x - 10, y),
      () => this.show(null),
    );
    life.listen(this.chart, "keydown", (event) => this.key(event));
    life.listen(this.runs, "click", ({ target }) => this.toggle(target));
    life.onAppearance(this.chart, () => this.draw());
    this.shell.follow(() => this.update());
  }

  end(): void {
    this.shell.life.end();
  }

  private update(): void {
    this.data = { ...EMPTY, ...((this.model.get("data") ?? {}) as Partial<RunData>) };
    this.showProgress();
    this.listRuns();
    this.listAlerts();
    this.draw();
    const { rev, run, step } = this.data;
    const info = `${runTitle(run)} · ${plural(step, "step")}`;
    this.shell.drawn(rev, info, step > 0 ? step - 1 : null);
  }

  private showProgress(): void {
    const { done, total, state, passes, elapsed, left, rate, unit } = this.data;
    const share = total ? Math.min(1, done / total) : 0;
    this.bar.hidden = !total;
    attr(this.bar, {
      "aria-valuemin": 0,
      "aria-valuemax": total,
      "aria-valuenow": done,
      "aria-valuetext": progressText(this.data),
      "aria-label": "Batches done",
    });
    const filled = html("div");
    filled.style.width = `${(100 * share).toFixed(2)}%`;
    refill(this.bar, filled);
    const entries: [string, string][] = [
      ["state", state],
      ["batches", total === null ? `${done}` : `${done} of ${total}`],
      ["elapsed", timeText(elapsed)],
    ];
    if (passes > 1) entries.splice(1, 0, ["pass", String(passes)]);
    if (left !== null) entries.push(["time left", timeText(left)]);
    if (rate !== null) entries.push([unit, valueText(rate)]);
    refill(
      this.facts,
      ...entries.map(([name, value]) =>
        html("div", {}, html("dt", {}, name), html("dd", { "data-fact": name }, value)),
      ),
    );
  }

  /** This run and the others, each with its number in the list. */
  private all(): { title: string; series: RunSeries[] }[] {
    const named = (run: RunName, series: RunSeries[]) => ({
      title: runTitle(run),
      series,
    });
    const { run, series, others } = this.data;
    return [named(run, series), ...others.map((other) => named(other, other.series))];
  }

  private listRuns(): void {
    const all = this.all();
    this.runs.hidden = all.length < 2;
    refill(
      this.runs,
      ...all.map(({ title }, run) => {
        const key = button("", `Show or hide ${title}`, {
          "aria-pressed": String(!this.hidden.has(title)),
          "data-run": run,
          class: "edt-button edt-run",
        });
        const line = svg("path", { d: "M0,6H26", "stroke-width": 2.5, ...look(run) });
        key.append(svg("svg", { width: 26, height: 12 }, line), title);
        return key;
      }),
    );
  }

  private toggle(target: EventTarget | null): void {
    if (!(target instanceof Element)) return;
    const run = target.closest("[data-run]")?.getAttribute("data-run");
    const title = this.all()[Number(run ?? -1)]?.title;
    if (title === undefined) return;
    if (!this.hidden.delete(title)) this.hidden.add(title);
    this.listRuns();
    this.draw();
  }

  private listAlerts(): void {
    const { alerts, remarks, rules } = this.data;
    const newest = alerts.slice(-SHOWN_ALERTS).reverse();
    const left = alerts.length - newest.length;
    const items = newest.map((alert) => this.alert(alert));
    if (left > 0)
      items.push(html("li", { class: "edt-muted" }, `${left} earlier alerts`));
    refill(this.alerts, ...items);
    this.alerts.hidden = items.length === 0;
    refill(this.remarks, ...remarks.map((text) => html("li", {}, text)));
    this.remarks.hidden = remarks.length === 0;
    this.rules.hidden = rules.length === 0;
    refill(
      this.rules,
      html("summary", {}, "Alert rules"),
      html("ul", { class: "edt-marks" }, ...rules.map((text) => html("li", {}, text))),
    );
  }

  private alert({ kind, rule, step, metric }: RunAlert): HTMLElement {
    const sign = `${SIGNS[kind] ?? "!"} ${kind}`;
    return html(
      "li",
      { "data-mark": kind },
      html("span", { class: "edt-sign", "data-mark": kind }, sign),
      ` · ${metric} · step ${step} · ${rule}`,
    );
  }

  private draw(): void {
    const runs = this.all();
    const names = [...new Set(runs.flatMap((r) => r.series.map((s) => s.name)))];
    const blank = names.length === 0;
    this.empty.hidden = !blank;
    this.chart.hidden = blank;
    this.readout.hidden = blank;
    if (blank) {
      this.beyond.hidden = true;
      return;
    }
    const metrics = names.slice(0, MAX_CHARTS).map((name) => ({
      name,
      lines: runs.flatMap(({ title, series }, run) => {
        const found = series.find((s) => s.name === name);
        return found && !this.hidden.has(title) ? [{ run, series: found }] : [];
      }),
    }));
    const width = availableWidth(this.chart);
    const { charts, height } = arrange(metrics, width, (rows) =>
      this.shell.chart(INSIDE, rows),
    );
    this.charts = charts;
    this.listBeyond();
    this.cursors = charts.map(() => svg("line", { class: "edt-cursor" }));
    const picture = svg("svg", { width, height, role: "img" });
    attr(picture, { "aria-label": this.data.series.map(summary).join("; ") });
    picture.append(...charts.flatMap(draw), ...this.cursors);
    this.chart.replaceChildren(picture);
    this.show(this.at);
  }

  private listBeyond(): void {
    const words = this.charts.flatMap(({ name, lines }) => {
      const said = beyondText(
        name,
        lines.map(({ series }) => series.values),
      );
      return said ? [html("li", {}, said)] : [];
    });
    refill(this.beyond, ...words);
    this.beyond.hidden = words.length === 0;
  }

  private point(x: number, y: number): void {
    const row = this.charts.findIndex(({ plot }) => {
      const across = x >= plot.left && x <= plot.left + plot.width;
      return across && y >= plot.top - 10 && y <= plot.top + plot.height + 10;
    });
    const chart = this.charts[row];
    const series = chart?.lines[0]?.series;
    if (!chart || !series) {
      this.show(null);
      return;
    }
    const share = (x - chart.plot.left) / chart.plot.width;
    const step = chart.first + share * (chart.last - chart.first);
    this.show({ step: series.steps[nearest(series, step)], row });
  }

  private key(event: KeyboardEvent): void {
    if (event.key !== "Escape") {
      const row = this.at?.row ?? 0;
      const series = this.charts[row]?.lines[0]?.series;
      const count = series?.steps.length ?? 1;
      const column =
        series && this.at ? nearest(series, this.at.step) : Math.max(0, count - 1);
      const to = moved(event.key, [column, row], count, this.charts.length);
      if (!to) return;
      const next = this.charts[to[1]]?.lines[0]?.series;
      const step =
        to[1] === row ? series?.steps[to[0]] : (this.at?.step ?? next?.steps.at(-1));
      this.show({ step: step ?? 0, row: to[1] });
    } else this.show(null);
    consume(event);
  }

  /** Mark a step in all charts and describe the values of one of them. */
  private show(at: { step: number; row: number } | null): void {
    this.at = at && this.charts[at.row] ? at : null;
    this.charts.forEach((chart, i) => {
      const inside = at && at.step >= chart.first && at.step <= chart.last;
      const x = inside ? xOf(chart, at.step) : 0;
      const { top, height } = chart.plot;
      const visibility = inside ? null : "hidden";
      attr(this.cursors[i], { x1: x, x2: x, y1: top, y2: top + height, visibility });
    });
    if (!this.at) {
      setText(
        this.readout,
        "Hover over a line or use the arrow keys to see its values.",
      );
      return;
    }
    const { step, row } = this.at;
    const titles = this.all().map(({ title }) => title);
    const { lines, name } = this.charts[row];
    const values = lines.map(({ run, series }) => {
      const i = nearest(series, step);
      const other = series.steps[i] === step ? "" : ` (step ${series.steps[i]})`;
      const value = `${valueText(series.values[i])}${other}`;
      return titles.length > 1 ? `${titles[run]}: ${value}` : value;
    });
    setText(this.readout, [`step ${step}`, name, ...values].join(" · "));
  }
}

function summary(series: RunSeries): string {
  return `${series.name} ${valueText(series.last)}${keptText(series)}`;
}

/** Draw a RunMonitor into `el`; returns a function that removes it. */
export function renderRun(model: Model, el: HTMLElement): () => void {
  const view = new RunMonitor(model, el);
  return () => view.end();
}

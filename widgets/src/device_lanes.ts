/**
 * DeviceLanes: what is each device doing, and which device waits for which?
 *
 * The Python half is `edutorch/widgets/device_lanes.py`. Synced traits: `data`, `frozen`,
 * `status`. A lane for each device; transfers are arrows from lane to lane.
 */
import { pointer } from "./chart";
import { button, consume, html, setText } from "./dom";
import { bytes, duration, plural } from "./format";
import { busyText, busyWithin, fullText, laneFacts } from "./lane_bars";
import { colourOf, type Item, LaneChart } from "./lane_chart";
import type { Lane, LanesData } from "./lane_types";
import type { Model } from "./model";
import { readout, Shell } from "./shell";
import { AXIS_KEYS, TimeAxis } from "./time_axis";

const EMPTY = { from: 0, to: 0, rev: 0, lanes: [], steps: [] } as unknown as LanesData;
const USUAL = 780;
const LEAST = 260;
const HINT = `Hover over a bar or use the arrow keys to see its details. ${AXIS_KEYS}.`;
const NAMES: Record<string, string> = { optim: "update", copy: "copy between devices" };

class DeviceLanes {
  private readonly shell: Shell;
  private readonly axis = new TimeAxis(() => this.soon());
  private readonly chart = new LaneChart(this.axis, (usual, lanes) =>
    this.shell.chart(usual, lanes),
  );
  private readonly stage = html("div", {
    class: "edt-chart edt-lanes",
    tabindex: 0,
    role: "application",
    "aria-label": `Device lanes. Arrow keys move from bar to bar; ${AXIS_KEYS}.`,
  });
  private readonly readout = readout();
  private readonly keys = html("ul", { class: "edt-keys" });
  private readonly notes = html("ul", { class: "edt-marks" });
  private readonly spoken = html("ul", { class: "edt-quiet" });
  private readonly empty = html(
    "p",
    { class: "edt-empty" },
    "Nothing recorded yet. A lane appears for each device that is used.",
  );
  private readonly soon: () => void;
  private data = EMPTY;
  /** the lane and the time of the reading */
  private at: { lane: number; us: number } | null = null;

  constructor(
    private readonly model: Model,
    el: HTMLElement,
  ) {
    this.shell = new Shell(model, el, "lanes", "Devices");
    const { life, root } = this.shell;
    this.soon = life.perFrame(() => this.draw());
    const { stage, axis } = this;
    const zooms = html("span", {
      class: "edt-group",
      role: "group",
      "aria-label": "Zoom",
    });
    const zoom = (face: string, name: string, act: () => void) => {
      const made = button(face, name);
      life.listen(made, "click", act);
      zooms.append(made);
    };
    zoom("−", "Zoom out (−)", () => axis.zoom(1 / 1.5));
    zoom("+", "Zoom in (+)", () => axis.zoom(1.5));
    zoom("All", "Show all time (0)", () => axis.all());
    this.shell.bar.append(zooms);
    root.append(this.empty, stage, this.readout, this.keys, this.notes, this.spoken);
    axis.listen(life, stage);
    pointer(
      life,
      stage,
      (x, y) => this.point(x, y),
      () => this.read(null),
    );
    life.listen(stage, "keydown", (event) => this.key(event));
    life.onAppearance(root, () => this.draw());
    this.shell.follow(() => this.update());
  }

  end(): void {
    this.shell.life.end();
  }

  private update(): void {
    const given = (this.model.get("data") ?? {}) as Partial<LanesData>;
    this.data = { ...EMPTY, ...given };
    const { from, to, lanes, rev, steps, step } = this.data;
    this.axis.extent(from, to);
    this.draw();
    const info = lanes.length
      ? `${plural(lanes.length, "device")} · ${duration(to)}`
      : "";
    this.shell.drawn(rev, info, steps.length ? step : null);
  }

  private draw(): void {
    const { data, stage } = this;
    const blank = data.lanes.length === 0;
    this.empty.hidden = !blank;
    for (const part of [stage, this.readout, this.keys, this.notes])
      part.hidden = blank;
    if (blank) return;
    const width = Math.max(LEAST, stage.clientWidth || USUAL);
    stage.replaceChildren(this.chart.draw(data, width));
    this.read(this.at);
    this.drawKeys();
    const facts = data.lanes.map(
      (lane) => `${lane.device} (${lane.kind}): ${laneFacts(lane).join("; ")}`,
    );
    const { narrow } = this.chart;
    const items = [...data.full.map(fullText), ...data.lanes.flatMap(waitTexts)];
    listed(this.notes, narrow ? facts : [], items, [data.limits, data.clock]);
    listed(this.spoken, narrow ? [] : facts);
  }

  private drawKeys(): void {
    const keys = this.chart.phases.map((phase) =>
      html(
        "li",
        {},
        html("span", { class: "edt-swatch", style: `background: ${colourOf(phase)}` }),
        NAMES[phase] ?? phase,
      ),
    );
    if (this.data.steps.length)
      keys.push(
        html("li", {}, html("span", { class: "edt-tick" }), "end of a training step"),
      );
    keys.push(html("li", {}, "idle: no operation runs on the device"));
    this.keys.replaceChildren(...keys);
  }

  private point(x: number, y: number): void {
    const lane = this.data.lanes.length ? this.chart.laneAt(y) : -1;
    this.read(lane < 0 ? null : { lane, us: this.axis.us(x) });
  }

  private key(event: KeyboardEvent): void {
    const lanes = this.chart.items.length;
    if (lanes === 0 || this.axis.key(event, this.at?.us)) return;
    const to = this.moved(event.key, lanes);
    if (to === undefined) return;
    consume(event);
    if (to) this.axis.reveal(to.us, to.us);
    this.read(to);
  }

  /** The target of a key; undefined for any other key. */
  private moved(key: string, lanes: number): typeof this.at | undefined {
    if (key === "Escape") return null;
    const { lane, us } = this.at ?? { lane: 0, us: this.axis.from };
    if (key === "ArrowUp") return { lane: Math.max(0, lane - 1), us };
    if (key === "ArrowDown") return { lane: Math.min(lanes - 1, lane + 1), us };
    const items = this.chart.items[lane];
    const now = this.at ? this.indexAt(lane, us) : -1;
    const last = items.length - 1;
    const next: Record<string, number> = {
      ArrowRight: Math.min(last, now + 1),
      ArrowLeft: Math.max(0, now - 1),
      Home: 0,
      End: last,
    };
    const item = items[next[key]];
    if (key in next && item) return { lane, us: (item.start + item.end) / 2 };
    return key in next ? { lane, us } : undefined;
  }

  /** The item at a time: the last one that begins before it, in the first row. */
  private indexAt(lane: number, us: number): number {
    const items = this.chart.items[lane] ?? [];
    const inside = items.findIndex((item) => item.start <= us && us <= item.end);
    const before = items.filter((item) => item.start <= us).length - 1;
    return inside >= 0 ? inside : before;
  }

  /** Move the outline and describe what is there. */
  private read(at: typeof this.at): void {
    this.at = at;
    this.stage.querySelector(".edt-cursor[data-now]")?.remove();
    const item = at && this.chart.items[at.lane]?.[this.indexAt(at.lane, at.us)];
    if (!at || !item) {
      setText(this.readout, HINT);
      return;
    }
    const mark = this.chart.outline(at.lane, item);
    this.stage.firstElementChild?.append(mark);
    setText(this.readout, this.itemText(this.data.lanes[at.lane], item).join(" · "));
  }

  private itemText(lane: Lane, item: Item): string[] {
    const { start, end, bar } = item;
    const when = `at ${duration(start)}`;
    const length = duration(end - start);
    if (!bar)
      return [lane.device, `idle ${length} ${when}`, ...this.idleText(lane, item)];
    const { count, name, module, phase, busy } = bar;
    const what = count > 1 ? `${count} ops${name ? ` (${name})` : ""}` : name;
    const where = module ? ` in ${module}` : "";
    const long =
      count > 1 && busy < (end - start) * 0.99
        ? `${duration(busy)} of work in ${length}`
        : length;
    const came = this.came(lane.device, (t) => t[0] >= start && t[0] <= end);
    const moved = came.map(
      ([, , source, , n, how]) =>
        `${bytes(n)} from ${source}${how === "copy" ? "" : ` (${how})`}`,
    );
    const more =
      moved.length > 3 ? [...moved.slice(0, 3), `${moved.length - 3} more`] : moved;
    return [
      lane.device,
      `${what}${where}`,
      `${long} ${when}`,
      NAMES[phase] ?? phase,
      ...more,
    ];
  }

  /** What ended an idle interval, and what other devices did meanwhile. */
  private idleText(lane: Lane, { start, end, source }: Item): string[] {
    const came = this.came(
      lane.device,
      (t) => t[2] === source && t[0] <= end && t[1] >= start,
    ).pop();
    const until = came ? [`until ${bytes(came[4])} came from ${source}`] : [];
    const others = this.data.lanes
      .filter((other) => other !== lane && other.ops > 0)
      .map((other) => {
        const share = busyWithin(other.bars, start, end) / Math.max(end - start, 1e-9);
        return `${other.device} ${busyText(share).split(",")[0]}`;
      });
    return [...until, ...(others.length ? [`meanwhile ${others.join(", ")}`] : [])];
  }

  private came(device: string, fits: (t: LanesData["transfers"][number]) => boolean) {
    return this.data.transfers.filter((t) => t[3] === device && fits(t));
  }
}

/** Show lines as a list, without empty ones. */
function listed(list: HTMLElement, ...lines: string[][]): void {
  const said = lines.flat().filter(Boolean);
  list.replaceChildren(...said.map((text) => html("li", {}, text)));
}

/** What a device has waited for. */
function waitTexts({ device, waited }: Lane): string[] {
  const each = waited.map((w) => `${duration(w.us)} for ${w.device}`);
  return each.length ? [`${device} waited ${each.join(", ")}`] : [];
}

/** Draw DeviceLanes into `el`; returns a function that removes it. */
export function renderLanes(model: Model, el: HTMLElement): () => void {
  const view = new DeviceLanes(model, el);
  return () => view.end();
}

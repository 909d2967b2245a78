/**
 * MemoryTree: who owns the bytes, now and at the peak?
 *
 * The Python half is `edutorch/widgets/memory_tree.py`. Synced traits: `data`, `frozen`,
 * `status`, and `marked`, which counts how often the button Mark was pressed. Everything
 * else is chosen in the page: device, grouping, moments, and the group that is shown.
 */
import { PALETTE } from "./chart";
import { attr, button, html, refill, setText, svg } from "./dom";
import { bytes, percent, plural, shortFile } from "./format";
import { type Group, groupRows, WAYS, type Way } from "./memory_groups";
import { bothEnds, changeText, MemoryMap } from "./memory_map";
import { memoryTable } from "./memory_table";
import type { MemoryTreeData } from "./memory_types";
import type { Model } from "./model";
import { readout, Shell } from "./shell";

const EMPTY: MemoryTreeData = {
  v: 1,
  rev: 0,
  step: 0,
  dropped: 0,
  shown: 0,
  devices: [{ name: "cpu", kind: "", limit: null, reserved: null }],
  categories: [],
  moments: [
    { kind: "now", name: "now" },
    { kind: "peak", name: "peak" },
  ],
  modules: [],
  lines: [],
  rows: [],
};
const PEAK = 1;
const HINT =
  "Hover over a tile or use the arrow keys to see its size. Enter opens a group, Escape leaves it.";
const WAITS =
  "The moment is saved when the kernel is free, at the latest when the cell ends.";

class MemoryTree {
  private readonly shell: Shell;
  private readonly map: MemoryMap;
  private readonly facts = html("dl", { class: "edt-facts" });
  private readonly tools = html("div", { class: "edt-subhead" });
  private readonly ways = html("span", {
    class: "edt-group",
    role: "group",
    "aria-label": "Group by",
  });
  private readonly device = select("Device");
  private readonly after = select("Show");
  private readonly before = select("compared with");
  private readonly marker = button(
    "Mark",
    "Save this moment, to compare others with it",
  );
  private readonly crumbs = html("nav", { class: "edt-crumbs", "aria-label": "Group" });
  private readonly owners = html("div", { class: "edt-owners" });
  private readonly table = html("div", { class: "edt-table", tabindex: -1 });
  private readonly readout = readout();
  private readonly keys = html("ul", { class: "edt-keys" });
  private readonly empty = html(
    "p",
    { class: "edt-empty" },
    "No memory recorded yet. It appears as soon as something is computed.",
  );
  private data = EMPTY;
  private by: Way = "module";
  private chosen: string | null = null;
  private moment = "peak";
  private other = "";
  private compared = false;
  /** a mark that Python has not set yet */
  private waits = false;
  /** the names of the entered groups */
  private path: string[] = [];
  private root: Group = groupRows(EMPTY, 0, "module", 0);

  constructor(
    private readonly model: Model,
    el: HTMLElement,
  ) {
    this.shell = new Shell(model, el, "memory_tree", "Memory by owner");
    const { life, root } = this.shell;
    this.map = new MemoryMap(life, {
      read: (group) => this.tell(group),
      open: (group) => this.enter([...this.path, group.name]),
      out: (all) => this.leave(all),
    });
    for (const way of WAYS)
      this.ways.append(button(capital(way), `Group by ${way}`, { "data-way": way }));
    this.tools.append(
      this.ways,
      this.device.label,
      this.after.label,
      this.before.label,
      this.marker,
    );
    this.owners.append(this.map.element, this.table);
    root.append(this.empty, this.facts, this.tools, this.crumbs, this.owners);
    root.append(this.readout, this.keys);
    this.listen();
    this.shell.follow(() => this.update());
  }

  end(): void {
    this.shell.life.end();
  }

  private listen(): void {
    const { life, root } = this.shell;
    life.listen(this.tools, "change", () => {
      this.chosen = this.device.box.value;
      this.moment = this.after.box.value;
      this.other = this.before.box.value;
      this.draw();
    });
    life.listen(this.marker, "click", () => this.mark());
    life.listen(root, "click", ({ target }) => {
      const at = (name: string) => dataOf(target, name);
      const [way, depth, name] = [at("way"), at("depth"), at("group")];
      if (way) this.by = way as Way;
      if (way || depth) this.enter(this.path.slice(0, Number(depth)));
      else if (name) this.enter([...this.path, ...JSON.parse(name)]);
    });
  }

  private update(): void {
    const sent = (this.model.get("data") ?? {}) as Partial<MemoryTreeData>;
    this.data = { ...EMPTY, ...sent };
    this.draw();
    const kept = `mark ${this.model.get("marked")}`;
    if (this.waits && this.data.moments.some(({ name }) => name === kept)) {
      this.waits = false;
      setText(this.readout, `Saved as “${kept}”.`);
    }
    this.shell.drawn(this.data.rev, null, this.data.step);
  }

  /** The index of the device shown. */
  private get place(): number {
    const found = this.data.devices.findIndex(({ name }) => name === this.chosen);
    return found < 0 ? this.data.shown : found;
  }

  private total(moment: number): number {
    const rows = this.data.rows.filter(({ device }) => device === this.place);
    return rows.reduce((sum, row) => sum + row.bytes[moment], 0);
  }

  private draw(): void {
    const blank = this.total(PEAK) === 0 && this.data.devices.length < 2;
    const { facts, tools, crumbs, owners, readout, keys } = this;
    for (const part of [facts, tools, crumbs, owners, readout, keys])
      part.hidden = blank;
    this.empty.hidden = !blank;
    this.marker.hidden = blank || this.model.get("frozen") === true;
    const { name, kind } = this.data.devices[this.place];
    const named = this.data.devices.length > 1 || name === "cpu"; // by the choice
    this.shell.tell(`${kind || "no device"}${named ? "" : ` · ${name}`}`);
    if (blank) return;
    const moments = keysOf(this.data);
    if (!moments.includes(this.moment)) this.moment = "now"; // a mark no longer kept
    const after = moments.indexOf(this.moment);
    const before = moments.indexOf(this.other);
    const { data, place, by } = this;
    if (before < 0) this.other = "";
    this.compared = before >= 0 && before !== after;
    this.root = groupRows(data, place, by, after, this.compared ? before : null);
    this.drawTools();
    this.drawFacts();
    this.drawGroup();
    this.drawKeys(after);
  }

  private hint(): string {
    const { dropped } = this.data;
    const lost = `${dropped} older records were dropped; memory recorded only there is not counted. `;
    return (dropped ? lost : "") + HINT;
  }

  private drawTools(): void {
    const { devices, moments } = this.data;
    for (const item of this.ways.children)
      attr(item, { "aria-pressed": String(dataOf(item, "way") === this.by) });
    this.device.label.hidden = devices.length < 2;
    const names = devices.map(({ name }) => [name, name]);
    this.device.fill(names, devices[this.place].name);
    const options = keysOf(this.data).map((key, i) => [key, moments[i].name]);
    this.after.fill(options, this.moment);
    this.before.fill([["", "nothing"], ...options], this.other);
  }

  private drawFacts(): void {
    const { limit, reserved } = this.data.devices[this.place];
    const facts: [string, string][] = [
      ["now", bytes(this.total(0))],
      ["peak", bytes(this.total(PEAK))],
    ];
    if (limit !== null) facts.push(["limit", bytes(limit)]);
    if (reserved !== null)
      facts.push(["reserved, unused", bytes(Math.max(0, reserved - this.total(0)))]);
    refill(
      this.facts,
      ...facts.map(([name, value]) =>
        html("div", {}, html("dt", {}, name), html("dd", { "data-fact": name }, value)),
      ),
    );
  }

  /** The entered group, or its nearest ancestor that still exists. */
  private shown(): Group {
    let group = this.root;
    for (const [i, name] of this.path.entries()) {
      const inner = group.children.find((child) => child.name === name);
      if (!inner?.children.length) {
        this.path = this.path.slice(0, i);
        break;
      }
      group = inner;
    }
    return group;
  }

  private drawGroup(): void {
    const group = this.shown();
    const { compared } = this;
    const names = ["all", ...this.path];
    const here = compared ? changeText(group) : bytes(group.after);
    const parts = names.map((name, i) =>
      i === names.length - 1
        ? html("b", { "aria-current": "true" }, `${name}: ${here}`)
        : html("button", { type: "button", class: "edt-link", "data-depth": i }, name),
    );
    const more = compared ? bothEnds(group) : "";
    const crumbs = parts.flatMap((part, i) =>
      i ? [html("span", {}, "›"), part] : [part],
    );
    refill(this.crumbs, ...crumbs, html("span", { class: "edt-muted" }, more));
    const [largest] = group.children;
    const most = largest ? `, the largest is ${largest.name}` : "";
    const about = `${names.join(" › ")}: ${here}${most}`;
    this.map.take(group, compared, about, this.data.categories);
    const table = memoryTable(group, compared);
    attr(table, { "aria-label": `Contents of ${names.join(", ")}` });
    refill(this.table, table);
  }

  private drawKeys(after: number): void {
    if (this.compared) {
      const key = (tint: string, words: string) =>
        html("li", { class: "edt-tinted", "data-tint": tint }, words);
      const keys = [
        key("more", "▲ more than before"),
        key("less", "▼ less than before"),
      ];
      refill(this.keys, ...keys);
      return;
    }
    const sums = this.data.categories.map(() => 0);
    for (const row of this.data.rows)
      if (row.device === this.place) sums[row.category] += row.bytes[after];
    const items = this.data.categories.map((name, i) => {
      const colour = PALETTE[i % PALETTE.length];
      const box = {
        x: 1,
        y: 1,
        width: 24,
        height: 11,
        rx: 3,
        fill: colour,
        "fill-opacity": 0.5,
      };
      const sample = svg("svg", {}, svg("rect", { ...box, stroke: colour }));
      return html("li", {}, sample, `${name} ${bytes(sums[i])}`);
    });
    refill(this.keys, ...items);
  }

  // ---- what the reader does

  private enter(path: string[]): void {
    const from = this.path;
    this.path = path;
    this.draw();
    this.map.pick(path.length < from.length ? from[path.length] : "");
  }

  private leave(all: boolean): void {
    if (this.path.length > 0) this.enter(all ? [] : this.path.slice(0, -1));
  }

  private mark(): void {
    this.waits = true;
    setText(this.readout, WAITS);
    this.model.set("marked", Number(this.model.get("marked") ?? 0) + 1);
    this.model.save_changes();
  }

  private tell(group: Group | null): void {
    if (this.waits) return;
    if (!group) {
      setText(this.readout, this.hint());
      return;
    }
    const { name, category, count, after, line, children } = group;
    const whole = this.shown().after;
    const share = whole > 0 ? `${percent(after / whole)} of this group` : "";
    const parts = this.compared
      ? [changeText(group), bothEnds(group)]
      : [bytes(after), share, plural(count, "tensor")];
    if (category >= 0) parts.push(this.data.categories[category]);
    const made = this.data.lines[line];
    if (made?.file) parts.push(`made at ${shortFile(made.file)}:${made.line}`);
    if (children.length > 0) parts.push("Enter opens it");
    setText(this.readout, [name, ...parts].filter(Boolean).join(" · "));
  }
}

/** The label of a choice of moment while training goes on: "the last step". */
function keysOf({ moments }: MemoryTreeData): string[] {
  const last = moments.map(({ kind }) => kind).lastIndexOf("step");
  return moments.map(({ kind, name }, i) => {
    if (kind !== "step") return kind === "mark" ? `=${name}` : kind;
    return i === last ? "last" : i === 2 ? "first" : "previous";
  });
}

/** A labelled select whose options may change while the reader has it open. */
function select(label: string) {
  const box = html("select");
  const whole = html("label", {}, label, box);
  const fill = (options: string[][], chosen: string) => {
    const old = [...box.options].map((o) => [o.value, o.text]);
    if (JSON.stringify(old) !== JSON.stringify(options))
      refill(box, ...options.map(([value, text]) => html("option", { value }, text)));
    box.value = chosen;
  };
  return { box, label: whole, fill };
}

function dataOf(target: EventTarget | null, name: string): string | null {
  if (!(target instanceof Element)) return null;
  return target.closest(`[data-${name}]`)?.getAttribute(`data-${name}`) ?? null;
}

function capital(word: string): string {
  return word[0].toUpperCase() + word.slice(1);
}

/** Draw a MemoryTree into `el`; returns a function that removes it. */
export function renderMemoryTree(model: Model, el: HTMLElement): () => void {
  const view = new MemoryTree(model, el);
  return () => view.end();
}

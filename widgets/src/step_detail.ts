/** The panel on one moment: formula, numbers of an element, values, neighbours. */

import { html } from "./dom";
import { plural, within } from "./format";
import { grid, readable, sign } from "./step_grid";
import {
  backwardWords,
  factorsOf,
  forwardWords,
  isFull,
  joinWords,
  termPlaces,
  valueAt,
} from "./step_numbers";
import type { Row } from "./step_rows";
import type { StepData, StepEdge, StepMoment } from "./step_types";
import { placeOf } from "./tensor_panel";

/** The chosen element of each value that has choosable ones, by name. */
export type Picked = Record<string, number>;

/** the number of parameter updates shown */
const MOST_UPDATES = 24;

/** The name of a moment. */
export function titleOf(m: StepMoment): string {
  const result = m.kind === "op" && m.outs.length === 1 ? m.outs[0].name : "";
  if (m.kind === "leaf") return `gradient of ${m.name}`;
  return result ? `${result} = ${m.name}` : m.name;
}

/** A module call's title, and its index among its siblings. */
export function callTitle({ calls }: StepData, { call, backward }: Row): string {
  const { path, cls, parent } = calls[call];
  const name = within(path, calls[parent]?.path ?? "");
  return `${backward ? "backward of " : ""}${path ? `(${name}): ` : ""}${cls}`;
}

function spoken(index: number[]): string {
  return index.length ? `[${index.join(", ")}]: ` : "";
}

export class StepDetail {
  constructor(
    private readonly data: StepData,
    private readonly picked: Picked,
  ) {}

  /** All details of a row. */
  of(row: Row): Node[] {
    const m = this.data.moments[row.at];
    if (row.kind === "call") return this.call(row);
    const parts: Node[] = [this.head(m), this.neighbours(m)];
    if (m.error) parts.push(html("p", { class: "edt-alert" }, `✗ ${m.error}`));
    if (m.kind === "op") parts.push(...this.forward(m));
    else if (m.kind === "optim") parts.push(...this.update(m));
    else parts.push(...this.backward(m));
    return parts;
  }

  private head(m: StepMoment): HTMLElement {
    const chip = (words: string) => html("span", { class: "edt-chip" }, words);
    const what = { op: m.phase, bwd: "backward", leaf: "leaf", optim: "update" };
    const head = html("header", {}, html("h3", {}, titleOf(m)));
    head.append(chip(what[m.kind as keyof typeof what] ?? m.kind));
    const call = this.data.calls[m.call];
    if (call) {
      const { path, cls } = call;
      head.append(chip(path && path !== cls ? `${path}: ${cls}` : cls));
    }
    return head;
  }

  private call(row: Row): Node[] {
    const inside = this.data.moments.slice(row.at, row.end);
    const count = inside.length;
    const title = callTitle(this.data, row);
    const first = inside[0];
    const last = inside[count - 1];
    const into = row.backward ? first.outs[0]?.v : entering(inside, row.at);
    const out = row.backward ? leaving(inside, row.end) : last.outs[0];
    return [
      html("header", {}, html("h3", {}, title)),
      html(
        "p",
        { class: "edt-muted" },
        `${plural(count, "operation")} inside; → steps into it, ↓ steps over it.`,
      ),
      this.line(
        into !== undefined && grid(valueAt(this.data, into), { title: "input" }),
        sign("→"),
        out && grid(valueAt(this.data, out.v), { title: "output" }),
      ),
    ];
  }

  // ---- forward

  private forward(m: StepMoment): Node[] {
    const result = m.outs.length === 1 ? valueAt(this.data, m.outs[0].v) : null;
    const at = this.picked.out ?? 0;
    const index = result ? placeOf(at, result.shape) : [];
    const words = readable(result) ? forwardWords(this.data, m, index) : "";
    const lit = words ? this.operandPlaces(m, index) : [];
    const given = m.ins.map((operand, k) =>
      grid(valueAt(this.data, operand.v), {
        title: named(operand.letter, operand.name),
        lit: lit[k],
      }),
    );
    const pick = words ? "out" : undefined;
    const made = m.outs.map((out, k) =>
      grid(valueAt(this.data, out.v), {
        title: m.outs.length > 1 ? `y${k}` : named("y", out.name),
        chosen: words ? at : undefined,
        pick,
      }),
    );
    const read = m.read.map((v) => grid(valueAt(this.data, v), { title: "read" }));
    return [
      formula(m.formula || `y = ${m.name}(…)`),
      ...this.readout(words && spoken(index) + words),
      this.line(...given, ...read, made.length > 0 && sign("="), ...made),
    ];
  }

  /** For each operand, the elements that contribute to one of the result's. */
  private operandPlaces(m: StepMoment, index: number[]): Set<number>[] {
    if (!m.recipe) return [];
    const [left, out] = m.recipe.spec.split("->");
    const letters = left.split(",");
    return letters.map((names, k) => {
      const value = valueAt(this.data, m.ins[k].v);
      if (!isFull(value)) return new Set();
      return new Set(termPlaces([names], [value], out, index).map(([at]) => at));
    });
  }

  // ---- backward

  private backward(m: StepMoment): Node[] {
    const nodes = m.parts.length > 1 ? this.joined(m) : this.arrived(m);
    if (m.kind === "leaf") nodes.push(...this.accumulated(m));
    else if (m.of < 0) nodes.push(formula("its operation was not recorded"));
    m.edges.forEach((edge, k) => {
      nodes.push(...this.edge(m, edge, k));
    });
    return nodes;
  }

  /** Several gradients and their sum. */
  private joined(m: StepMoment): Node[] {
    const incoming = valueAt(this.data, m.outs[0].v);
    const at = this.picked.in ?? 0;
    const index = incoming ? placeOf(at, incoming.shape) : [];
    const words = readable(incoming) ? joinWords(this.data, m, index) : "";
    const parts = m.parts.flatMap((part, k) => [
      k > 0 && sign("+"),
      grid(valueAt(this.data, part.v), {
        title: `from ${this.data.moments[part.from]?.name ?? "?"}`,
        lit: words ? new Set([at]) : undefined,
      }),
    ]);
    const pick = words ? "in" : undefined;
    const title = m.kind === "leaf" ? "gradient" : "g";
    const total = grid(incoming, { title, chosen: pick ? at : undefined, pick });
    const head = `${m.parts.length} paths join here: their gradients are summed`;
    return [
      html("h4", {}, head),
      ...this.readout(words && spoken(index) + words),
      this.line(...parts, sign("="), total),
    ];
  }

  /** The gradient that has arrived, if the edges below do not show it. */
  private arrived(m: StepMoment): Node[] {
    if (m.kind === "bwd" && m.edges.length > 0 && m.outs.length === 1) return [];
    const told = m.kind === "leaf" ? `gradient = ∂L/∂${m.name}` : "g = ∂L/∂y, incoming";
    const all = m.outs.map(({ v }, k) =>
      grid(valueAt(this.data, v), { title: k ? `g${k}` : told }),
    );
    return [this.line(...all)];
  }

  /** The value of `.grad` after a leaf's gradient was added to it. */
  private accumulated(m: StepMoment): Node[] {
    if (m.after < 0) return [];
    if (m.after === m.outs[0].v)
      return [formula(".grad was None: it is now this gradient")];
    return [
      formula(".grad had a value: this gradient was added to it"),
      this.line(grid(valueAt(this.data, m.after), { title: ".grad now" })),
    ];
  }

  private edge(m: StepMoment, edge: StepEdge, k: number): Node[] {
    const sent = valueAt(this.data, edge.v);
    const at = this.picked[`e${k}`] ?? 0;
    const index = sent ? placeOf(at, sent.shape) : [];
    const words = readable(sent) ? backwardWords(this.data, m, edge, index) : "";
    const pick = words ? `e${k}` : undefined;
    const factors = words ? factorsOf(this.data, m, edge) : null;
    const places = factors
      ? termPlaces(factors.letters, factors.values, factors.out, index)
      : [];
    const factor = (v: number, title: string, i: number) =>
      grid(valueAt(this.data, v), {
        title,
        lit: new Set(places.map((term) => term[i])),
      });
    const values = [factor(m.outs[0].v, "g, incoming", 0)];
    if (edge.local >= 0) values.push(sign("×"), factor(edge.local, "local", 1));
    const title = `∂L/∂${edge.letter || edge.name || "operand"}, outgoing`;
    const outgoing = grid(sent, { title, chosen: pick ? at : undefined, pick });
    const to = edge.name ? `for ${named(edge.letter, edge.name)}` : "";
    return [
      html("h4", {}, `incoming × local = outgoing ${to}`),
      formula(edge.formula || "no formula available"),
      ...this.readout(words && spoken(index) + words),
      ...(edge.note ? [html("p", { class: "edt-alert" }, edge.note)] : []),
      this.line(...values, sign(edge.form ? "=" : "→"), outgoing),
    ];
  }

  private update(m: StepMoment): Node[] {
    const nodes = m.ins.slice(0, MOST_UPDATES).map(({ v, name }, k) => {
      const after = grid(valueAt(this.data, m.outs[k].v), { title: "after" });
      const before = grid(valueAt(this.data, v), { title: `${name} before` });
      return this.line(before, sign("→"), after);
    });
    const more = m.ins.length - nodes.length;
    const words = `… and ${more} more parameters`;
    return more > 0 ? [...nodes, html("p", { class: "edt-muted" }, words)] : nodes;
  }

  // ---- where from, where to

  private neighbours(m: StepMoment): HTMLElement {
    const forward = m.kind === "op";
    const before = forward ? m.ins.map(({ from }) => from) : m.parts.map((p) => p.from);
    const after = forward ? m.users : m.edges.map(({ to }) => to);
    const across = forward ? m.back : [m.of];
    const list = html("nav", { class: "edt-near", "aria-label": "Neighbours" });
    const add = (words: string, places: number[]) => {
      const known = [...new Set(places)].filter((at) => at >= 0).sort((a, b) => a - b);
      if (known.length === 0) return;
      const links = known.slice(0, 8).map((at) => {
        const near = this.data.moments[at];
        const face = titleOf(near);
        return html(
          "button",
          { type: "button", class: "edt-link", "data-go": at },
          `${at + 1} ${face}`,
        );
      });
      list.append(html("span", {}, html("i", {}, words), ...links));
    };
    add("from", before);
    add("to", after);
    add(forward ? "its backward" : "backward of", across);
    return list;
  }

  private readout(words: string): HTMLElement[] {
    const look = { class: "edt-sum edt-code", "aria-live": "polite" };
    return words ? [html("p", look, words)] : [];
  }

  /** Values and operators; an operator stays with the value after it. */
  private line(...parts: (HTMLElement | false | undefined)[]): HTMLElement {
    const line = html("div", { class: "edt-values" });
    let sign: HTMLElement | null = null;
    for (const part of parts) {
      if (part && part.className === "edt-op") sign = part;
      else if (part) {
        line.append(sign ? html("span", { class: "edt-values" }, sign, part) : part);
        sign = null;
      }
    }
    return line;
  }
}

/** The first value from outside that a module's operations read, but no parameter. */
function entering(inside: StepMoment[], start: number): number | undefined {
  const given = inside.flatMap(({ ins, read }) => [
    ...ins.filter(({ from, name }) => (from < 0 ? !name.includes(".") : from < start)),
    ...read.map((v) => ({ v })),
  ]);
  return given[0]?.v;
}

/** The gradient that a module's backward sends to what precedes the module. */
function leaving(inside: StepMoment[], end: number): StepEdge | undefined {
  return inside.flatMap(({ edges }) => edges).find(({ to }) => to >= end);
}

function formula(words: string): HTMLElement {
  return html("p", { class: "edt-formula" }, words);
}

/** "a = weights": the names of an operand in the formula and in the program. */
function named(letter: string, name: string): string {
  return letter && name && letter !== name
    ? `${letter} = ${name}`
    : letter || name || "operand";
}

/**
 * A tensor's memory in the page: the reader applies views to one buffer, and sees where
 * each element is stored.
 *
 * The Python half is `edutorch/course/interactions/stride_inspector.py`, which takes the
 * library's own views.
 */
import { button, html, refill, setText } from "../dom";
import { Lifetime, type Model } from "../model";

const ROWS = 3;
const COLUMNS = 4;
/** x holds 10, 11, ..., so that values differ from offsets */
const FIRST = 10;

/** A 2-D tensor and its position in memory. */
interface Viewed {
  code: string;
  shape: [number, number];
  strides: [number, number];
  offset: number;
  buffer: number[];
  isView: boolean;
}

export const OPERATIONS: Record<string, (y: Viewed) => Viewed> = {
  transpose: (y) => ({
    ...y,
    code: `${y.code}.t()`,
    shape: [y.shape[1], y.shape[0]],
    strides: [y.strides[1], y.strides[0]],
  }),
  "drop a row": (y) =>
    y.shape[0] === 1
      ? y
      : {
          ...y,
          code: `${y.code}[1:]`,
          shape: [y.shape[0] - 1, y.shape[1]],
          offset: y.offset + y.strides[0],
        },
  "every 2nd column": (y) =>
    y.shape[1] < 3
      ? y
      : {
          ...y,
          code: `${y.code}[:, ::2]`,
          shape: [y.shape[0], Math.ceil(y.shape[1] / 2)],
          strides: [y.strides[0], 2 * y.strides[1]],
        },
  expand: (y) => ({
    ...y,
    code: `${y.code}[:, :1].expand(${y.shape.join(", ")})`,
    strides: [y.strides[0], y.shape[1] === 1 ? y.strides[1] : 0],
  }),
  reshape,
};

/** Swap rows and columns; the order of the elements stays. */
function reshape(y: Viewed): Viewed {
  const [rows, columns] = y.shape;
  const code = `${y.code}.reshape(${columns}, ${rows})`;
  const shape: [number, number] = [columns, rows];
  if (rows === columns) return { ...y, code };
  const [down, across] = y.strides;
  // In one row, or in rows that follow each other, the next element is one step away.
  if (columns === 1) return { ...y, code, shape, strides: [rows * down, down] };
  if (rows === 1 || down === columns * across)
    return { ...y, code, shape, strides: [rows * across, across] };
  const buffer = placesOf(y).flatMap((line) => line.map((place) => y.buffer[place]));
  return { code, shape, strides: [rows, 1], offset: 0, buffer, isView: false };
}

export function viewed(names: string[]): Viewed {
  const start: Viewed = {
    code: "x",
    shape: [ROWS, COLUMNS],
    strides: [COLUMNS, 1],
    offset: 0,
    buffer: Array.from({ length: ROWS * COLUMNS }, (_, i) => FIRST + i),
    isView: true,
  };
  return names.reduce((y, name) => OPERATIONS[name](y), start);
}

function placeOf({ offset, strides }: Viewed, [row, column]: number[]): number {
  return offset + row * strides[0] + column * strides[1];
}

function placesOf(y: Viewed): number[][] {
  return Array.from({ length: y.shape[0] }, (_, i) =>
    Array.from({ length: y.shape[1] }, (_, j) => placeOf(y, [i, j])),
  );
}

export function captionOf(y: Viewed): string {
  const whose = y.isView ? "a view of x" : "a copy, with its own memory";
  return (
    `y = ${y.code}: shape (${y.shape.join(", ")}), strides (${y.strides.join(", ")}), ` +
    `offset ${y.offset}, ${whose}.`
  );
}

export function walkOf(y: Viewed, at: number[]): string {
  const [down, across] = y.strides;
  return (
    `y[${at.join(", ")}] is at ${y.offset} + ${at[0]}·${down} + ${at[1]}·${across} ` +
    `= ${placeOf(y, at)}`
  );
}

const NOTE =
  "Click a number, or use the arrow keys, to see where it is stored. " +
  "Places that are not lit are in the memory, but not in y.";

const STYLE = `
.esi-controls { display: flex; flex-wrap: wrap; gap: 6px 8px; padding: 10px 12px 4px; }
.edutorch .esi-caption, .edutorch .esi-walk { margin: 6px 12px; font-size: 14px; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.edutorch .esi-caption { min-height: 40px; }
.esi-name { display: block; margin: 8px 12px 2px; color: var(--edt-muted); font-size: 12px; }
.esi-memory { display: flex; flex-wrap: wrap; margin: 0 12px; }
.esi-view { display: grid; width: max-content; margin: 0 12px 6px; padding: 2px; min-height: 110px; align-content: start; }
.esi-cell { display: flex; flex-direction: column; align-items: center; justify-content: center; width: 30px; height: 36px;
  margin: 0 -1px -1px 0; border: 1px solid var(--edt-border); font-variant-numeric: tabular-nums; }
.esi-view .esi-cell { height: 30px; cursor: pointer; }
.esi-cell small { color: var(--edt-muted); font-size: 9px; line-height: 10px; }
.esi-lit { background: color-mix(in srgb, var(--edt-linear) 34%, transparent); }
.esi-lit small { color: var(--edt-text); }
.esi-chosen { box-shadow: inset 0 0 0 3px var(--edt-grad); font-weight: 700; }
.edutorch .esi-note { margin: 0 12px 10px; color: var(--edt-muted); font-size: 12px; }
`;

interface State {
  operations: string[];
  at: number[];
}

class StrideInspector {
  private readonly life = new Lifetime();
  private readonly state: State;
  private readonly caption = html("p", {
    class: "esi-caption",
    role: "status",
    "data-testid": "caption",
  });
  private readonly walk = html("p", { class: "esi-walk", "data-testid": "walk" });
  private readonly memory = html("div", {
    class: "esi-memory",
    "data-testid": "memory",
  });
  private readonly view = html("div", {
    class: "esi-view",
    tabindex: 0,
    role: "application",
    "data-testid": "view",
    "aria-label": "The numbers of y. A click or arrow keys choose one.",
  });
  private readonly redraw = this.life.perFrame(() => this.draw());

  constructor(model: Model, root: HTMLElement) {
    this.state = structuredClone(model.get("data") as State);
    const style = html("style");
    style.textContent = STYLE;
    root.append(
      style,
      this.controls(),
      this.caption,
      html("span", { class: "esi-name" }, "memory: place, and what is there"),
      this.memory,
      html("span", { class: "esi-name" }, "y"),
      this.view,
      this.walk,
      html("p", { class: "esi-note" }, NOTE),
    );
    this.life.listen(this.view, "click", ({ target }) => {
      const cell = (target as Element).closest("[data-at]");
      if (cell) this.choose(cell.getAttribute("data-at")?.split(",").map(Number) ?? []);
    });
    this.life.listen(this.view, "keydown", (event) => this.key(event));
    this.draw();
  }

  end(): void {
    this.life.end();
  }

  private controls(): HTMLElement {
    const row = html("div", { class: "esi-controls" });
    const act = (face: string, label: string, next: () => string[]) => {
      const made = button(face, label, { "data-testid": face });
      this.life.listen(made, "click", () => {
        this.state.operations = next();
        this.redraw();
      });
      row.append(made);
    };
    for (const name of Object.keys(OPERATIONS))
      act(name, `y becomes: ${name}`, () => [...this.state.operations, name]);
    act("undo", "Undo", () => this.state.operations.slice(0, -1));
    act("reset", "Back to x", () => []);
    return row;
  }

  private key(event: KeyboardEvent): void {
    const [row, column] = this.state.at;
    const moves: Record<string, number[]> = {
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
    };
    const to = moves[event.key];
    if (!to) return;
    event.preventDefault();
    this.choose(to);
  }

  private choose(at: number[]): void {
    this.state.at = at;
    this.redraw();
  }

  private draw(): void {
    const y = viewed(this.state.operations);
    const at = this.state.at.map((i, d) => Math.max(0, Math.min(i, y.shape[d] - 1)));
    this.state.at = at;
    const places = placesOf(y);
    const lit = new Set(places.flat());
    const here = placeOf(y, at);
    setText(this.caption, captionOf(y));
    setText(this.walk, walkOf(y, at));
    const cells = y.buffer.map((value, place) => {
      const look = `${lit.has(place) ? "esi-lit" : ""} ${place === here ? "esi-chosen" : ""}`;
      const number = html("small", {}, String(place));
      return html("span", { class: `esi-cell ${look}` }, number, String(value));
    });
    refill(this.memory, ...cells);
    this.view.style.gridTemplateColumns = `repeat(${y.shape[1]}, auto)`;
    const shown = places.flatMap((line, i) =>
      line.map((place, j) => {
        const chosen = i === at[0] && j === at[1] ? "esi-chosen" : "";
        const shape = { class: `esi-cell esi-lit ${chosen}`, "data-at": `${i},${j}` };
        return html("span", shape, String(y.buffer[place]));
      }),
    );
    refill(this.view, ...shown);
  }
}

/** Draw the interaction; returns a function that ends it. */
export function renderStrideInspector(model: Model, el: HTMLElement): () => void {
  const made = new StrideInspector(model, el);
  return () => made.end();
}

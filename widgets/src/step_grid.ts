/** A value: coloured numbers, or if large a heat map with statistics. */
import { html } from "./dom";
import { number, sampleWords, shapeText } from "./format";
import { isFull, plain } from "./step_numbers";
import type { StepValue } from "./step_types";
import { boundOf, cellPixels, inkOn, valueColour } from "./value_colours";

/** elements up to which each is shown as a number */
const FULL = 64;
/** numbers per row for a vector */
const WRAP = 8;
const WIDTH = 180;
const NARROW = 48;

export interface GridOptions {
  title: string;
  /** the chosen element, and those that contribute to its formula */
  chosen?: number;
  lit?: ReadonlySet<number>;
  /** makes elements selectable under this name */
  pick?: string;
}

/** The number of columns in which a value's elements are laid out. */
function columnsOf({ shown: [rows, columns] }: StepValue): number {
  return rows === 1 ? Math.min(columns, WRAP) : columns;
}

export function readable(value: StepValue | null): boolean {
  return isFull(value) && value.cells.length > 0 && value.cells.length <= FULL;
}

export function grid(value: StepValue | null, options: GridOptions): HTMLElement {
  const figure = html("figure", { class: "edt-value" });
  const dtype = value?.dtype === "float32" ? "" : ` ${value?.dtype ?? ""}`;
  const kind = value ? shapeText(value.shape) + dtype : "";
  figure.append(
    html(
      "figcaption",
      {},
      html("b", {}, options.title),
      html("span", { class: "edt-muted" }, kind),
    ),
  );
  if (!value) figure.append(said("not recorded"));
  else if (value.cells.length > 0)
    figure.append(
      ...(readable(value)
        ? [numbers(value, options)]
        : [heatMap(value), statistics(value)]),
    );
  if (value?.note) figure.append(said(value.note));
  return figure;
}

const said = (words: string) => html("p", { class: "edt-muted" }, words);

function numbers(value: StepValue, { title, chosen, lit, pick }: GridOptions) {
  const bound = boundOf(value.cells);
  const columns = columnsOf(value);
  const words = value.cells.slice(0, 16).map(plain).join(", ");
  const table = html("div", {
    class: "edt-numbers",
    role: "group",
    "aria-label": `${title}: ${words}${value.cells.length > 16 ? " …" : ""}`,
    style: `grid-template-columns: repeat(${columns}, max-content)`,
    tabindex: pick ? 0 : null,
    "data-pick": pick,
  });
  value.cells.forEach((cell, at) => {
    const [r, g, b] = valueColour(cell, bound);
    const look = `background: rgb(${r}, ${g}, ${b}); color: ${inkOn(cell, bound)}`;
    const marked = { "data-chosen": at === chosen, "data-lit": lit?.has(at) ?? false };
    table.append(html("span", { style: look, ...marked }, plain(cell)));
  });
  return table;
}

/** The element selected by a click or an arrow key; -1 for none. */
export function chosenBy(event: Event, table: Element, value: StepValue): number {
  const cells = [...table.children];
  if (!(event instanceof KeyboardEvent))
    return event.target instanceof Element ? cells.indexOf(event.target) : -1;
  const columns = columnsOf(value);
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
  };
  const from = cells.findIndex((cell) => cell.hasAttribute("data-chosen"));
  const to = from + (steps[event.key] ?? Number.NaN);
  return to >= 0 && to < cells.length ? to : -1;
}

function heatMap(value: StepValue): HTMLElement {
  const [rows, columns] = value.shown;
  const canvas = html("canvas", { width: columns, height: rows, role: "img" });
  const scale = Math.min(WIDTH / columns, WIDTH / rows, 16);
  // Images are stacked, much higher than wide.
  canvas.style.width = `${Math.max(columns > 1 ? NARROW : 2, columns * scale)}px`;
  canvas.style.height = `${Math.max(8, rows * scale)}px`;
  canvas.setAttribute("aria-label", `heat map of ${shapeText(value.shape)} numbers`);
  const context = canvas.getContext("2d");
  if (context) {
    const image = context.createImageData(columns, rows);
    image.data.set(cellPixels(value.cells, boundOf(value.cells)));
    context.putImageData(image, 0, 0);
  }
  return canvas;
}

function statistics({ stats, steps }: StepValue): HTMLElement {
  const words = [];
  if (stats) {
    words.push(`${number(stats.min)} … ${number(stats.max)}`);
    words.push(`mean ${number(stats.mean)}, deviation ${number(stats.std)}`);
    if (stats.nan + stats.inf > 0) words.push(`⚠ ${stats.nan} nan, ${stats.inf} inf`);
  }
  if (Math.max(...steps) > 1) words.push(`shown: ${sampleWords(steps)}`);
  return html("p", { class: "edt-muted" }, words.join(" · "));
}

/** An operator between two values. */
export function sign(text: string): HTMLElement {
  return html("span", { class: "edt-op" }, text);
}

/** A storage, and the elements of it that each tensor covers. */
import { html, svg } from "./dom";
import { bytes, clip } from "./format";
import { cellsOfView } from "./memory_cells";
import type { MemoryOfView, TensorData } from "./tensor_types";

/** parts of a storage that are drawn */
const MOST = 128;
const CELL = 16;

/** A heading, then a row of cells for each view. */
export function memoryRows(memory: NonNullable<TensorData["memory"]>): HTMLElement[] {
  const head = html(
    "p",
    { class: "edt-muted" },
    `One storage of ${bytes(memory.bytes)}, viewed by`,
  );
  return [head, ...memory.views.map((view) => row(view, memory.bytes))];
}

function row(view: MemoryOfView, nbytes: number): HTMLElement {
  const lit = cellsOfView(view, Math.floor(nbytes / view.itemsize), MOST);
  const width = Math.max(1, lit.length) * CELL;
  const words = `${view.name}: shape (${view.shape}), strides (${view.strides}), offset ${view.offset}`;
  const picture = svg("svg", {
    viewBox: `0 0 ${width} ${CELL}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": words,
    style: `max-width: ${width}px`,
  });
  const gap = lit.length > 48 ? 0 : 1;
  for (const [from, to, on] of runs(lit, gap > 0)) {
    const size = { width: (to - from) * CELL - gap, height: CELL };
    const look = on ? "edt-seen" : "edt-unseen";
    picture.append(svg("rect", { x: from * CELL, y: 0, ...size, class: look }));
  }
  const name = html("span", { class: "edt-code", title: words }, clip(view.name, 22));
  return html("div", { class: "edt-memory-row" }, name, picture);
}

/** Runs of equal cells; single cells if `apart`. */
function runs(lit: boolean[], apart: boolean): [number, number, boolean][] {
  const found: [number, number, boolean][] = [];
  lit.forEach((on, i) => {
    const last = found[found.length - 1];
    if (last && last[2] === on && !apart) last[1] = i + 1;
    else found.push([i, i + 1, on]);
  });
  return found;
}

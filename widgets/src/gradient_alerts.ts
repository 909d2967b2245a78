/** Alerts of the gradient view: signs; long runs are reported once. */
import { button, html } from "./dom";
import type { GradientData, GradientMark } from "./gradient_types";

/** Alerts listed at first; the others are a click away. */
const SHOWN = 4;
const MAX_SHOWN = 200;

/** Each alert has its own sign, so that it needs no colour. */
export const MARK_SIGN: Record<GradientMark["kind"], string> = {
  vanishing: "▼",
  exploding: "▲",
  nonfinite: "✕",
};

export interface MarkGroup {
  kind: GradientMark["kind"];
  layer: string;
  when: string;
  rule: string;
}

/** Alerts in one cell of the heat map. */
export function marksAt(
  data: GradientData,
  column: number,
  row: number,
): GradientMark[] {
  const step = data.steps[column];
  return data.marks.filter((m) => m.step === step && m.layer === data.layers[row]);
}

/**
 * Which cells are nan or infinite: norms come without those, so it is where a layer has
 * no norm since the alert that said so. One row for each step.
 */
export function brokenCells({
  steps,
  layers,
  norms,
  marks,
}: GradientData): boolean[][] {
  const starts = layers.map((layer) =>
    marks.flatMap((m) => (m.kind === "nonfinite" && m.layer === layer ? [m.step] : [])),
  );
  const broken = layers.map(() => false);
  return steps.map((step, i) =>
    layers.map((_, j) => {
      const before = steps[i - 1] ?? Number.NEGATIVE_INFINITY;
      if (starts[j].some((s) => s > before && s <= step)) broken[j] = true;
      if ((norms[i]?.[j] ?? null) !== null) broken[j] = false;
      return broken[j];
    }),
  );
}

/** One entry for each layer and kind, with the steps from first to last. */
export function groupMarks(marks: GradientMark[]): MarkGroup[] {
  const groups = new Map<string, GradientMark[]>();
  for (const mark of marks) {
    const key = `${mark.kind}\n${mark.layer}`;
    const list = groups.get(key);
    if (list) list.push(mark);
    else groups.set(key, [mark]);
  }
  return [...groups.values()].map((list) => {
    const [first, last] = [list[0], list[list.length - 1]];
    const when =
      list.length === 1
        ? `step ${first.step}`
        : `${list.length} steps from ${first.step} to ${last.step}`;
    return { kind: last.kind, layer: last.layer, when, rule: last.rule };
  });
}

function entry({ kind, layer, when, rule }: MarkGroup): HTMLElement {
  const attributes = { class: "edt-sign", "data-mark": kind };
  const sign = html("span", attributes, `${MARK_SIGN[kind]} ${kind}`);
  return html("li", { "data-mark": kind }, sign, ` · ${layer} · ${when} · ${rule}`);
}

/** The newest alerts or all of them, with a button to switch. */
export function alerts(marks: GradientMark[], whole: boolean): HTMLElement[] {
  const groups = groupMarks(marks).reverse();
  const items = groups.slice(0, whole ? MAX_SHOWN : SHOWN).map(entry);
  if (groups.length <= SHOWN) return items;
  const words = whole ? "Show the newest only" : `Show all ${groups.length} alerts`;
  const more = button(words, words, { "aria-expanded": String(whole) });
  return [...items, html("li", {}, more)];
}

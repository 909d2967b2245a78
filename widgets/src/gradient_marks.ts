/** Alerts of the gradient view: signs, and long runs of them told once. */
import type { GradientData, GradientMark } from "./types";

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

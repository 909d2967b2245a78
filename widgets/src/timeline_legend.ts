/** The meaning of the colours of a timeline's bars. */
import { html, svg } from "./dom";
import { coloursOf } from "./theme";
import { KINDS, OUTSIDE, RANGE } from "./timeline_bars";
import { styles } from "./timeline_canvas";
import type { TimelineData } from "./timeline_types";

/** An item for each kind of bar present, and one for the gaps. */
export function legendOf(data: TimelineData, root: HTMLElement): HTMLElement[] {
  const looks = styles(coloursOf(root));
  const present = new Set(data.bars.kind);
  const items = KINDS.flatMap((name, kind) => {
    if (!present.has(kind)) return [];
    const { fill, alpha, border } = looks[kind];
    const size = { x: 1, y: 1, width: 22, height: 11, rx: 2 };
    const box = svg("rect", { ...size, fill, "fill-opacity": alpha, stroke: border });
    const plain = kind === RANGE ? "named block (record_function)" : name;
    return html("li", {}, svg("svg", {}, box), plain);
  });
  const strokes = svg("path", {
    d: "M2,12 L8,2 M8,12 L14,2 M14,12 L20,2",
    class: "edt-axis",
  });
  const between = `${OUTSIDE}: Python, new tensors, watching`;
  return [...items, html("li", {}, svg("svg", {}, strokes), between)];
}

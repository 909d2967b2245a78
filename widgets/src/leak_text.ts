/** The text of LeakFinder, as in `edutorch/widgets/leak_text.py`. */
import { bytes, number, plural, shortFile } from "./format";
import type { LeakAnswer, LeakRow } from "./leak_types";
import type { Source } from "./types";

const SIGNS: Record<string, string> = { leak: "✕ leak", grows: "▲ grows" };

const whole = (n: number) => n.toLocaleString("en-US");

function count(n: number, what: string): string {
  return `${whole(n)} ${what}${n === 1 ? "" : "s"}`;
}

/** "train.py:9" with the line's text. */
export function lineOf(src: Source): string {
  return `${shortFile(src.file)}:${src.line}`;
}

export function placeOf({ src, name }: { src: Source | null; name: string }): string {
  return src ? `${lineOf(src)}: ${src.text}` : name || "an object";
}

/** The survivors of a line and their growth. */
export function rowWords(row: LeakRow): string {
  const parts = [SIGNS[row.state] ?? ""];
  if (row.count) parts.push(`${bytes(row.bytes)} in ${count(row.count, "storage")}`);
  if (row.nodes) parts.push(count(row.nodes, "graph node"));
  if (row.state) {
    const { bytes_per_step: size, nodes_per_step: nodes } = row;
    if (size >= 0.5) parts.push(`+${bytes(size)} per step`);
    if (nodes > 0)
      parts.push(`+${number(nodes)} node${nodes === 1 ? "" : "s"} per step`);
    parts.push(row.rule);
  }
  return parts.filter(Boolean).join(", ");
}

/** The names that refer to the survivors; "" for a single object. */
export function holderWords({ holders, sought }: LeakAnswer): string {
  if (holders.length < 2 && sought < 2) return "";
  const held = holders.map(([code, n]) => `${code} ${n}`).join(", ");
  return `of ${sought} examined, reachable from: ${held || "–"}`;
}

/** How complete a search was. */
export function lookedWords({ step, objects, seconds, cut }: LeakAnswer): string {
  const words = `after ${plural(step, "step")}: ${whole(objects)} objects searched in ${seconds.toFixed(2)} s`;
  return words + (cut ? "; stopped at the time limit" : "");
}

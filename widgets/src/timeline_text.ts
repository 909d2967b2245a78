/** The text of a timeline's bars and gaps. */
import { duration, percent, plural, shortFile } from "./format";
import {
  type Bars,
  type Gap,
  KINDS,
  MODULE,
  NODE,
  OUTSIDE,
  STEP,
} from "./timeline_bars";
import type { Window } from "./timeline_canvas";
import type { TimelineData } from "./timeline_types";

/** The share of a whole, which may be nothing yet. */
export function shareText(part: number, whole: number): string {
  return whole > 0 ? percent(part / whole) : "–";
}

function time(ns: number): string {
  return duration(ns / 1e3);
}

/** Name, kind, duration, share of the step, module, line, count, linked bars. */
export function barText(bars: Bars, i: number): string {
  const { kind, dur, line, link, open } = bars.data.bars;
  const step = bars.around(i).find((k) => kind[k] === STEP) ?? -1;
  const source = kind[i] === NODE && link[i] >= 0 ? link[i] : i;
  const module = bars.around(source).find((k) => kind[k] === MODULE) ?? -1;
  const src = bars.data.lines[line[source]];
  const device = bars.data.devices[bars.device(i)];
  const parts = [
    bars.name(i),
    KINDS[kind[i]],
    time(dur[i]),
    open[i] && "not finished yet",
    step >= 0 && `${shareText(dur[i], dur[step])} of ${bars.name(step)}`,
    bars.children[i].length > 0 && `${time(bars.own(i))} self time`,
    module >= 0 && `in ${bars.name(module)}`,
    src && `${shortFile(src.file)}:${src.line}`,
    bars.lanes.length > 1 && device && `on ${device}`,
    kind[i] !== STEP && countText(bars, i),
    linkText(bars, i),
  ];
  return parts.filter(Boolean).join(" · ");
}

/** "40 calls, 451 µs in total" */
function countText(bars: Bars, i: number): string {
  const { name, dur } = bars.data.bars;
  const same = name.flatMap((n, k) => (n === name[i] ? k : []));
  const all = same.reduce((sum, k) => sum + dur[k], 0);
  return same.length > 1 ? `${same.length} calls, ${time(all)} in total` : "";
}

function linkText(bars: Bars, i: number): string {
  const { dur, link } = bars.data.bars;
  const linked = link[i] >= 0 ? [link[i]] : (bars.linked.get(i) ?? []);
  if (linked.length === 0) return "";
  const more = linked.length > 1 ? ` and ${linked.length - 1} more` : "";
  const first = `${bars.name(linked[0])}, ${time(dur[linked[0]])}${more}`;
  return `${link[i] >= 0 ? "for" : "backward:"} ${first}`;
}

/** "outside operations · 45 µs · between relu and linear · in Sequential" */
export function gapText(bars: Bars, gap: Gap): string {
  const { before, after } = gap;
  const parts = [OUTSIDE, time(gap.end - gap.start)];
  if (before >= 0 && after >= 0)
    parts.push(`between ${bars.name(before)} and ${bars.name(after)}`);
  else if (before >= 0) parts.push(`after ${bars.name(before)}`);
  else if (after >= 0) parts.push(`before ${bars.name(after)}`);
  parts.push(`in ${bars.name(gap.parent)}`);
  return parts.join(" · ");
}

/** The number of finished steps, and whether another has begun. */
export function stepText({ steps, data }: Bars): string {
  const ended = steps.filter((i) => !data.bars.open[i]).length;
  const count = ended || steps.length;
  const begun = steps.length - ended;
  const words = plural(count, "step");
  return ended && begun ? `${words} and ${begun} unfinished` : words;
}

/** Notes about omitted data. */
export function notes(data: TimelineData): string {
  const { dropped_steps: steps, dropped, pauses } = data;
  const parts: string[] = [];
  if (steps) parts.push(`${plural(steps, "older step")} dropped`);
  if (dropped) parts.push(`${dropped} older bars omitted`);
  if (pauses.length)
    parts.push(
      `pauses of ${time(pauses.reduce((sum, [, ns]) => sum + ns, 0))} omitted`,
    );
  return parts.join("; ");
}

/** A description of the window. */
export function whereText(bars: Bars, { low, high }: Window): string {
  const { start } = bars.data.bars;
  const length = time(high - low);
  if (high - low >= bars.data.total) return `all, ${length}`;
  const step = bars.steps.find((i) => start[i] <= low + 1 && bars.end(i) >= high - 1);
  if (step === undefined) return `selection of ${length}`;
  const whole = bars.end(step) - start[step] <= high - low + 1;
  return `${whole ? "" : "part of "}${bars.name(step)}, ${length}`;
}

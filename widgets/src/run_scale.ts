/** The scale of a chart of a run, and its facts in words; as `run_scale.py` has them. */
import { number } from "./format";
import type { RunData, RunName, RunValue } from "./types";

/** times that the greatest value is the least */
const LOG_FROM = 100;

export interface Scale {
  low: number;
  high: number;
  log: boolean;
}

/** A scale for the finite ones of some values: logarithmic where they span a lot. */
export function scaleOf(values: RunValue[]): Scale {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (typeof value === "string") continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return { low: 0, high: 1, log: false };
  if (low === high) {
    const around = (Math.abs(low) || 1) / 2;
    return { low: low - around, high: high + around, log: false };
  }
  return { low, high, log: low > 0 && high / low > LOG_FROM };
}

/** 0 at the lower end of a scale, 1 at the upper one. */
export function placeOf({ low, high, log }: Scale, value: number): number {
  if (!log) return (value - low) / (high - low);
  return Math.log10(value / low) / Math.log10(high / low);
}

/** Seconds as a clock shows them. */
export function timeText(seconds: number | null): string {
  if (seconds === null) return "–";
  const tenths = Math.floor(10 * seconds + 0.5);
  if (tenths < 100) return `${Math.floor(tenths / 10)}.${tenths % 10} s`;
  const whole = Math.floor(seconds + 0.5);
  const two = (n: number) => String(n).padStart(2, "0");
  const [minutes, hours] = [Math.floor(whole / 60) % 60, Math.floor(whole / 3600)];
  if (whole < 60) return `${whole} s`;
  if (hours === 0) return `${minutes}:${two(whole % 60)} min`;
  return `${hours}:${two(minutes)}:${two(whole % 60)} h`;
}

/** Which run this is. */
export function runTitle({ id, name, settings }: RunName): string {
  const words = [id ? `Run ${id}` : "Run"];
  if (name) words.push(name);
  return [...words, ...settings.map(([key, value]) => `${key}=${value}`)].join(", ");
}

/** A value, of which "nan" and infinities are strings. */
export function valueText(value: RunValue | undefined): string {
  return typeof value === "string" ? value : number(value);
}

/** How far it is, how fast, and what time is left. */
export function progressText(data: RunData): string {
  const words = data.passes > 1 ? [`pass ${data.passes}`] : [];
  words.push(data.total === null ? `${data.done}` : `${data.done} of ${data.total}`);
  words.push(timeText(data.elapsed));
  if (data.left !== null) words.push(`${timeText(data.left)} left`);
  if (data.rate !== null) words.push(`${valueText(data.rate)} ${data.unit}`);
  return `${data.state}: ${words.join(", ")}`;
}

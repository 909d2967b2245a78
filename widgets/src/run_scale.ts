/** The scale of a run's charts and its text summary, as in `run_scale.py`. */
import { duration, number } from "./format";
import type { RunData, RunName, RunValue } from "./run_types";

/** times that the greatest value is the least, or the usual level */
const LOG_FROM = 100;
const WIDE = 10;
/** times the usual level, and above what accuracies in percent can be */
const DIVERGED = 1000;
const LARGE = 100;
/** times the usual level that is shown of a run that diverges */
const MARGIN = 3;

export interface Scale {
  low: number;
  high: number;
  log: boolean;
}

/**
 * A scale for the values of one metric in several runs, logarithmic where they span a
 * lot. A run that diverges does not stretch it: of a run with a value above 1000 times
 * the usual level, only values up to 3 times that level count.
 */
export function scaleOf(lines: RunValue[][]): Scale {
  const finite = lines.map((line) => line.filter((v) => typeof v === "number"));
  const usual = usualLevel(finite);
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of finite.flatMap((line) => shown(line, usual))) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return { low: 0, high: 1, log: false };
  if (low === high) {
    const around = (Math.abs(low) || 1) / 2;
    return { low: low - around, high: high + around, log: false };
  }
  const wide = high > LOG_FROM * low || high > WIDE * Math.max(1, usual);
  return { low, high, log: low > 0 && wide };
}

/** The values of a run that the axis must include. */
function shown(line: number[], usual: number): number[] {
  const limit = Math.max(LARGE, DIVERGED * usual);
  if (!usual || !line.some((v) => Math.abs(v) > limit)) return line;
  return line.filter((v) => Math.abs(v) <= MARGIN * usual);
}

/** The lower quartile of the levels of runs, without those that are always 0. */
function usualLevel(lines: number[][]): number {
  const levels = lines.map(level).filter((size) => size > 0);
  levels.sort((a, b) => a - b);
  return levels[Math.floor((levels.length - 1) / 4)] ?? 0;
}

/**
 * How large values are at first, or in the median: so a run that diverges by its middle
 * does not count as large, even if it is alone.
 */
function level(line: number[]): number {
  const sizes = Float64Array.from(line, Math.abs).sort();
  const usual = sizes[Math.floor(sizes.length / 2)] ?? 0;
  return Math.max(Math.abs(line[0] ?? 0), usual);
}

/** The position from 0 (lower end) to 1 (upper end); values beyond are clipped. */
export function placeOf({ low, high, log }: Scale, value: number): number {
  if (!(low < value && value < high)) return value <= low ? 0 : 1;
  if (!log) return (value - low) / (high - low);
  return Math.log10(value / low) / Math.log10(high / low);
}

/** 1 for a value above the axis, -1 for one below it, else 0. */
export function sideOf({ low, high }: Scale, value: RunValue): number {
  if (typeof value === "string") return 0;
  return Number(value > high) - Number(value < low);
}

/** How many values of a metric are off the scale; "" for none. */
export function beyondText(name: string, lines: RunValue[][]): string {
  const scale = scaleOf(lines);
  const sides = lines.flatMap((line) => line.map((v) => sideOf(scale, v)));
  const told = (side: number, where: string, end: number) => {
    const n = sides.filter((s) => s === side).length;
    const values = n === 1 ? "1 value" : `${n} values`;
    const verb = n === 1 ? "is" : "are";
    return n ? [`${values} of ${name} ${verb} ${where} the axis (${number(end)})`] : [];
  };
  return [...told(1, "above", scale.high), ...told(-1, "below", scale.low)].join(", ");
}

/** Seconds in the format of a clock; in ms or µs below one. */
export function timeText(seconds: number | null): string {
  if (seconds === null) return "–";
  const tenths = Math.floor(10 * seconds + 0.5);
  if (seconds > 0 && tenths < 10) return duration(1e6 * seconds);
  if (tenths < 100) return `${Math.floor(tenths / 10)}.${tenths % 10} s`;
  const whole = Math.floor(seconds + 0.5);
  const two = (n: number) => String(n).padStart(2, "0");
  const [minutes, hours] = [Math.floor(whole / 60) % 60, Math.floor(whole / 3600)];
  if (whole < 60) return `${whole} s`;
  if (hours === 0) return `${minutes}:${two(whole % 60)} min`;
  return `${hours}:${two(minutes)}:${two(whole % 60)} h`;
}

/** The name and number of a run. */
export function runTitle({ id, name, settings }: RunName): string {
  const words = [id ? `Run ${id}` : "Run"];
  if (name) words.push(name);
  return [...words, ...settings.map(([key, value]) => `${key}=${value}`)].join(", ");
}

/** A value; nan and infinities are strings. */
export function valueText(value: RunValue | undefined): string {
  return typeof value === "string" ? value : number(value);
}

/** Progress, speed and remaining time. */
export function progressText(data: RunData): string {
  const words = data.passes > 1 ? [`pass ${data.passes}`] : [];
  const unknown = data.done === 1 ? "batch" : "batches";
  words.push(`${data.done} ${data.total === null ? unknown : `of ${data.total}`}`);
  words.push(timeText(data.elapsed));
  if (data.left !== null) words.push(`${timeText(data.left)} left`);
  if (data.rate !== null) words.push(`${valueText(data.rate)} ${data.unit}`);
  return `${data.state}: ${words.join(", ")}`;
}

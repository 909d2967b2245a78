/** Numbers and names as text. Everything here returns plain strings. */

/** Three significant digits: 0.0123, 4.56, 1.2e-07. */
export function number(x: number | null | undefined): string {
  if (x === null || x === undefined) return "–";
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e-3 && size < 1e5) return String(Number(x.toPrecision(3)));
  return exponent(x, 2);
}

/** Like Python's "%.1e": two exponent digits at least. */
export function exponent(x: number, digits = 1): string {
  return x.toExponential(digits).replace(/e([+-])(\d)$/, "e$10$2");
}

/** 0.01, 1, 1e-08; like Python's "%g". */
export function powerOfTen(power: number): string {
  const plain = power >= -4 && power < 6;
  return plain ? String(Number(`1e${power}`)) : exponent(10 ** power, 0);
}

const UNITS = ["B", "KB", "MB", "GB", "TB"];

/** A share as a whole percentage; 0% and 100% only if they are exact. */
export function percent(share: number): string {
  const whole = Math.floor(share * 100 + 0.5);
  if (share > 0 && whole < 1) return "<1%";
  if (share < 1 && whole > 99) return ">99%";
  return `${whole}%`;
}

/** Bytes in binary units, as in PyTorch's memory summary. */
export function bytes(n: number | null | undefined): string {
  if (n === null || n === undefined) return "–";
  let value = n;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const text = unit === 0 || value >= 100 ? value.toFixed(0) : value.toFixed(1);
  return `${text} ${UNITS[unit]}`;
}

/** Microseconds as µs, ms or s. */
export function duration(us: number | null | undefined): string {
  if (us === null || us === undefined) return "–";
  if (us < 1000) return `${number(us)} µs`;
  if (us < 1e6) return `${number(us / 1000)} ms`;
  return `${number(us / 1e6)} s`;
}

/** "64×20×24×24"; a tensor without dimensions is "scalar". */
export function shapeText(shape: number[]): string {
  return shape.length === 0 ? "scalar" : shape.join("×");
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** The name of a module inside another one: "heads.1" at the top. */
export function within(path: string, outer: string): string {
  return path.startsWith(`${outer}.`) ? path.slice(outer.length + 1) : path;
}

/**
 * "(conv1): Conv2d" as PyTorch prints children; "#2" for the second call. `outer` is
 * the module whose frame it stands in. A model has the name of its class: "Net".
 */
export function moduleTitle(
  path: string,
  cls: string,
  call: number,
  outer?: string,
): string {
  const name = outer === undefined ? lastName(path) : within(path, outer);
  const model =
    cls !== "" && path.startsWith(cls) && /^(_\d+)?$/.test(path.slice(cls.length));
  const child = cls === "" ? `(${name})` : `(${name}): ${cls}`;
  const title = model ? cls + path.slice(cls.length).replace("_", " ") : child;
  return call > 1 ? `${title} #${call}` : title;
}

/** "(0–11): Block ×12" for twelve identical neighbours. */
export function repeatTitle(paths: string[], cls: string): string {
  const first = lastName(paths[0]);
  const last = lastName(paths[paths.length - 1]);
  const names = first === last ? first : `${first}–${last}`;
  return `(${names})${cls === "" ? "" : `: ${cls}`} ×${paths.length}`;
}

/** The columns a string takes: 1 per letter, 2 per East Asian character or emoji. */
export function columns(text: string): number {
  let n = 0;
  for (const c of text) n += (c.codePointAt(0) ?? 0) >= 0x2e80 ? 2 : 1;
  return n;
}

/** Truncate to at most `limit` columns, including an ellipsis. */
export function clip(text: string, limit: number): string {
  if (columns(text) <= limit) return text;
  let kept = "";
  let n = 0;
  for (const c of text) {
    n += columns(c);
    if (n > limit - 1) break;
    kept += c;
  }
  return `${kept}…`;
}

/** Truncate to at most `limit` columns, keeping a repeat count. */
export function clipTitle(title: string, limit: number): string {
  const times = / ×\d+$/.exec(title)?.[0] ?? "";
  const name = title.slice(0, title.length - times.length);
  return clip(name, limit - columns(times)) + times;
}

/** Truncate at the start, since ends tell the layers of a network apart. */
export function clipStart(text: string, limit: number): string {
  const reversed = (s: string) => [...s].reverse().join("");
  return reversed(clip(reversed(text), limit));
}

/** A file name with its parent folder. */
export function shortFile(file: string): string {
  return file.split(/[\\/]/).slice(-2).join("/");
}

/** A description of the rows and columns shown: "every 29th row, all columns". */
export function sampleWords([rows, columns]: readonly number[]): string {
  const some = (step: number, name: string) =>
    step > 1 ? `every ${ordinal(step)} ${name}` : `all ${name}s`;
  return `${some(rows, "row")}, ${some(columns, "column")}`;
}

function ordinal(n: number): string {
  const teen = n % 100 > 10 && n % 100 < 14;
  return `${n}${(!teen && ["th", "st", "nd", "rd"][n % 10]) || "th"}`;
}

/** "1 step", "2 steps". */
export function plural(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}

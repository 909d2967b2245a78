/**
 * A time axis with zoom and pan: the visible interval, its ticks, and the keys, wheel and
 * drags that move it. Times are in microseconds.
 *
 * `edutorch/widgets/time_axis.py` computes the same ticks for still pictures. Timeline,
 * whose window follows new steps, uses only the ticks and the factors of zoom and pan.
 */
import { label, rule } from "./chart";
import { consume, svg } from "./dom";
import type { Lifetime } from "./model";

/** the shortest visible interval in µs */
const SHORTEST = 1;
/** the factors by which a key zooms and pans */
export const ZOOM = 1.5;
export const PAN = 0.2;
/** the zoom factor per pixel of the wheel */
export const WHEEL = 0.002;
/** the smallest distance of ticks in pixels */
const APART = 96;
/** pixels of movement that make a press a drag */
const DRAG = 3;

/** A description for readers of the keys that `TimeAxis.key` handles. */
export const AXIS_KEYS = "+ and − zoom, Shift with an arrow key moves, 0 shows all";

const STEPS = [1, 2, 5, 10];

/** Round times (1, 2 or 5 times a power of ten apart) in an interval, with labels. */
export function timeTicks(
  from: number,
  to: number,
  count: number,
): { us: number; text: string }[] {
  const rough = Math.max((to - from) / Math.max(1, count), 1e-3);
  const power = 10 ** Math.floor(Math.log10(rough) + 1e-9);
  const step = power * (STEPS.find((s) => s * power >= rough * (1 - 1e-9)) ?? 10);
  const list: { us: number; text: string }[] = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++)
    list.push({ us: i * step, text: timeText(i * step, step, to) });
  return list;
}

/** A time to the precision of `step`, in a unit suitable for `most`. */
export function timeText(us: number, step: number, most: number): string {
  const size = Math.abs(most);
  const [unit, scale] =
    size >= 1e6 ? ["s", 1e6] : size >= 1e3 ? ["ms", 1e3] : ["µs", 1];
  const digits = Math.max(0, Math.ceil(-Math.log10(step / scale) - 1e-9));
  return `${(us / scale).toFixed(Math.min(9, digits))} ${unit}`;
}

/** What a drag or the wheel tells the axis about its position. */
export interface Place {
  left: number;
  width: number;
}

export class TimeAxis {
  /** the visible interval */
  from = 0;
  to = SHORTEST;
  /** the whole time range */
  private begin = 0;
  private end = SHORTEST;
  private place: Place = { left: 0, width: 1 };
  /** the last position of a drag, and whether it has moved */
  private held: number | null = null;
  private dragged = false;

  /** `changed` is called when the reader moves the axis. */
  constructor(private readonly changed: () => void) {}

  /** Whether the whole range is visible. */
  get whole(): boolean {
    return this.from <= this.begin && this.to >= this.end;
  }

  /** Set new data: a reader who saw everything still does; a zoomed view stays. */
  extent(begin: number, end: number): void {
    const { whole } = this;
    this.begin = begin;
    this.end = Math.max(end, begin + SHORTEST);
    if (whole) [this.from, this.to] = [this.begin, this.end];
    else this.put(this.from, this.to);
  }

  /** The position of the axis in the element, in pixels. */
  placeAt(place: Place): void {
    this.place = place;
  }

  x(us: number): number {
    const { left, width } = this.place;
    return left + ((us - this.from) / (this.to - this.from)) * width;
  }

  us(x: number): number {
    const { left, width } = this.place;
    return this.from + ((x - left) / width) * (this.to - this.from);
  }

  /** Show an interval, clipped to the whole range. */
  show(from: number, to: number): void {
    this.put(from, to);
    this.changed();
  }

  /** Show everything. */
  all(): void {
    this.show(this.begin, this.end);
  }

  /** Zoom in (factor > 1) or out around a time, which stays in place. */
  zoom(factor: number, about = (this.from + this.to) / 2): void {
    const span = (this.to - this.from) / factor;
    const share = (about - this.from) / (this.to - this.from);
    this.show(about - span * share, about + span * (1 - share));
  }

  /** Move by a fraction of the visible interval; right is later. */
  pan(share: number): void {
    const by = share * (this.to - this.from);
    this.show(this.from + by, this.to + by);
  }

  /** Bring an interval into view, zooming out if it is too long. */
  reveal(from: number, to: number): void {
    if (from >= this.from && to <= this.to) return;
    const span = Math.max(this.to - this.from, (to - from) * 1.2);
    const middle = (from + to) / 2;
    this.show(middle - span / 2, middle + span / 2);
  }

  private put(from: number, to: number): void {
    const whole = this.end - this.begin;
    const span = Math.min(whole, Math.max(SHORTEST, to - from));
    const middle = (from + to) / 2;
    const start = Math.min(Math.max(this.begin, middle - span / 2), this.end - span);
    [this.from, this.to] = [start, span === whole ? this.end : start + span];
  }

  /** Handle a key; returns false for others. `about`: the centre of zooming. */
  key(event: KeyboardEvent, about?: number): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const seen = about !== undefined && about >= this.from && about <= this.to;
    const at = seen ? about : undefined;
    const { key, shiftKey } = event;
    if (key === "+" || key === "=") this.zoom(ZOOM, at);
    else if (key === "-" || key === "_") this.zoom(1 / ZOOM, at);
    else if (key === "0") this.all();
    else if (shiftKey && key === "ArrowLeft") this.pan(-PAN);
    else if (shiftKey && key === "ArrowRight") this.pan(PAN);
    else return false;
    consume(event);
    return true;
  }

  /**
   * Zoom by Ctrl and the wheel, pan by a sidewise wheel and by dragging: the plain wheel
   * is the page's. `element` is what the place is measured in.
   */
  listen(life: Lifetime, element: HTMLElement): void {
    const at = (event: MouseEvent) =>
      event.clientX - element.getBoundingClientRect().left;
    life.listen(
      element,
      "wheel",
      (event) => {
        const { deltaX, deltaY } = event;
        const sidewise = event.shiftKey ? deltaX || deltaY : deltaX;
        if (event.ctrlKey || event.metaKey)
          this.zoom(Math.exp(-deltaY * WHEEL), this.us(at(event)));
        else if (Math.abs(sidewise) > (event.shiftKey ? 0 : Math.abs(deltaY)))
          this.pan(sidewise / this.place.width);
        else return;
        event.preventDefault();
      },
      { passive: false },
    );
    life.listen(element, "pointerdown", (event) => {
      if (event.button === 0) this.held = at(event);
      this.dragged = false;
    });
    life.listen(element, "pointermove", (event) => {
      if (this.held === null || (event.buttons & 1) === 0) return;
      const by = this.held - at(event);
      if (!this.dragged && Math.abs(by) < DRAG) return;
      this.dragged = true;
      this.held = at(event);
      this.pan(by / this.place.width);
    });
    for (const end of ["pointerup", "pointerleave", "pointercancel"] as const)
      life.listen(element, end, () => {
        this.held = null;
      });
  }

  /** Whether the last press of the pointer moved the axis, so that it was no click. */
  get wasDragged(): boolean {
    return this.dragged;
  }

  /** The axis as SVG below a chart, with ticks reaching up to `top`. */
  draw(top: number, bottom: number): SVGElement {
    const { left, width } = this.place;
    const group = svg("g", { "data-axis": true });
    for (const { us, text } of timeTicks(this.from, this.to, width / APART)) {
      const x = this.x(us);
      group.append(rule(x, top, x, bottom + 4, "edt-gridline"));
      // text must not extend beyond the edges of the view
      const reach = text.length * 3.2;
      const middle = Math.min(Math.max(x, left + reach - 8), left + width - reach + 8);
      group.append(label(middle, bottom + 17, text, "middle"));
    }
    group.append(rule(left, bottom, left + width, bottom, "edt-axis"));
    return group;
  }
}

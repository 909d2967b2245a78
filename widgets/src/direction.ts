/**
 * The direction in which a graph is drawn: top to bottom or left to right.
 *
 * `edutorch/widgets/direction.py` does the same; `test/fixtures/direction` keeps both
 * in agreement.
 */

export type Direction = "down" | "right";

/** The size of a drawing or of a frame. */
export interface Size {
  width: number;
  height: number;
}

/** the least scale at which the smallest letters of a graph, 11 px, can be read */
export const READABLE = 0.9;
/** the other direction must be so much better before a drawing is turned */
const WORTH_TURNING = 1.2;

/** How well a frame shows a drawing: its scale, or the visible share if too small. */
export function shown(drawing: Size, frame: Size): number {
  const across = frame.width / Math.max(1, drawing.width);
  const down = frame.height / Math.max(1, drawing.height);
  const scale = Math.min(1, across, down);
  const part = Math.min(1, across / READABLE) * Math.min(1, down / READABLE);
  return scale >= READABLE ? scale : part * READABLE;
}

/** The direction in which a frame shows more; `now`, if the difference is small. */
export function betterDirection(
  now: Direction | "",
  down: Size,
  right: Size,
  frame: Size,
): Direction {
  const [a, b] = [shown(down, frame), shown(right, frame)];
  if (now === "right") return a > b * WORTH_TURNING ? "down" : "right";
  return b > a * (now ? WORTH_TURNING : 1) ? "right" : "down";
}

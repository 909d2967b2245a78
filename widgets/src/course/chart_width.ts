/** The width of a chart, chosen so that text has the same size everywhere. */

/** while nothing has a size yet, as in a test */
export const USUAL_WIDTH = 600;
/** the space on both sides of a chart */
const MARGINS = 24;

export function chartWidth(root: HTMLElement, narrowest = 280, widest = 860): number {
  return Math.min(widest, Math.max(narrowest, innerWidth(root)));
}

/** The width between the margins. */
export function innerWidth(root: HTMLElement): number {
  return (root.clientWidth || USUAL_WIDTH + MARGINS) - MARGINS;
}

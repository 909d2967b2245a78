/** The width of a chart, chosen so that text has the same size everywhere. */

/** while nothing has a size yet, as in a test */
const USUAL = 600;
const NARROWEST = 280;
const WIDEST = 860;
/** the space on both sides of a chart */
const MARGINS = 24;

export function chartWidth(root: HTMLElement): number {
  const place = (root.clientWidth || USUAL + MARGINS) - MARGINS;
  return Math.min(WIDEST, Math.max(NARROWEST, place));
}

/** How wide a chart is drawn, so that its letters have one size in every place. */

/** where no place has a size yet, as in a test */
const USUAL = 600;
const NARROWEST = 280;
const WIDEST = 860;
/** what stands left and right of a chart together */
const MARGINS = 24;

export function chartWidth(root: HTMLElement): number {
  const place = (root.clientWidth || USUAL + MARGINS) - MARGINS;
  return Math.min(WIDEST, Math.max(NARROWEST, place));
}

/** The height of GraphView: fits its content, within limits, until the user drags it. */
const MIN_HEIGHT = 220;
export const MAX_HEIGHT = 500;

export class Height {
  private given = "";

  constructor(private readonly body: HTMLElement) {}

  /** Whether the view may grow: not dragged, and its container sets no height. */
  get free(): boolean {
    const { clientHeight, style } = this.body;
    const laid = !clientHeight || Math.abs(clientHeight - this.now) < 2;
    return style.height === this.given && laid;
  }

  private get now(): number {
    return Number.parseFloat(this.given) || MIN_HEIGHT;
  }

  /** Grow to `wanted` pixels, never shrink: the page below would jump. */
  grow(wanted: number): void {
    const { style } = this.body;
    if (style.height !== this.given) return; // the reader dragged it
    const grown = Math.max(this.now, Math.ceil(wanted));
    style.height = `${Math.min(MAX_HEIGHT, grown)}px`;
    this.given = style.height;
  }
}

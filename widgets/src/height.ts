/** How tall a view is: as its content needs, within limits, or as the reader drags it. */
const MIN_HEIGHT = 220;
const MAX_HEIGHT = 500;

export class Height {
  private given = "";

  constructor(private readonly body: HTMLElement) {}

  /** Grow to `wanted` pixels. It never shrinks: the page below would jump. */
  grow(wanted: number): void {
    const { style } = this.body;
    if (style.height !== this.given) return; // the reader dragged it
    const now = Number.parseFloat(this.given) || MIN_HEIGHT;
    style.height = `${Math.min(MAX_HEIGHT, Math.max(now, Math.ceil(wanted)))}px`;
    this.given = style.height;
  }
}

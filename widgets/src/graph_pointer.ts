/** Pointer control of the graph: drag to pan, click a box, turn the wheel to zoom. */
import type { Lifetime } from "./model";
import type { Viewport } from "./viewport";

/** pixels that a click may move */
const STILL = 4;

/** What else happens on the stage. */
interface Hands {
  pressed(): void;
  clicked(target: EventTarget | null, x: number, y: number): void;
}

export function listenToPointer(
  stage: HTMLElement,
  viewport: Viewport,
  life: Lifetime,
  hands: Hands,
): void {
  let from: PointerEvent | null = null;
  let dragged = false;
  const at = (event: MouseEvent): [number, number] => {
    const { left, top } = stage.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  life.listen(stage, "pointerdown", (event) => {
    hands.pressed();
    from = event.button === 0 ? event : null;
    dragged = false;
  });
  life.listen(stage, "pointermove", (event) => {
    if (!from || event.buttons !== 1) return;
    const [dx, dy] = [event.clientX - from.clientX, event.clientY - from.clientY];
    if (!dragged && Math.hypot(dx, dy) < STILL) return;
    if (!dragged) stage.setPointerCapture?.(event.pointerId);
    dragged = true;
    from = event;
    viewport.pan(dx, dy);
  });
  life.listen(stage, "click", (event) => {
    if (!dragged) hands.clicked(event.target, ...at(event));
  });
  const wheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    viewport.zoom(Math.exp(-event.deltaY * 0.0025), ...at(event));
  };
  life.listen(stage, "wheel", wheel, { passive: false });
}

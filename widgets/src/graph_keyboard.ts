/** Moving through the graph by keyboard: arrows follow edges. */
import type { Box } from "./boxes";
import type { Scene } from "./graph_state";
import type { Rect } from "./layout";

export type Direction = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

export function isDirection(key: string): key is Direction {
  return /^Arrow(Up|Down|Left|Right)$/.test(key);
}

function middle(rect: Rect): [number, number] {
  return [rect.x + rect.w / 2, rect.y + rect.h / 2];
}

function reachable(scene: Scene): Box[] {
  return scene.folded.boxes.filter((b) => b.kind !== "frame");
}

/** The box at which to start, or the last one. */
export function endBox(scene: Scene, last: boolean): string {
  const boxes = reachable(scene);
  return (last ? boxes[boxes.length - 1] : boxes[0])?.id ?? "";
}

/** Where a drawing is looked at first: its first operation or module. */
export function startBox(scene: Scene): string {
  const boxes = reachable(scene);
  const first = boxes.find(({ kind }) => /op|module|repeat/.test(kind));
  return (first ?? boxes[0])?.id ?? "";
}

function nearest(ids: string[], from: Rect, scene: Scene): string {
  const [x, y] = middle(from);
  let best = "";
  let least = Number.POSITIVE_INFINITY;
  for (const id of ids) {
    const [bx, by] = middle(scene.placed.rects.get(id) as Rect);
    const distance = Math.hypot(bx - x, by - y);
    if (distance < least) [best, least] = [id, distance];
  }
  return best;
}

/** Boxes next to one, across the flow: level with its centre. */
function beside(scene: Scene, from: Rect, after: boolean): string[] {
  const [x, y] = middle(from);
  const right = scene.placed.direction === "right";
  const level = reachable(scene).filter(({ id }) => {
    const [bx, by] = middle(scene.placed.rects.get(id) as Rect);
    const way = right ? by - y : bx - x;
    if (after ? way <= 0 : way >= 0) return false;
    return right
      ? bx >= from.x && bx <= from.x + from.w
      : by >= from.y && by <= from.y + from.h;
  });
  return level.map((b) => b.id);
}

/** The equivalent key if the graph were drawn downwards. */
const TURNED: Record<Direction, Direction> = {
  ArrowRight: "ArrowDown",
  ArrowLeft: "ArrowUp",
  ArrowDown: "ArrowRight",
  ArrowUp: "ArrowLeft",
};

/** The target of an arrow key: forward or back along an edge, or sideways. */
export function neighbour(scene: Scene, at: string, pressed: Direction): string {
  const key = scene.placed.direction === "right" ? TURNED[pressed] : pressed;
  const from = scene.placed.rects.get(at);
  if (!from) return endBox(scene, false);
  const { edges } = scene.folded;
  if (key === "ArrowLeft" || key === "ArrowRight")
    return nearest(beside(scene, from, key === "ArrowRight"), from, scene) || at;
  const ids =
    key === "ArrowDown"
      ? edges.filter((e) => e.from === at).map((e) => e.to)
      : edges.filter((e) => e.to === at).map((e) => e.from);
  return nearest(ids, from, scene) || at;
}

/**
 * Treemaps: divides a rectangle into nearly square tiles of given areas.
 * The same as `edutorch/widgets/treemap.py`.
 */
import { Group } from "./memory_groups";

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** The position of a group; `depth` counts the enclosing tiles. */
export interface Tile {
  box: Box;
  group: Group;
  depth: number;
}

/** the number of tiles in a group */
const MOST = 40;
/** the size in pixels from which a group shows its contents */
const ROOM = 48;
/** the borders of such a group: its title, and its other sides */
const HEAD = 20;
const EDGE = 3;

/** Fill a rectangle with one tile for each size, in order. */
export function squarify(sizes: number[], whole: Box): Box[] {
  const total = sizes.reduce((a, b) => a + b, 0);
  let box = whole;
  if (!(total > 0 && box.w > 0 && box.h > 0))
    return sizes.map(() => ({ x: box.x, y: box.y, w: 0, h: 0 }));
  const tiles: Box[] = [];
  const areas = sizes.map((size) => (size * box.w * box.h) / total);
  for (let begin = 0; begin < areas.length; ) {
    const side = Math.min(box.w, box.h);
    let end = begin + 1;
    let row = areas[begin];
    for (; end < areas.length; end++) {
      const longer = longest(areas[begin], areas[end], row + areas[end], side);
      if (longer > longest(areas[begin], areas[end - 1], row, side)) break;
      row += areas[end];
    }
    box = lay(areas.slice(begin, end), row, box, tiles);
    begin = end;
  }
  return tiles;
}

/** The largest aspect ratio of the tiles in a row. */
function longest(first: number, last: number, row: number, side: number): number {
  const square = side > 0 ? (row / side) ** 2 : 0;
  const smallest = Math.min(first, last);
  if (square <= 0 || smallest <= 0) return Number.POSITIVE_INFINITY;
  return Math.max(first / square, square / smallest);
}

/** Place a row of tiles along the shorter side; returns the rest of the box. */
function lay(areas: number[], row: number, box: Box, tiles: Box[]): Box {
  const { x, y, w, h } = box;
  const upright = w >= h; // the row is a column on the left
  const side = upright ? h : w;
  const depth = side > 0 ? row / side : 0;
  let at = upright ? y : x;
  for (const area of areas) {
    const length = depth > 0 ? area / depth : 0;
    tiles.push(
      upright ? { x, y: at, w: depth, h: length } : { x: at, y, w: length, h: depth },
    );
    at += length;
  }
  return upright
    ? { x: x + depth, y, w: Math.max(0, w - depth), h }
    : { x, y: y + depth, w, h: Math.max(0, h - depth) };
}

/** The tiles of the groups inside a group, and of their contents if these fit. */
export function tilesOf(group: Group, box: Box, depth = 0): Tile[] {
  const shown = shownChildren(group);
  const places = squarify(
    shown.map((child) => child.size),
    box,
  );
  return shown.flatMap((child, i) => {
    const place = places[i];
    const tile = { box: place, group: child, depth };
    if (!isOpen(child, place)) return [tile];
    const { x, y, w, h } = place;
    const inside = { x: x + EDGE, y: y + HEAD, w: w - 2 * EDGE, h: h - HEAD - EDGE };
    return [tile, ...tilesOf(child, inside, depth + 1)];
  });
}

/** Whether a tile shows its contents below its title. */
export function isOpen(group: Group, { w, h }: Box): boolean {
  return group.children.length > 0 && w >= ROOM && h >= ROOM;
}

/** The children with an area; beyond `MOST`, the smallest are merged. */
export function shownChildren({ children }: Group): Group[] {
  const sized = children.filter((child) => child.size > 0);
  if (sized.length <= MOST) return sized;
  const rest = new Group(`${sized.length - MOST + 1} more`);
  for (const child of sized.slice(MOST - 1)) rest.add(child);
  return [...sized.slice(0, MOST - 1), rest];
}

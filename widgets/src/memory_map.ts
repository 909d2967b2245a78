/** Groups of memory as tiles, navigated by arrow keys, opened by Enter or a click. */
import { availableWidth, label, PALETTE, pointer } from "./chart";
import { attr, consume, html, svg } from "./dom";
import { bytes, clip } from "./format";
import type { Group } from "./memory_groups";
import type { Lifetime } from "./model";
import { type Box, isOpen, type Tile, tilesOf } from "./treemap";

const HIGH = 332;
const STRIP = 96;
/** pixels from which a tile has room for a line of small letters */
const LOW = 10;
/** pixels of a letter */
const LETTER = 6.3;

export interface MapReader {
  /** describe a tile; null if the pointer is on none */
  read(group: Group | null): void;
  /** show the contents of a group */
  open(group: Group): void;
  /** show the group that contains the current one; `all`: everything */
  out(all: boolean): void;
}

/** "+3.1 MB" with an arrow, so that colour is not needed. */
export function changeText(group: Group): string {
  const more = group.after - group.before;
  if (more === 0) return "± 0 B";
  return more > 0 ? `▲ +${bytes(more)}` : `▼ −${bytes(-more)}`;
}

/** "1.0 KB → 3.1 MB" */
export function bothEnds({ before, after }: Group): string {
  return `${bytes(before)} → ${bytes(after)}`;
}

export class MemoryMap {
  readonly element = html("div", {
    class: "edt-chart",
    tabindex: 0,
    role: "application",
    "aria-label":
      "Memory as tiles. Arrow keys move, Enter opens a group, Escape leaves it.",
  });
  private group: Group | null = null;
  private compared = false;
  private categories: string[] = [];
  /** where the pointer is */
  private over: [number, number] | null = null;
  private tiles: Tile[] = [];
  /** the name of the focused tile */
  private picked = "";
  private readonly frame = svg("rect", { class: "edt-picked", rx: 2 });

  constructor(
    life: Lifetime,
    private readonly reader: MapReader,
  ) {
    const { element } = this;
    pointer(
      life,
      element,
      (x, y) => this.point([x - 10, y - 8]),
      () => this.point(null),
    );
    life.listen(element, "click", (event) => {
      const box = element.getBoundingClientRect();
      const [outer] = this.at(
        event.clientX - box.left - 10,
        event.clientY - box.top - 8,
      );
      if (outer) this.enter(outer.group);
    });
    life.listen(element, "keydown", (event) => this.key(event));
    life.onAppearance(element, () => this.draw());
  }

  /** Set the group to show; `compared`: a difference. */
  take(group: Group, compared: boolean, about: string, categories: string[]): void {
    this.group = group;
    this.compared = compared;
    this.categories = categories;
    attr(this.element, { "aria-description": about });
    this.draw();
  }

  /** Focus a tile. */
  pick(name: string): void {
    this.picked = name;
    this.mark();
    this.point(null);
  }

  private get outer(): Tile[] {
    return this.tiles.filter((tile) => tile.depth === 0);
  }

  private current(): Group | null {
    return this.outer.find(({ group }) => group.name === this.picked)?.group ?? null;
  }

  private point(over: [number, number] | null): void {
    this.over = over;
    const tile = over && this.at(...over).pop();
    this.reader.read(tile?.group ?? this.current());
  }

  private at(x: number, y: number): Tile[] {
    return this.tiles.filter(
      ({ box }) => x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h,
    );
  }

  private draw(): void {
    if (!this.group) return;
    const full = document.fullscreenElement?.contains(this.element);
    const usual = this.element.closest("[data-compact]") ? STRIP : HIGH;
    const height = full ? Math.max(HIGH, window.innerHeight - 260) : usual;
    const width = availableWidth(this.element);
    this.tiles = tilesOf(this.group, { x: 0.5, y: 0.5, w: width - 1, h: height - 1 });
    const drawn = this.tiles.filter(({ box }) => box.w > 1 && box.h > 1);
    const picture = svg("svg", { width, height, "aria-hidden": "true" });
    picture.append(...drawn.map((tile) => this.tile(tile)), this.frame);
    this.element.replaceChildren(picture);
    this.mark();
    this.point(this.over);
  }

  private tile({ box, group }: Tile): SVGElement {
    const { x, y, w, h } = box;
    const drawn = svg(
      "g",
      { class: "edt-tile" },
      svg("rect", { x, y, width: w, height: h }),
    );
    const open = isOpen(group, box);
    const more = group.after - group.before;
    if (this.compared && !open && more !== 0)
      attr(drawn, { "data-tint": more > 0 ? "more" : "less" });
    else if (!this.compared && group.category >= 0) {
      attr(drawn, { "data-tint": group.category });
      drawn.style.setProperty("--edt-tile", PALETTE[group.category % PALETTE.length]);
    }
    drawn.append(...this.words(group, box, open));
    return drawn;
  }

  private words(group: Group, { x, y, w, h }: Box, open: boolean): SVGElement[] {
    const size = this.compared ? changeText(group) : bytes(group.after);
    const letters = Math.floor((w - 9) / LETTER);
    const all = `${group.short} · ${size}`;
    if (letters < 4 && w >= LOW && h >= 9 + LETTER * all.length) {
      const place = `translate(${x + w / 2 + 3} ${y + h - 4}) rotate(-90)`;
      return [svg("text", { transform: place, class: "edt-low" }, all)];
    }
    if (letters < 4 || h < LOW) return [];
    const line = (words: string, dy: number, more = {}) =>
      svg("text", { x: x + 4, y: y + dy, ...more }, clip(words, letters));
    if (h < 15) {
      const words = all.length <= letters ? all : group.short;
      return [line(words, h / 2 + 3, { class: "edt-low" })];
    }
    if (!open) {
      const category = this.categories[group.category] ?? "";
      const whole = [size, category].filter((words) => words.length <= letters);
      const lines = [group.short, ...whole].map((words, i) => line(words, 13 + 14 * i));
      return lines.slice(0, Math.floor((h - 2) / 14)); // a number cut short misleads
    }
    const room = letters - size.length - 2;
    const beside = room >= Math.min(group.short.length, 6);
    const name = clip(group.short, beside ? room : letters);
    const title = line(name, 14, { class: "edt-title" });
    if (!beside) return [title];
    return [title, label(x + w - 5, y + 14, size, "end")];
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const group = this.current();
    if (key === "Enter" || key === " ") {
      if (group) this.enter(group);
    } else if (key === "Escape" || key === "Backspace") this.reader.out(false);
    else if (key === "Home") this.reader.out(true);
    else if (key.startsWith("Arrow")) this.move(key);
    else return;
    consume(event);
  }

  private enter(group: Group): void {
    if (group.children.length > 0) {
      this.reader.open(group);
      return;
    }
    this.pick(group.name);
  }

  /** To the nearest tile in a direction. */
  private move(key: string): void {
    const { outer } = this;
    const from = outer.find(({ group }) => group.name === this.picked);
    const [dx, dy] = DIRECTIONS[key] ?? [0, 0];
    const far = (tile: Tile) => {
      if (!from) return 0;
      const [x, y] = [middle(tile).x - middle(from).x, middle(tile).y - middle(from).y];
      const along = x * dx + y * dy;
      return along > 1
        ? along + 2 * Math.abs(x * dy + y * dx)
        : Number.POSITIVE_INFINITY;
    };
    const [best] = [...outer].sort((a, b) => far(a) - far(b));
    if (!best || far(best) === Number.POSITIVE_INFINITY) return;
    this.pick(best.group.name);
  }

  /** The frame around the focused tile, while the keyboard is used. */
  private mark(): void {
    const tile = this.outer.find(({ group }) => group.name === this.picked);
    const { x, y, w, h } = tile?.box ?? { x: 0, y: 0, w: 0, h: 0 };
    attr(this.frame, { x, y, width: w, height: h });
  }
}

const DIRECTIONS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function middle({ box }: Tile): { x: number; y: number } {
  return { x: box.x + box.w / 2, y: box.y + box.h / 2 };
}

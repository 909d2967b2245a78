/**
 * A caching allocator's state: segments, blocks, and a description of each step.
 *
 * The same as `edutorch/course/interactions/allocator_board.py`, in whole bytes.
 */

const KIB = 2 ** 10;
const MIB = 2 ** 20;
const ROUND = 512;

/** A name, and the bytes that it requests; 0 frees it. */
export type Step = [string, number];

/** A free block has no name. */
export interface Block {
  offset: number;
  nbytes: number;
  name: string;
  requested: number;
}

export interface Segment {
  nbytes: number;
  /** small requests have segments of their own */
  small: boolean;
  blocks: Block[];
}

/** A size in readable units, truncated to two digits. */
export function bytesText(n: number): string {
  for (const [unit, name] of [
    [MIB, "MiB"],
    [KIB, "KiB"],
  ] as const) {
    if (n < unit) continue;
    if (n % unit === 0) return `${n / unit} ${name}`;
    const hundredths = Math.floor((n * 100) / unit);
    const part = String(hundredths % 100).padStart(2, "0");
    return `${Math.floor(hundredths / 100)}.${part} ${name}`;
  }
  return n === 1 ? "1 byte" : `${n} bytes`;
}

/** The size that the allocator uses for a request. */
export function rounded(nbytes: number): number {
  return Math.ceil(nbytes / ROUND) * ROUND;
}

function sum(values: number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

function unused(segment: Segment): boolean {
  return segment.blocks.length === 1 && !segment.blocks[0].name;
}

/** The state of an allocator after some steps. */
export class Board {
  segments: Segment[] = [];
  /** a description of the last step, and the name of its block */
  said = "Nothing is reserved yet.";
  lit = "";
  failed = false;

  constructor(readonly capacity: number) {}

  get reserved(): number {
    return sum(this.segments.map((segment) => segment.nbytes));
  }

  get free(): Block[] {
    return this.segments.flatMap(({ blocks }) => blocks.filter((b) => !b.name));
  }

  get allocated(): number {
    return this.reserved - sum(this.free.map((block) => block.nbytes));
  }

  totals(): string {
    const count = this.free.length;
    const blocks = count === 1 ? "1 free block" : `${count} free blocks`;
    return (
      `Allocated ${bytesText(this.allocated)}, reserved ` +
      `${bytesText(this.reserved)} of ${bytesText(this.capacity)}; ` +
      `${bytesText(this.reserved - this.allocated)} in ${blocks}.`
    );
  }

  /** Allocate the bytes, or free if they are 0. */
  step(name: string, nbytes: number): void {
    this.lit = name;
    this.failed = false;
    if (nbytes) this.allocate(name, nbytes);
    else this.release(name);
  }

  /** Where a request would be placed now. */
  would(nbytes: number): string {
    const size = rounded(nbytes);
    const start = `A request of ${bytesText(nbytes)} now would`;
    const found = this.best(size);
    if (found) {
      const of = bytesText(found.block.nbytes);
      return `${start} go into segment ${found.at + 1}, into the free block of ${of}.`;
    }
    for (const without of [false, true]) {
      const want = this.newSize(size, without);
      const back = without ? " once unused segments are given back" : "";
      if (want) return `${start} need a new segment of ${bytesText(want)}${back}.`;
    }
    return `${start} fail: ${this.why()}`;
  }

  /** The smallest free block that is large enough, and its segment's index. */
  private best(size: number): { at: number; block: Block } | undefined {
    let best: { at: number; block: Block } | undefined;
    for (const [at, segment] of this.segments.entries()) {
      if (segment.small !== size <= MIB) continue;
      for (const block of segment.blocks) {
        if (block.name || block.nbytes < size) continue;
        if (!best || block.nbytes < best.block.nbytes) best = { at, block };
      }
    }
    return best;
  }

  /** The size of a new segment, 0 if the device has no space for it. */
  private newSize(size: number, withoutUnused = false): number {
    const kept = this.segments.filter((s) => !(withoutUnused && unused(s)));
    const room = this.capacity - sum(kept.map((segment) => segment.nbytes));
    let want = Math.ceil(size / (2 * MIB)) * 2 * MIB;
    if (size <= MIB) want = 2 * MIB;
    else if (size < 10 * MIB) want = 20 * MIB;
    if (want <= room) return want;
    return size <= room ? size : 0;
  }

  private allocate(name: string, nbytes: number): void {
    const size = rounded(nbytes);
    const words = `${name}: ${bytesText(nbytes)} requested, ${bytesText(size)} set aside`;
    const found = this.best(size);
    let segment: Segment;
    let block: Block;
    if (found) {
      block = found.block;
      segment = this.segments[found.at];
      const of = bytesText(block.nbytes);
      this.said = `${words}, in the free block of ${of} in segment ${found.at + 1}.`;
    } else {
      let want = this.newSize(size);
      let back = "";
      if (!want) {
        want = this.newSize(size, true);
        this.segments = this.segments.filter((s) => !unused(s));
        back = "; unused segments were given back to make room";
      }
      if (!want) {
        this.failed = true;
        this.said = `${name}: ${bytesText(nbytes)} requested. Out of memory: ${this.why()}`;
        return;
      }
      block = { offset: 0, nbytes: want, name: "", requested: 0 };
      segment = { nbytes: want, small: size <= MIB, blocks: [block] };
      this.segments.push(segment);
      this.said = `${words}, in a new segment of ${bytesText(want)}${back}.`;
    }
    cut(segment, block, size);
    block.name = name;
    block.requested = nbytes;
  }

  private why(): string {
    const largest = Math.max(0, ...this.free.map((block) => block.nbytes));
    return (
      `the largest free block has ${bytesText(largest)}, and ` +
      `${bytesText(this.capacity - this.reserved)} of the device are not reserved. ` +
      `Together ${bytesText(this.capacity - this.allocated)} are free, in pieces.`
    );
  }

  private release(name: string): void {
    for (const [at, segment] of this.segments.entries()) {
      const block = segment.blocks.find((b) => b.name === name);
      if (!block) continue;
      const { nbytes } = block;
      block.name = "";
      block.requested = 0;
      const joined = join(segment, block);
      const asOne =
        joined > nbytes
          ? `, joined with what is free beside it: ${bytesText(joined)}`
          : "";
      this.said =
        `${name} is freed: its ${bytesText(nbytes)} stay reserved, ` +
        `free in segment ${at + 1}${asOne}.`;
      return;
    }
  }
}

/** Split off the unused part of a block if it is large enough. */
function cut(segment: Segment, block: Block, size: number): void {
  const rest = block.nbytes - size;
  if (segment.small ? rest < ROUND : rest <= MIB) return;
  const at = segment.blocks.indexOf(block);
  const offset = block.offset + size;
  segment.blocks.splice(at + 1, 0, { offset, nbytes: rest, name: "", requested: 0 });
  block.nbytes = size;
}

/** Merge a freed block with free neighbours; return the bytes of the result. */
function join(segment: Segment, block: Block): number {
  const { blocks } = segment;
  const at = blocks.indexOf(block);
  const first = at > 0 && !blocks[at - 1].name ? at - 1 : at;
  const last = at + 1 < blocks.length && !blocks[at + 1].name ? at + 1 : at;
  const nbytes = sum(blocks.slice(first, last + 1).map((part) => part.nbytes));
  const whole = { offset: blocks[first].offset, nbytes, name: "", requested: 0 };
  blocks.splice(first, last - first + 1, whole);
  return nbytes;
}

/** The state after some steps of a program. */
export function replay(program: Step[], steps: number, capacity: number): Board {
  const board = new Board(capacity);
  for (const [name, nbytes] of program.slice(0, steps)) board.step(name, nbytes);
  return board;
}

/**
 * Worker processes that make batches, and a trainer that uses them: who does what when.
 *
 * The same as `edutorch/course/interactions/worker_lanes.py`, in whole milliseconds.
 */

export const BATCHES = 16;
const SLOW_EVERY = 5;
const SLOW_TIMES = 4;

export interface Settings {
  workers: number;
  /** ms to load a batch, and for a training step */
  load: number;
  step: number;
  /** batches that each worker loads in advance */
  prefetch: number;
  /** every fifth batch takes four times as long */
  slow: boolean;
}

/** Times in ms; `worker` is -1 if the trainer loads the batch itself. */
export interface Batch {
  worker: number;
  begin: number;
  ready: number;
  /** from then on the trainer is idle */
  free: number;
  taken: number;
  done: number;
}

/** All batches of an epoch; batch k is loaded by worker k % workers. */
export function schedule(settings: Settings): Batch[] {
  const { workers, load, step, slow } = settings;
  const made: Batch[] = [];
  for (let k = 0; k < BATCHES; k++) {
    const late = slow && k % SLOW_EVERY === SLOW_EVERY - 1;
    const free = made.at(-1)?.done ?? 0;
    const begin = workers ? begun(made, settings) : free;
    const ready = begin + load * (late ? SLOW_TIMES : 1);
    const taken = Math.max(free, ready);
    const worker = workers ? k % workers : -1;
    made.push({ worker, begin, ready, free, taken, done: taken + step });
  }
  return made;
}

/** When the next batch starts: its worker has been asked for it and is idle. */
function begun(made: Batch[], { workers, prefetch }: Settings): number {
  const k = made.length;
  const asked = made[k - workers * prefetch]?.taken ?? 0;
  return Math.max(asked, made[k - workers]?.ready ?? 0);
}

/** The duration without workers: all loading and all steps, one by one. */
export function withoutWorkers(made: Batch[]): number {
  return made.reduce((sum, b) => sum + b.ready - b.begin + b.done - b.taken, 0);
}

/** The duration, the trainer's waiting time, and who waits for whom. */
export function facts(made: Batch[]): [string, string] {
  const total = made[made.length - 1].done;
  const waits = made.reduce((sum, b) => sum + b.taken - b.free, 0);
  const percent = Math.floor((200 * waits + total) / (2 * total));
  const single = made[0].worker < 0;
  const beside = single ? "" : ` (${withoutWorkers(made)} ms without workers)`;
  const summary =
    `${total} ms for ${made.length} batches${beside}: the trainer ` +
    `${single ? "loads" : "waits"} ${waits} ms, ${percent}% of the time.`;
  if (single)
    return [summary, "It loads each batch itself, and does not train meanwhile."];
  const first = made[0].ready;
  if (waits === first) return [summary, "After the first batch it never waits."];
  const stored = mostStored(made);
  const store = `At most ${stored} ${stored === 1 ? "batch is" : "batches are"} ready.`;
  const later = `${first} ms of it for the first batch, ${waits - first} ms later.`;
  return [summary, `${later} ${store}`];
}

/** The largest number of batches that were ready but not taken. */
function mostStored(made: Batch[]): number {
  const stored = (at: number) =>
    made.filter((b) => b.ready <= at && at <= b.taken).length;
  return Math.max(...made.map((b) => stored(b.taken)));
}

/** All times at which something starts or ends. */
export function moments(made: Batch[]): number[] {
  const times = made.flatMap((b) => [b.begin, b.ready, b.taken, b.done]);
  return [...new Set([0, ...times])].sort((a, b) => a - b);
}

/** What the trainer and each worker are doing at a moment. */
export function lanesAt(made: Batch[], at: number): string[] {
  const lanes = [trainerAt(made, at)];
  const workers = Math.max(...made.map((b) => b.worker)) + 1;
  for (let worker = 0; worker < workers; worker++) {
    const mine = made.map((b, k) => ({ ...b, k })).filter((b) => b.worker === worker);
    const now = mine.find((b) => b.begin <= at && at < b.ready);
    const store = mine.filter((b) => b.ready <= at && at < b.taken).map((b) => b.k);
    let words = "waits for a request";
    if (now) words = `makes batch ${now.k}`;
    else if (mine.every((b) => b.ready <= at)) words = "has made its last batch";
    lanes.push(words + (store.length ? `; ready: ${store.join(", ")}` : ""));
  }
  return lanes;
}

function trainerAt(made: Batch[], at: number): string {
  for (const [k, b] of made.entries()) {
    if (b.taken <= at && at < b.done) return `trains with batch ${k}`;
    if (b.free <= at && at < b.taken)
      return `${b.worker < 0 ? "loads" : "waits for"} batch ${k}`;
  }
  return "is done";
}

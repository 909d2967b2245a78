// @vitest-environment node
/** The loader finds the bundle that views share, waits for it, imports it once. */
import { afterEach, expect, test, vi } from "vitest";
import loader from "../src/loader";

/** A bundle that notes in `globalThis.calls` that it was evaluated, and what it draws. */
const PROGRAM = `
globalThis.calls.push("evaluated");
export default { render({ el }) {
  globalThis.calls.push("drawn");
  return () => globalThis.calls.push("undone");
} };`;

const globals = globalThis as unknown as { calls: string[] } & Record<symbol, unknown>;

async function packed(program: string): Promise<string> {
  const zip = new CompressionStream("gzip");
  const bytes = await new Response(
    new Blob([program]).stream().pipeThrough(zip),
  ).bytes();
  return btoa(String.fromCharCode(...bytes));
}

/** A widget's model, in a notebook whose widgets are `models`. */
function context(models: Record<string, string>, bundle = "IPY_MODEL_b") {
  const get_model = async (id: string) => {
    if (!(id in models)) throw new Error("widget model not found");
    return { get: (key: string) => (key === "packed" ? models[id] : undefined) };
  };
  const written: unknown[] = [];
  const el = { append: (...parts: unknown[]) => written.push(...parts) };
  const model = { get: () => bundle, widget_manager: { get_model } };
  return { model, el: el as unknown as HTMLElement, written };
}

// Node imports no address that begins with blob:
async function setUp(): Promise<void> {
  globals.calls = [];
  delete globals[Symbol.for("edutorch.bundles")];
  const texts = new Map<Blob, string>();
  const blob = Response.prototype.blob;
  vi.spyOn(Response.prototype, "blob").mockImplementation(async function (
    this: Response,
  ) {
    const made = await blob.call(this);
    texts.set(made, await made.text());
    return made;
  });
  vi.spyOn(URL, "createObjectURL").mockImplementation((made) => {
    const text = texts.get(made as Blob) ?? "";
    return `data:text/javascript,${encodeURIComponent(text)}`;
  });
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("two_views_of_two_notebooks_evaluate_one_bundle", async () => {
  await setUp();
  const program = await packed(`${PROGRAM} // two`);
  const [first, second] = await Promise.all([
    loader.render(context({ b: program })),
    loader.render(context({ other: program }, "IPY_MODEL_other")),
  ]);
  expect(globals.calls).toEqual(["evaluated", "drawn", "drawn"]);
  first?.();
  second?.();
  expect(globals.calls.slice(3)).toEqual(["undone", "undone"]);
});

test("another_version_is_another_bundle", async () => {
  await setUp();
  await loader.render(context({ b: await packed(`${PROGRAM} // old`) }));
  await loader.render(context({ b: await packed(`${PROGRAM} // new`) }));
  expect(globals.calls).toEqual(["evaluated", "drawn", "evaluated", "drawn"]);
});

test("a_view_that_comes_first_waits_for_its_bundle", async () => {
  await setUp();
  const models: Record<string, string> = {};
  const drawn = loader.render(context(models));
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(globals.calls).toEqual([]);
  models.b = await packed(`${PROGRAM} // late`);
  await drawn;
  expect(globals.calls).toEqual(["evaluated", "drawn"]);
});

test("a_view_without_its_bundle_says_so", async () => {
  await setUp();
  vi.useFakeTimers();
  const lonely = context({});
  const drawn = expect(loader.render(lonely)).rejects.toThrow("widget model not found");
  await vi.advanceTimersByTimeAsync(20_000);
  await drawn;
  expect(lonely.written.join()).toContain("Run the cell again");
});

test("a_view_that_was_removed_meanwhile_is_not_drawn", async () => {
  await setUp();
  const gone = {
    ...context({ b: await packed(`${PROGRAM} // gone`) }),
    signal: AbortSignal.abort(),
  };
  await loader.render(gone);
  expect(globals.calls).toEqual(["evaluated"]);
});

test("each_view_is_drawn_in_a_task_of_its_own", async () => {
  await setUp();
  const wait = setTimeout; // the true one
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const models = { b: await packed(`${PROGRAM} // each in its task`) };
  const drawn = [loader.render(context(models)), loader.render(context(models))];
  while (vi.getTimerCount() < 2) await new Promise((resolve) => wait(resolve));
  expect(globals.calls).toEqual(["evaluated"]);
  await vi.advanceTimersToNextTimerAsync();
  await Promise.all(drawn);
  expect(globals.calls).toEqual(["evaluated", "drawn", "drawn"]);
});

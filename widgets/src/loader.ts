/**
 * What anywidget holds for each view, also in a saved notebook: only the way to the one
 * bundle that all views of the notebook share (`edutorch/widgets/bundle.py`). The bundle
 * is evaluated once in a page, however many views and notebooks are open.
 */

interface Manager {
  get_model(id: string): Promise<{ get(key: string): unknown }>;
}

interface Context {
  model: { get(key: string): unknown; widget_manager: Manager };
  el: HTMLElement;
  signal?: AbortSignal;
}

type Bundle = { default: { render(context: Context): () => void } };

/** how ipywidgets serialises a reference to another widget */
const PREFIX = "IPY_MODEL_";
/** ms between two polls: in a loading notebook a view may precede its bundle */
const PAUSE = 50;
const TRIES = 200;
const GONE =
  "edutorch: the code that draws this view is missing from the page. " +
  "Run the cell again.";

// Each view has a copy of this module, so imports are kept outside it.
const page = globalThis as { [key: symbol]: Map<string, Promise<Bundle>> | undefined };
const KEY = Symbol.for("edutorch.bundles");

async function packedFor({ model, signal }: Context): Promise<string> {
  const id = String(model.get("bundle")).slice(PREFIX.length);
  for (let tries = 0; ; tries++) {
    try {
      return String((await model.widget_manager.get_model(id)).get("packed"));
    } catch (error) {
      if (tries >= TRIES || signal?.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

async function imported(packed: string): Promise<Bundle> {
  const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  const unzip = new DecompressionStream("gzip");
  const headers = { "Content-Type": "text/javascript" };
  const text = new Response(new Blob([bytes]).stream().pipeThrough(unzip), { headers });
  const url = URL.createObjectURL(await text.blob());
  try {
    return await import(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Notebooks of other versions of edutorch have their own bundles. */
function bundleOf(packed: string): Promise<Bundle> {
  page[KEY] ??= new Map();
  const known = page[KEY].get(packed);
  if (known) return known;
  const bundle = imported(packed);
  page[KEY].set(packed, bundle);
  return bundle;
}

/**
 * Each view is drawn in a task of its own. Ten drawn at once keep a slow page busy for
 * seconds, and anywidget gives up a model that has not started after two.
 */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Called by anywidget for each place in which the widget is shown. */
async function render(context: Context): Promise<(() => void) | undefined> {
  try {
    const bundle = await bundleOf(await packedFor(context));
    await nextTask();
    if (!context.signal?.aborted) return bundle.default.render(context);
  } catch (error) {
    if (!context.signal?.aborted) context.el.append(GONE);
    throw error;
  }
  return undefined;
}

export default { render };

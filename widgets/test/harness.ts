/**
 * A page that shows the widgets without a kernel, to look at them:
 * `npm run harness`, then open test/harness.html?view=graph&sample=lenet&theme=dark.
 */
import widgets from "../src/index";
import { outOfMemory, twoDevices } from "./device_lane_samples";
import { FakeModel } from "./fake_model";
import * as series from "./gradient_memory_samples";
import * as samples from "./graph_samples";
import { owners } from "./memory_tree_samples";

const query = new URLSearchParams(location.search);
const view = query.get("view") ?? "graph";
const sample = query.get("sample") ?? "lenet";
const size = Number(query.get("n") ?? 6);
const dark = query.get("theme") === "dark";

const GRAPHS: Record<string, () => unknown> = {
  lenet: () => samples.lenet(),
  forward: () => samples.lenet(false),
  scalars: samples.scalars,
  residual: () => samples.residual(size),
  rnn: () => samples.rnn(size),
  stacked: () => samples.stacked(size),
  attention: () => samples.attention(size),
  chain: () => samples.chain(size),
  hostile: samples.hostile,
  tied: samples.tied,
};

const DATA: Record<string, () => unknown> = {
  graph: () => GRAPHS[sample](),
  gradient: () => series.gradients(size * 10),
  memory: () => series.memory(size * 20, sample === "gpu"),
  memory_tree: () => owners(sample === "gpu"),
  lanes: () => (sample === "full" ? outOfMemory() : twoDevices()),
  live: () => null,
};

document.body.dataset.jpThemeLight = String(!dark);
document.body.style.background = dark ? "#111" : "#fff";
const model = new FakeModel({
  view,
  data: DATA[view](),
  expanded: query.getAll("open"),
  selected: query.get("selected") ?? "",
  frozen: query.has("frozen"),
  status: query.get("status") ?? "",
  state: { mode: "idle", granularity: "op", at: "" },
});
if (view === "live")
  model.answer = (message) => ({
    ack: 1,
    live: true,
    state: {
      mode: message.cmd === "hello" ? "paused" : "running",
      at: "conv2d in features.0",
    },
  });
const el = document.createElement("div");
document.body.append(el);
widgets.render({ model, el });
Object.assign(window, { model });

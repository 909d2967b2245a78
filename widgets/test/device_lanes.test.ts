/** DeviceLanes: bars, transfers, idle stretches, keys; and what Python computes too. */
import { afterEach, expect, test } from "vitest";
import widgets from "../src/index";
import {
  busyText,
  busyWithin,
  commonModule,
  drawnBars,
  fullText,
  laneFacts,
} from "../src/lane_bars";
import { LaneChart } from "../src/lane_chart";
import type { Lane, LaneBar, LanesData } from "../src/lane_types";
import { TimeAxis } from "../src/time_axis";
import { bar, outOfMemory, TEXTS, twoDevices } from "./device_lane_samples";
import { FakeModel } from "./fake_model";
import { HOSTILE } from "./graph_samples";

let dispose = () => {};

function show(data: unknown) {
  const model = new FakeModel({ view: "lanes", data, frozen: false, status: "" });
  const el = document.createElement("div");
  document.body.append(el);
  dispose = widgets.render({ model, el });
  const root = el.querySelector(".edutorch-lanes") as HTMLElement;
  const stage = root.querySelector(".edt-lanes") as HTMLElement;
  const press = (...keys: string[]) => {
    for (const key of keys) stage.dispatchEvent(new KeyboardEvent("keydown", { key }));
    return root.querySelector(".edt-readout")?.textContent ?? "";
  };
  const words = () => [...stage.querySelectorAll("text")].map((t) => t.textContent);
  return { model, root, stage, press, words };
}

const frame = () => new Promise((done) => requestAnimationFrame(done));

afterEach(() => {
  dispose();
  dispose = () => {};
  document.body.replaceChildren();
});

/** Many small ops, of which some are too small to see at some scales. */
function manySmall(): LaneBar[] {
  const bars: LaneBar[] = [];
  for (let i = 0; i < 40; i++) {
    const module = i % 10 < 6 ? "net.0" : "net.1";
    const phase = i < 25 ? "forward" : "backward";
    const name = i % 3 === 0 ? "relu" : "linear";
    const row = i % 7 === 6 ? 1 : 0;
    bars.push(
      bar(i * 10, 4 + (i % 5) * 3, name, phase, { module, row, inside: i % 2 }),
    );
  }
  return bars;
}

const FACTS: Partial<Lane>[] = [
  {},
  { busy: 0.004, idle: 999 },
  { busy: 999, idle: 0.4 },
  { busy: 38.5, idle: 61.5 },
  { busy: 7, idle: 0, received: { count: 1, bytes: 3_250_586 } },
  { ops: 0, busy: 0, idle: 12 },
];

test("bars_and_facts_agree_with_python", async () => {
  const bars = manySmall();
  const drawn = [0.5, 2, 5, 12, 400].map((pixel) => ({
    pixel,
    drawn: drawnBars(bars, TEXTS, pixel),
  }));
  const lanes = FACTS.map((more) => ({ ...twoDevices().lanes[1], ...more }));
  const facts = lanes.map((lane) => ({ lane, facts: laneFacts(lane) }));
  const full = outOfMemory().full.map((f) => ({ ...f, text: fullText(f) }));
  const text = `${JSON.stringify({ texts: TEXTS, bars, drawn, facts, full }, null, 1)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/lanes/lanes.json");
});

test("drawn_bars_keep_every_op_and_all_busy_time", () => {
  const bars = manySmall();
  const ops = bars.reduce((sum, b) => sum + 1 + b[7], 0);
  const busy = bars.reduce((sum, b) => sum + b[1], 0);
  let before = bars.length + 1;
  for (const pixel of [0.1, 3, 10, 1000]) {
    const drawn = drawnBars(bars, TEXTS, pixel);
    expect(drawn.length).toBeLessThanOrEqual(before);
    before = drawn.length;
    expect(drawn.reduce((sum, d) => sum + d.count, 0)).toBe(ops);
    expect(drawn.reduce((sum, d) => sum + d.busy, 0)).toBeCloseTo(busy);
  }
  expect(drawnBars(bars, TEXTS, 0.1)).toHaveLength(bars.length);
  expect(before).toBeLessThan(6);
});

test("busy_within_a_stretch_counts_overlaps_once_and_nothing_outside", () => {
  const bars = [bar(0, 10, "linear"), bar(5, 10, "linear"), bar(40, 10, "relu")];
  expect(busyWithin(bars, 0, 100)).toBe(25);
  expect(busyWithin(bars, 8, 45)).toBe(12);
  expect(busyWithin(bars, 20, 30)).toBe(0);
  expect(busyText(busyWithin(bars, 0, 100) / 100)).toBe("busy 25%, idle 75%");
});

test("common_module_is_the_innermost_that_holds_both", () => {
  expect(commonModule("a.b.c", "a.b.d")).toBe("a.b");
  expect(commonModule("a.b", "a.b")).toBe("a.b");
  expect(commonModule("a.b", "a.bc")).toBe("a");
  expect(commonModule("a.b", "a.b.c")).toBe("a.b");
  expect(commonModule("x", "")).toBe("");
});

test("each_device_has_a_lane_with_its_facts", () => {
  const { words, root, stage } = show(twoDevices());
  expect(words()).toContain("busy 39%, idle 61%");
  expect(words()).toContain("received 2.0 KB in 1 transfer");
  expect(words()).toContain("2.0 KB held, peak 4.0 KB of 1.0 MB");
  expect(words()).toContain("parallel_apply");
  expect(stage.querySelectorAll("rect[data-phase]")).toHaveLength(6);
  expect(stage.querySelectorAll("polygon.edt-move")).toHaveLength(2);
  expect(root.textContent).toContain("cuda:1 waited 210 µs for cuda:0");
  expect(root.textContent).toContain("Times are this computer's.");
  const spoken = [...root.querySelectorAll(".edt-quiet li")].map(
    (li) => li.textContent,
  );
  expect(spoken[2]).toContain("cuda:1 (simulated GPU): busy 57%");
});

test("keys_read_bars_and_idle_stretches_of_each_lane", () => {
  const { press } = show(twoDevices());
  expect(press("ArrowDown", "Home")).toContain("cuda:0 · to · 40 µs at 0 µs · copy");
  expect(press("Home")).toContain("4.0 KB from cpu");
  expect(press("ArrowRight", "ArrowRight")).toContain("linear in net.0 · 150 µs");
  const idle = press("ArrowRight");
  expect(idle).toContain("cuda:0 · idle 600 µs at 200 µs");
  expect(idle).toContain("meanwhile cuda:1 busy 95%");
  const waits = press("ArrowDown", "Home");
  expect(waits).toContain(
    "cuda:1 · idle 210 µs at 0 µs · until 2.0 KB came from cuda:0",
  );
  expect(press("End")).toContain("cuda:1 · idle 210 µs at 790 µs");
  expect(press("Escape")).toContain("Hover over a bar");
});

test("zoom_shows_shares_of_what_is_in_sight_and_gaps_in_full", async () => {
  const { press, words, root } = show(twoDevices());
  const facts = words();
  press("ArrowDown", "ArrowDown", "Home", "+", "+", "+", "+", "+", "+");
  await frame();
  expect(words().join()).toContain("in view");
  // zoomed in upon the middle of a stretch, its length is still all of it
  expect(words().join()).toContain("idle 210 µs");
  press("0");
  await frame();
  expect(words()).toEqual(facts);
  for (const name of ["Zoom in (+)", "Zoom out (−)", "Show all time (0)"]) {
    const button = root.querySelector(`[aria-label="${name}"]`) as HTMLElement;
    expect(button).not.toBeNull();
    button.click();
  }
});

test("byte_labels_in_a_narrow_view_end_above_the_next_head_and_inside_the_axis", () => {
  const { left, width } = { left: 12, width: 400 };
  const axis = new TimeAxis(() => {});
  axis.extent(0, 1000);
  const data = twoDevices();
  data.transfers[1][1] = 1000; // an arrow at the end of the axis
  const picture = new LaneChart(axis, (usual) => usual).draw(data, width);
  const texts = [...picture.querySelectorAll("text")];
  const y = (text: Element) => Number(text.getAttribute("y"));
  const sizes = texts.filter((text) => /^[\d.]+ KB$/.test(text.textContent ?? ""));
  const heads = texts.filter((text) => /^c(pu|uda)/.test(text.textContent ?? ""));
  expect([sizes.length, heads.length]).toEqual([2, 3]);
  sizes.forEach((size, i) => {
    const room = y(heads[i + 1]) - y(size);
    expect(room).toBeGreaterThanOrEqual(20); // a line of text, and a gap
    const x = Number(size.getAttribute("x"));
    expect(x).toBeGreaterThanOrEqual(left);
    expect(x + 6.2 * (size.textContent ?? "").length).toBeLessThan(width);
  });
  const tip = picture.querySelectorAll("polygon")[1].getAttribute("points") ?? "";
  const end = Number(sizes[1].getAttribute("x")) + 6.2 * 6;
  expect(end).toBeLessThan(Number.parseFloat(tip)); // beside it, not over it
});

test("byte_labels_are_left_out_where_arrows_would_cross_them", () => {
  const data = twoDevices();
  const [move] = data.transfers;
  data.transfers = [300, 310, 600].map((at) => [at, at + 1, ...move.slice(2)] as never);
  const axis = new TimeAxis(() => {});
  axis.extent(0, 1000);
  const picture = new LaneChart(axis, (usual) => usual).draw(data, 800);
  const tips = [...picture.querySelectorAll("polygon.edt-move")].map((tip) =>
    Number.parseFloat(tip.getAttribute("points") ?? ""),
  );
  const sizes = [...picture.querySelectorAll("text")]
    .filter((text) => /^[\d.]+ [KM]?B$/.test(text.textContent ?? ""))
    .map((text) => Number(text.getAttribute("x")));
  expect([tips.length, sizes.length]).toEqual([3, 3]);
  expect(sizes[0]).toBeLessThan(tips[0]); // left of the pair of arrows
  expect(sizes[1]).toBeGreaterThan(tips[1]);
  for (const [i, x] of sizes.entries()) {
    const others = tips.filter((tip) => tip > x - 4 && tip < x + 6.2 * 6);
    expect(others, `label ${i}`).toEqual([]);
  }
});

test("tips_of_arrows_are_inside_their_lanes_away_from_heads", () => {
  const axis = new TimeAxis(() => {});
  axis.extent(0, 1000);
  const picture = new LaneChart(axis, (usual) => usual).draw(twoDevices(), 400);
  const lanes = [...picture.querySelectorAll(".edt-backdrop")].map((lane) => {
    const top = Number(lane.getAttribute("y"));
    return [top, top + Number(lane.getAttribute("height"))];
  });
  const tips = [...picture.querySelectorAll("polygon.edt-move")].map((tip) =>
    (tip.getAttribute("points") ?? "").match(/(?<=,)[\d.]+/g)?.map(Number),
  );
  expect(tips).toHaveLength(2);
  tips.forEach((ys = [], i) => {
    const [top, foot] = lanes[i + 1];
    for (const y of ys) expect([y > top, y < foot]).toEqual([true, true]);
  });
});

test("an_idle_interval_is_named_beside_an_arrow_that_passes", () => {
  const data = twoDevices();
  data.transfers = [[480, 500, "cpu", "cuda:1", 512, "copy"]];
  const axis = new TimeAxis(() => {});
  axis.extent(0, 1000);
  const picture = new LaneChart(axis, (usual) => usual).draw(data, 1200);
  const idle = [...picture.querySelectorAll("text")].filter(
    (text) => text.textContent === "idle 600 µs",
  );
  expect(idle).toHaveLength(1);
  const middle = Number(idle[0].getAttribute("x"));
  expect(Math.abs(middle - axis.x(490))).toBeGreaterThan(40);
});

test("byte_label_of_an_arrow_at_the_start_is_not_cut", () => {
  const data = twoDevices();
  data.transfers = [[0, 20, "cpu", "cuda:0", 768, "copy"]];
  data.transfers.push([21, 60, "cpu", "cuda:0", 4096, "copy"]);
  const axis = new TimeAxis(() => {});
  axis.extent(0, 1000);
  const picture = new LaneChart(axis, (usual) => usual).draw(data, 800);
  const sizes = [...picture.querySelectorAll("text")].filter((text) =>
    /^[\d.]+ [KM]?B$/.test(text.textContent ?? ""),
  );
  expect(sizes.length).toBeGreaterThan(0);
  for (const size of sizes) expect(Number(size.getAttribute("x"))).toBeGreaterThan(232);
});

test("tip_of_an_arrow_at_the_end_is_in_sight_and_legend_tells_idle", () => {
  const data = twoDevices();
  data.transfers[1][1] = 1000;
  const axis = new TimeAxis(() => {});
  axis.extent(0, 1000);
  const picture = new LaneChart(axis, (usual) => usual).draw(data, 800);
  const tips = [...picture.querySelectorAll("polygon.edt-move")];
  const last = (tips.at(-1)?.getAttribute("points") ?? "").match(/[\d.]+(?=,)/g) ?? [];
  expect(Math.max(...last.map(Number))).toBeLessThanOrEqual(788);
  expect(show(data).root.textContent).toContain("idle: no operation runs");
});

test("a_device_out_of_memory_says_so_and_how_full_it_was", () => {
  const { words, root } = show(outOfMemory());
  expect(words()).toContain("out of memory");
  expect(root.querySelector(".edt-marks")?.textContent).toContain(
    "cuda:1 out of memory: 8.0 MB requested, 1.0 MB of 4.0 MB held",
  );
});

test("nothing_recorded_yet_is_said_and_new_data_are_drawn", async () => {
  const { model, root, stage, press } = show({});
  expect(stage.hidden).toBe(true);
  expect(root.textContent).toContain("Nothing recorded yet");
  expect(press("ArrowRight", "+")).toBe("");
  model.set("data", twoDevices());
  await new Promise((done) => setTimeout(done, 200));
  expect(stage.hidden).toBe(false);
  expect(root.dataset.rev).toBe("7");
});

test("names_stay_text_and_nothing_listens_after_the_end", () => {
  const texts = TEXTS.map((text) => (text === "linear" ? HOSTILE[0] : text));
  const data: LanesData = { ...twoDevices(), texts };
  data.phases[0].name = HOSTILE[1];
  const { model, root, press } = show(data);
  press("ArrowDown", "Home", "ArrowRight", "ArrowRight");
  expect(root.querySelector("img, script")).toBeNull();
  expect(root.querySelector(".edt-readout")?.textContent).toContain(HOSTILE[0]);
  dispose();
  dispose = () => {};
  expect(model.listening).toBe(0);
});

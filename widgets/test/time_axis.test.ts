/** The time axis: ticks as in Python, zooming, panning, keys, the wheel and drags. */
import { expect, test, vi } from "vitest";
import { Lifetime } from "../src/model";
import { TimeAxis, timeText, timeTicks } from "../src/time_axis";

/** stretches in µs, and about how many ticks */
const STRETCHES: [number, number, number][] = [
  [0, 1, 5],
  [0, 730, 7],
  [3.5, 9.25, 4],
  [0, 1000, 10],
  [0, 48_200, 6],
  [12_345_010, 12_345_090, 5],
  [2_000_000, 61_000_000, 8],
  [0, 3.6e9, 4],
  [-500, 700, 6],
];

test("ticks_agree_with_python", async () => {
  const cases = STRETCHES.map(([from, to, count]) => ({
    from,
    to,
    count,
    ticks: timeTicks(from, to, count),
  }));
  const text = `${JSON.stringify(cases, null, 1)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/time/ticks.json");
});

test("ticks_lie_in_the_stretch_and_differ", () => {
  for (const [from, to, count] of STRETCHES) {
    const ticks = timeTicks(from, to, count);
    expect(ticks.length).toBeGreaterThan(1);
    expect(ticks.length).toBeLessThanOrEqual(count + 1);
    expect(new Set(ticks.map((t) => t.text)).size).toBe(ticks.length);
    for (const { us } of ticks) {
      expect(us).toBeGreaterThanOrEqual(from - 1e-6);
      expect(us).toBeLessThanOrEqual(to + 1e-6);
    }
  }
});

test("text_is_in_seconds_milliseconds_or_microseconds", () => {
  expect(timeText(1_500_000, 500_000, 3e6)).toBe("1.5 s");
  expect(timeText(250, 50, 2000)).toBe("0.25 ms");
  expect(timeText(250, 50, 900)).toBe("250 µs");
});

function axis(): { axis: TimeAxis; changed: ReturnType<typeof vi.fn> } {
  const changed = vi.fn();
  const made = new TimeAxis(changed);
  made.extent(0, 1000);
  made.placeAt({ left: 100, width: 500 });
  return { axis: made, changed };
}

function press(key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  return new KeyboardEvent("keydown", { key, cancelable: true, ...more });
}

test("places_and_times_are_inverse", () => {
  const { axis: a } = axis();
  expect(a.x(0)).toBe(100);
  expect(a.x(1000)).toBe(600);
  expect(a.us(a.x(321))).toBeCloseTo(321);
});

test("zoom_keeps_the_time_it_is_about_in_place", () => {
  const { axis: a, changed } = axis();
  const before = a.x(300);
  a.zoom(4, 300);
  expect(a.x(300)).toBeCloseTo(before);
  expect(a.to - a.from).toBeCloseTo(250);
  expect(a.whole).toBe(false);
  expect(changed).toHaveBeenCalledOnce();
});

test("zoom_and_pan_stay_within_all_time", () => {
  const { axis: a } = axis();
  a.zoom(1e12, 500);
  expect(a.to - a.from).toBeCloseTo(1);
  a.zoom(1e-12);
  expect([a.from, a.to]).toEqual([0, 1000]);
  a.zoom(2);
  a.pan(100);
  expect([a.from, a.to]).toEqual([500, 1000]);
  a.pan(-100);
  expect([a.from, a.to]).toEqual([0, 500]);
});

test("new_data_when_all_is_seen_show_all_and_else_leave_the_reader_alone", () => {
  const { axis: a } = axis();
  a.extent(0, 5000);
  expect([a.from, a.to]).toEqual([0, 5000]);
  a.show(100, 200);
  a.extent(0, 9000);
  expect([a.from, a.to]).toEqual([100, 200]);
  a.extent(0, 150); // another run, which is shorter
  expect([a.from, a.to]).toEqual([50, 150]);
});

test("reveal_moves_only_to_what_is_out_of_sight", () => {
  const { axis: a, changed } = axis();
  a.show(0, 100);
  changed.mockClear();
  a.reveal(20, 30);
  expect(changed).not.toHaveBeenCalled();
  a.reveal(700, 720);
  expect([a.from, a.to]).toEqual([660, 760]);
  a.reveal(100, 600);
  expect(a.from).toBeLessThanOrEqual(100);
  expect(a.to).toBeGreaterThanOrEqual(600);
});

test("keys_zoom_about_the_cursor_pan_and_show_all", () => {
  const { axis: a } = axis();
  const plus = press("+");
  expect(a.key(plus, 200)).toBe(true);
  expect(plus.defaultPrevented).toBe(true);
  expect(a.x(200)).toBeCloseTo(200);
  a.key(press("+"), 99_999); // a cursor out of sight: about the middle
  const seen = a.from;
  a.key(press("ArrowRight", { shiftKey: true }));
  expect(a.from).toBeGreaterThan(seen);
  a.key(press("ArrowLeft", { shiftKey: true }));
  expect(a.from).toBeCloseTo(seen);
  a.key(press("-"));
  a.key(press("0"));
  expect(a.whole).toBe(true);
  expect(a.key(press("ArrowRight"))).toBe(false);
  expect(a.key(press("+", { ctrlKey: true }))).toBe(false);
});

test("the_plain_wheel_is_left_to_the_page", () => {
  const { axis: a } = axis();
  const life = new Lifetime();
  const element = document.createElement("div");
  a.listen(life, element);
  const wheel = (init: WheelEventInit) => {
    const event = new WheelEvent("wheel", { cancelable: true, ...init });
    element.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(wheel({ deltaY: 100 })).toBe(false);
  expect(a.whole).toBe(true);
  expect(wheel({ deltaY: -300, ctrlKey: true, clientX: 100 })).toBe(true);
  expect(a.from).toBe(0);
  expect(a.to).toBeLessThan(1000);
  expect(wheel({ deltaX: 60 })).toBe(true);
  expect(a.from).toBeGreaterThan(0);
  life.end();
  expect(wheel({ deltaX: 60 })).toBe(false);
});

test("a_drag_pans_and_is_no_click", () => {
  const { axis: a } = axis();
  const element = document.createElement("div");
  a.listen(new Lifetime(), element);
  a.show(400, 600);
  const send = (type: string, clientX: number) =>
    element.dispatchEvent(new MouseEvent(type, { clientX, buttons: 1 }));
  send("pointerdown", 300);
  send("pointermove", 302);
  expect(a.wasDragged).toBe(false);
  send("pointermove", 350); // 50 of 500 pixels, of 200 µs
  expect(a.wasDragged).toBe(true);
  expect(a.from).toBeCloseTo(380);
  send("pointerup", 350);
  send("pointermove", 450);
  expect(a.from).toBeCloseTo(380);
});

test("drawing_has_a_tick_for_each_label_within_the_place", () => {
  const { axis: a } = axis();
  const group = a.draw(10, 90);
  const texts = [...group.querySelectorAll("text")].map((t) => t.textContent);
  expect(texts[0]).toBe("0.0 ms");
  expect(group.querySelectorAll("line")).toHaveLength(texts.length + 1);
});

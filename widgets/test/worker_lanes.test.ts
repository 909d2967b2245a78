import { expect, test } from "vitest";
import { renderWorkerLanes } from "../src/course/worker_lanes";
import { facts, lanesAt, moments, schedule } from "../src/course/worker_schedule";
import { FakeModel } from "./fake_model";

const START = { workers: 1, load: 60, step: 20, prefetch: 2, slow: false };

test("schedules_words_and_moments_agree_with_python", async () => {
  const cases = [0, 1, 2, 3, 6].flatMap((workers) =>
    [
      [60, 20],
      [30, 30],
      [10, 120],
    ].flatMap(([load, step]) =>
      [1, 2, 4].flatMap((prefetch) =>
        [false, true].map((slow) => {
          const given = { workers, load, step, prefetch, slow };
          const made = schedule(given);
          const times = moments(made);
          const at = times[Math.floor(times.length / 2)];
          return {
            given,
            batches: made.map((b) => [
              b.worker,
              b.begin,
              b.ready,
              b.free,
              b.taken,
              b.done,
            ]),
            facts: facts(made),
            moments: times,
            lanes: [at, lanesAt(made, at)],
          };
        }),
      ),
    ),
  );
  const text = `${JSON.stringify(cases)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/worker_lanes/schedules.json");
});

function show(data = {}) {
  const el = document.createElement("div");
  document.body.append(el);
  const end = renderWorkerLanes(new FakeModel({ data: { ...START, ...data } }), el);
  const find = (id: string) => el.querySelector(`[data-testid="${id}"]`) as HTMLElement;
  const move = async (id: string, value: number) => {
    (find(id) as HTMLInputElement).value = String(value);
    find(id).dispatchEvent(new Event("input"));
    await new Promise((done) => requestAnimationFrame(() => done(null)));
  };
  return { el, end, find, move };
}

test("enough_workers_end_the_waiting", async () => {
  const { end, find, move } = show();
  expect(find("facts").textContent).toContain("600 ms later");
  await move("workers", 2);
  expect(find("facts").textContent).toContain("140 ms later");
  await move("workers", 3);
  expect(find("facts").textContent).toContain("never waits");
  expect(find("lanes").querySelectorAll("tr").length).toBe(4);
  end();
});

test("time_goes_from_moment_to_moment_and_stops_at_its_ends", async () => {
  const { end, find, move } = show();
  expect(find("lanes").textContent).toContain("waits for batch 0");
  find("back").click();
  find("next").click();
  await new Promise((done) => requestAnimationFrame(() => done(null)));
  expect(find("lanes").textContent).toContain("trains with batch 0");
  await move("time", 9999);
  expect(find("lanes").textContent).toContain("is done");
  end();
});

test("trainer_without_workers_loads_by_itself", async () => {
  const { el, end, find, move } = show();
  await move("workers", 0);
  expect(el.querySelectorAll(".ewl-wait").length).toBe(0);
  expect((find("prefetch") as HTMLInputElement).disabled).toBe(true);
  expect(find("lanes").textContent).toBe("trainerloads batch 0");
  end();
});

test("slow_batches_last_four_times_as_long", async () => {
  const { end, find } = show({ load: 30, step: 30, workers: 2, prefetch: 1 });
  const slow = find("slow") as HTMLInputElement;
  slow.checked = true;
  slow.dispatchEvent(new Event("change"));
  await new Promise((done) => requestAnimationFrame(() => done(null)));
  expect(find("facts").textContent).toContain("180 ms later");
  expect(find("rows").querySelectorAll("tr")[4].textContent).toBe("409021021060");
  end();
});

test("every_bar_lies_within_the_chart", () => {
  for (const workers of [0, 1, 6]) {
    const { el, end } = show({ workers, slow: true, load: 120, step: 10 });
    for (const bar of el.querySelectorAll(".ewl-chart rect")) {
      const left = Number(bar.getAttribute("x"));
      expect(left).toBeGreaterThanOrEqual(62);
      expect(left + Number(bar.getAttribute("width"))).toBeLessThanOrEqual(588.5);
    }
    end();
  }
});

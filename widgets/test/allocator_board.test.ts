import { expect, test } from "vitest";
import { renderAllocatorBoard } from "../src/course/allocator_board";
import { bytesText, replay, type Step } from "../src/course/allocator_rules";
import { FakeModel } from "./fake_model";

const KIB = 1024;
const MIB = 1024 * KIB;
const CAPACITY = 48 * MIB;
const PROGRAM: Step[] = [
  ["a", 4],
  ["b", 700 * KIB],
  ["c", 6 * MIB],
  ["d", 6 * MIB],
  ["e", 6 * MIB],
  ["b", 0],
  ["f", 300 * KIB],
  ["c", 0],
  ["e", 0],
  ["g", 12 * MIB],
  ["g", 0],
  ["h", 4608 * KIB],
  ["i", 16 * MIB],
  ["i", 0],
  ["d", 0],
  ["j", 16 * MIB],
  ["k", 18 * MIB],
];

test("boards_and_words_agree_with_python", async () => {
  const cases = PROGRAM.map((_, i) => {
    const board = replay(PROGRAM, i + 1, CAPACITY);
    return {
      steps: i + 1,
      said: board.said,
      totals: board.totals(),
      failed: board.failed,
      segments: board.segments.map(({ nbytes, small, blocks }) => [
        nbytes,
        small,
        blocks.map((b) => [b.offset, b.nbytes, b.name, b.requested]),
      ]),
      would: [1, 5, 16, 17, 96, 160, 320].map((n) => [n, board.would(n * 65536)]),
    };
  });
  const text = `${JSON.stringify({ program: PROGRAM, cases }, null, 1)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/allocator_board/boards.json");
});

test("sizes_say_one_byte", () => {
  expect([0, 1, 2, 2 * MIB - 1].map(bytesText)).toEqual([
    "0 bytes",
    "1 byte",
    "2 bytes",
    "1.99 MiB",
  ]);
});

function show(steps = 0) {
  const el = document.createElement("div");
  document.body.append(el);
  const data = { steps, program: PROGRAM, capacity: CAPACITY };
  const end = renderAllocatorBoard(new FakeModel({ data }), el);
  const find = (id: string) => el.querySelector(`[data-testid="${id}"]`) as HTMLElement;
  const frame = () =>
    new Promise((done) => {
      requestAnimationFrame(() => done(null));
    });
  const move = async (id: string, value: number) => {
    (find(id) as HTMLInputElement).value = String(value);
    find(id).dispatchEvent(new Event("input"));
    await frame();
  };
  return { el, end, find, frame, move };
}

test("steps_go_on_and_back_and_stop_at_the_ends", async () => {
  const { end, find, frame, move } = show();
  expect(find("said").textContent).toContain("Nothing is reserved yet.");
  find("back").click();
  find("next").click();
  await frame();
  expect(find("said").textContent).toContain("512 bytes set aside");
  expect(find("said").textContent).toContain("Next: b = 700 KiB.");
  await move("step", 5);
  expect(find("said").textContent).toContain("Next: del b.");
  await move("step", 99);
  expect(find("said").textContent).toContain("Out of memory");
  expect(find("said").textContent).toContain("The program has ended.");
  find("back").click();
  await frame();
  expect(find("said").textContent).not.toContain("Out of memory");
  end();
});

test("gaps_are_lit_when_memory_has_run_out", () => {
  const { el, end, find } = show(PROGRAM.length);
  expect(el.querySelectorAll(".eab-short").length).toBeGreaterThan(1);
  expect(find("rows").querySelectorAll("tr").length).toBeGreaterThan(4);
  end();
});

test("request_of_any_size_is_told_where_it_would_go", async () => {
  const { end, find, move } = show(7);
  await move("request", 1);
  expect(find("would").textContent).toContain("of 64 KiB now would go into segment 1");
  await move("request", 320);
  expect(find("would").textContent).toContain("need a new segment of 20 MiB");
  expect(find("request").getAttribute("aria-valuetext")).toBe("20 MiB");
  end();
});

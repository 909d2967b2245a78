import { expect, test } from "vitest";
import { boardOf, renderReplicaBoard } from "../src/course/replica_board";
import { FakeModel } from "./fake_model";

const BATCH = [
  [5.1, 3.5, 1.4, 0.2, 0],
  [7.0, 3.2, 4.7, 1.4, 1],
  [6.3, 3.3, 6.0, 2.5, 2],
  [4.9, 3.0, 1.4, 0.2, 0],
  [6.4, 3.2, 4.5, 1.5, 1],
  [5.8, 2.7, 5.1, 1.9, 2],
  [4.7, 3.2, 1.3, 0.2, 0],
  [6.9, 3.1, 4.9, 1.5, 1],
  [7.1, 3.0, 5.9, 2.1, 2],
  [4.6, 3.1, 1.5, 0.2, 0],
  [5.5, 2.3, 4.0, 1.3, 1],
  [6.3, 2.9, 5.6, 1.8, 2],
];
const STEPS = [0, 1, 2, 3, 4, 5, 6, 7, 8];

test("boards_and_words_agree_with_python", async () => {
  const cases = STEPS.map((step) => {
    const board = boardOf(BATCH, step);
    const values = board.values.map((row) => row.map((v) => Number(v.toPrecision(9))));
    return { step, ...board, values };
  });
  const text = `${JSON.stringify({ batch: BATCH, cases })}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/replica_board/boards.json");
});

function show(step = 1) {
  const el = document.createElement("div");
  document.body.append(el);
  const model = new FakeModel({ data: { step, batch: BATCH } });
  const end = renderReplicaBoard(model, el);
  const find = (id: string) => el.querySelector(`[data-testid="${id}"]`) as HTMLElement;
  const told = () => find("said").textContent ?? "";
  return { el, end, find, told };
}

const frame = () => new Promise((done) => requestAnimationFrame(() => done(null)));

test("buttons_go_on_and_back_and_stop_at_both_ends", async () => {
  const { end, find, told } = show(0);
  expect(told()).toMatch(/^Scatter/);
  find("back").click();
  await frame();
  expect(told()).toMatch(/^Scatter/);
  const heads = [];
  for (let i = 0; i < 9; i++) {
    find("next").click();
    await frame();
    heads.push(told().split(/[:,]/)[0]);
  }
  expect(heads).toEqual([
    "Local gradients",
    ...["Reduce-scatter", "Reduce-scatter", "Reduce-scatter"],
    ...["All-gather", "All-gather", "All-gather", "Divided by 4", "Divided by 4"],
  ]);
  end();
});

test("slider_shows_the_messages_of_its_step", async () => {
  const { el, end, find } = show();
  const slider = find("step") as HTMLInputElement;
  slider.value = "2";
  slider.dispatchEvent(new Event("input"));
  await frame();
  expect(find("sent").textContent).toContain("chunk 3 from 3 to 0");
  expect(el.querySelectorAll(".erb-came").length).toBe(4);
  expect(find("chart").getAttribute("aria-label")).toContain("(2 of 4)");
  end();
});

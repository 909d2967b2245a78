import { expect, test } from "vitest";
import {
  answer,
  formula,
  type Network,
  read,
  renderLetterGates,
} from "../src/course/letter_gates";
import { FakeModel } from "./fake_model";

/** Weights without chance: the same rule in any language. */
const weights = (rows: number, columns: number, from: number) =>
  Array.from({ length: rows }, (_, r) =>
    Array.from({ length: columns }, (_, c) =>
      Number((1.5 * Math.sin(from + 3 * r + 7 * c + r * c)).toFixed(6)),
    ),
  );

const NET: Network = {
  w_x: weights(20, 5, 1),
  w_h: weights(20, 5, 2),
  b: weights(1, 20, 3)[0],
  w: weights(3, 5, 4),
  bias: weights(1, 3, 5)[0],
  alphabet: "abc -",
  classes: ["first", "second", "third"],
  word: "abba",
  unit: 1,
};

test("steps_agree_with_python", async () => {
  const words = ["a", "abba", "c-a b", "Xa?B", "", "abcabcabcabcabcabcabcabcabcabc"];
  const cases = words.map((word) => {
    const steps = read(NET, word);
    const ends = steps.map((_, at) => answer(steps, at, NET.classes));
    return { word, steps, ends, formulas: steps.map((step) => formula(step, 2)) };
  });
  const text = `${JSON.stringify({ net: NET, cases })}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/letter_gates/steps.json");
});

const frame = () => new Promise((done) => requestAnimationFrame(() => done(null)));

async function show() {
  const el = document.createElement("div");
  document.body.append(el);
  const end = renderLetterGates(new FakeModel({ data: NET }), el);
  await frame();
  const find = (id: string) => el.querySelector(`[data-testid="${id}"]`) as HTMLElement;
  const type = async (word: string) => {
    (find("word") as HTMLInputElement).value = word;
    find("word").dispatchEvent(new Event("input"));
    await frame();
  };
  const key = async (name: string) => {
    find("picture").dispatchEvent(new KeyboardEvent("keydown", { key: name }));
    await frame();
  };
  return { el, find, type, key, end };
}

test("shows_a_cell_for_each_unit_part_and_class_of_each_letter", async () => {
  const { el, find, end } = await show();
  expect(el.querySelectorAll(".elg-cell").length).toBe(4 * (5 + 6 + 3));
  expect(find("said").textContent).toContain("After “abba”: ");
  expect(find("rows").querySelectorAll("tr").length).toBe(4);
  end();
});

test("arrow_keys_choose_the_letter_and_the_unit", async () => {
  const { find, key, end } = await show();
  await key("Home");
  expect(find("said").textContent).toContain("After “a”: ");
  await key("ArrowRight");
  await key("ArrowDown");
  expect(find("said").textContent).toContain("After “ab”: ");
  expect(find("unit").textContent).toBe("2 of 5");
  for (let i = 0; i < 9; i++) await key("ArrowUp");
  expect(find("unit").textContent).toBe("0 of 5");
  await key("End");
  expect(find("said").textContent).toContain(formula(read(NET, "abba")[3], 0));
  end();
});

test("click_of_a_cell_chooses_its_letter_and_unit", async () => {
  const { el, find, end } = await show();
  const cell = el.querySelectorAll(".elg-cell")[5 + 3];
  cell.dispatchEvent(new MouseEvent("click"));
  await frame();
  expect(find("said").textContent).toContain("After “ab”: ");
  expect(find("unit").textContent).toBe("3 of 5");
  end();
});

test("another_word_is_read_to_its_end", async () => {
  const { find, type, end } = await show();
  await type("Cab!");
  expect(find("said").textContent).toContain("After “cab”: ");
  await type("???");
  expect(find("said").textContent).toContain("Type a word");
  expect(find("rows").children.length).toBe(0);
  end();
});

import { expect, test } from "vitest";
import {
  captionOf,
  OPERATIONS,
  renderStrideInspector,
  viewed,
  walkOf,
} from "../src/course/stride_inspector";
import { FakeModel } from "./fake_model";

const NAMES = Object.keys(OPERATIONS);

test("views_agree_with_those_of_the_library", async () => {
  const pairs = NAMES.flatMap((a) => NAMES.map((b) => [a, b]));
  const triples = pairs.flatMap((pair) => NAMES.map((c) => [...pair, c]));
  const cases = [[], ...NAMES.map((a) => [a]), ...pairs, ...triples].map((names) => {
    const y = viewed(names);
    return { names, caption: captionOf(y), walk: walkOf(y, [0, 0]), memory: y.buffer };
  });
  const text = `${JSON.stringify(cases)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/stride_inspector/views.json");
});

const frame = () => new Promise((done) => requestAnimationFrame(() => done(null)));

function show() {
  const el = document.createElement("div");
  document.body.append(el);
  const data = { operations: [], at: [0, 0] };
  const end = renderStrideInspector(new FakeModel({ data }), el);
  const find = (id: string) => el.querySelector(`[data-testid="${id}"]`) as HTMLElement;
  const click = async (id: string) => {
    find(id).click();
    await frame();
  };
  const press = async (key: string) => {
    find("view").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    await frame();
  };
  const lit = () => find("memory").querySelectorAll(".esi-lit").length;
  return { end, find, click, press, lit };
}

test("buttons_take_view_after_view", async () => {
  const { end, find, click, lit } = show();
  expect(find("caption").textContent).toBe(
    "y = x: shape (3, 4), strides (4, 1), offset 0, a view of x.",
  );
  await click("every 2nd column");
  expect(lit()).toBe(6);
  await click("drop a row");
  expect(find("caption").textContent).toContain("x[:, ::2][1:]");
  expect(lit()).toBe(4);
  await click("undo");
  expect(lit()).toBe(6);
  await click("reset");
  expect(lit()).toBe(12);
  end();
});

test("reshape_of_a_transpose_is_a_copy", async () => {
  const { end, find, click } = show();
  await click("transpose");
  await click("reshape");
  expect(find("caption").textContent).toContain("a copy, with its own memory");
  expect(find("memory").children[1].textContent).toBe("114");
  end();
});

test("arrow_keys_and_clicks_choose_a_number", async () => {
  const { end, find, press, click } = show();
  await press("ArrowRight");
  await press("ArrowDown");
  expect(find("walk").textContent).toBe("y[1, 1] is at 0 + 1·4 + 1·1 = 5");
  await press("ArrowDown");
  await press("ArrowDown");
  expect(find("walk").textContent).toContain("y[2, 1]");
  (find("view").querySelector('[data-at="2,3"]') as HTMLElement).click();
  await frame();
  expect(find("walk").textContent).toContain("= 11");
  await click("drop a row");
  expect(find("walk").textContent).toContain("y[1, 3]");
  end();
});

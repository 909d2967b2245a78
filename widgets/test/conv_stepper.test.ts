import { expect, test } from "vitest";
import { convolve, KERNELS, renderConvStepper } from "../src/course/conv_stepper";
import { FakeModel } from "./fake_model";

const IMAGE = [
  [1, 2, 3, 4, 0],
  [5, 6, 7, 8, 0],
  [9, 8, 7, 6, 1],
  [5, 4, 3, 2, 0],
];

test("outputs_and_gradients_agree_with_python", async () => {
  const exact = (rows: number[][]) =>
    rows.map((row) => row.map((v) => Number(v.toPrecision(12))));
  const cases = Object.entries(KERNELS).flatMap(([name, kernel]) =>
    [1, 2, 3].flatMap((stride) =>
      [0, 1, 2].flatMap((padding) =>
        ([null, [0, 0]] as const).map((at) => {
          const given = { stride, padding, at: at && ([...at] as [number, number]) };
          const done = convolve(IMAGE, kernel, stride, padding, given.at);
          return {
            name,
            given: { image: IMAGE, ...given },
            outputs: exact(done.outputs),
            gradient: exact(done.gradient),
          };
        }),
      ),
    ),
  );
  const text = `${JSON.stringify(cases)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/conv_stepper/outputs.json");
});

const frame = () => new Promise((done) => requestAnimationFrame(() => done(null)));

function show(data = {}) {
  const el = document.createElement("div");
  document.body.append(el);
  const kernel = KERNELS["right - left"].map((row) => [...row]);
  const state = { image: IMAGE, kernel, stride: 1, padding: 0, at: [0, 0] };
  const end = renderConvStepper(new FakeModel({ data: { ...state, ...data } }), el);
  const find = (id: string) => el.querySelector(`[data-testid="${id}"]`) as HTMLElement;
  const told = () => find("product").textContent ?? "";
  const press = async (key: string) => {
    find("outputs").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    await frame();
  };
  const select = async (id: string, value: string) => {
    (find(id) as HTMLSelectElement).value = value;
    find(id).dispatchEvent(new Event("change"));
    await frame();
  };
  const type = async (id: string, value: string) => {
    (find(id) as HTMLInputElement).value = value;
    find(id).dispatchEvent(new Event("input"));
    await frame();
  };
  return { el, end, find, told, press, select, type };
}

test("product_leaves_out_where_the_kernel_is_zero", () => {
  const { end, told } = show();
  expect(told()).toBe("Output (0, 0): -1·1 + 1·3 + -1·5 + 1·7 + -1·9 + 1·7 = 2");
  end();
});

test("arrow_keys_move_the_window_and_stop_at_the_ends", async () => {
  const { end, told, press } = show();
  await press("ArrowRight");
  await press("ArrowDown");
  expect(told()).toMatch(/^Output \(1, 1\)/);
  await press("End");
  await press("ArrowRight");
  await press("ArrowDown");
  expect(told()).toMatch(/^Output \(1, 2\)/);
  await press("Home");
  expect(told()).toMatch(/^Output \(1, 0\)/);
  end();
});

test("click_on_an_output_lights_its_receptive_field", async () => {
  const { end, find, told } = show();
  (find("outputs").querySelector('[data-at="1,2"]') as HTMLElement).click();
  await frame();
  expect(told()).toMatch(/^Output \(1, 2\)/);
  const seen = [...find("image").children].flatMap((cell, i) =>
    cell.getAttribute("style")?.includes("--ecs-seen") ? [i] : [],
  );
  expect(seen).toEqual([7, 8, 9, 12, 13, 14, 17, 18, 19]);
  expect(find("back").querySelectorAll('[style*="--ecs-seen"]').length).toBe(9);
  end();
});

test("stride_and_padding_change_the_count_of_outputs", async () => {
  const { end, find, select, press } = show();
  await press("End");
  await select("stride", "2");
  await select("padding", "1");
  expect(find("size").textContent).toContain("stride 2, padding 1: 2 × 3 outputs");
  expect(find("outputs").children.length).toBe(6);
  expect(find("image").children.length).toBe(42);
  end();
});

test("kernel_of_ones_own_is_used_and_named", async () => {
  const { end, find, told, type, select } = show();
  for (let i = 0; i < 9; i++) await type(`w${i}`, i === 4 ? "1" : "0");
  expect((find("kernel") as HTMLSelectElement).value).toBe("your own");
  expect(told()).toBe("Output (0, 0): 1·6 = 6");
  await select("kernel", "mean");
  expect((find("w0") as HTMLInputElement).value).toBe("0.111");
  await select("gradient", "the sum of all");
  expect(find("back").children[0].textContent).toBe("0.11");
  end();
});

test("play_walks_on_until_it_is_paused", async () => {
  const { end, find, told } = show();
  find("next").click();
  await frame();
  expect(told()).toMatch(/^Output \(0, 1\)/);
  find("play").click();
  await new Promise((done) => setTimeout(done, 600));
  expect(find("play").textContent).toBe("Pause");
  find("previous").click();
  await frame();
  expect(find("play").textContent).toBe("Play");
  expect(told()).toMatch(/^Output \(0, 1\)/);
  end();
});

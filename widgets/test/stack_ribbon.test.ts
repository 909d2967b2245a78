import { expect, test } from "vitest";
import { anomaly, PROGRAMS, run } from "../src/course/ribbon_steps";
import { renderStackRibbon } from "../src/course/stack_ribbon";
import { FakeModel } from "./fake_model";

test("steps_words_and_reports_agree_with_python", async () => {
  const cases = Object.entries(PROGRAMS).flatMap(([name, { lines, places }]) =>
    places.map((x) => ({
      given: { name, x },
      lines,
      steps: run(name, x).map(({ arrived, values, ...step }) => ({
        ...step,
        numbers: [arrived ?? 0, ...values].map(String),
      })),
      anomaly: anomaly(name, x),
    })),
  );
  const text = `${JSON.stringify(cases)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/stack_ribbon/steps.json");
});

function show(data = {}) {
  const el = document.createElement("div");
  document.body.append(el);
  const model = new FakeModel({ data: { program: "length", x: 1, ...data } });
  const end = renderStackRibbon(model, el);
  const find = (id: string) => el.querySelector(`[data-testid="${id}"]`) as HTMLElement;
  const frame = () => new Promise((done) => requestAnimationFrame(() => done(null)));
  const move = async (id: string, value: number | string, kind = "input") => {
    (find(id) as HTMLInputElement).value = String(value);
    find(id).dispatchEvent(new Event(kind));
    await frame();
  };
  const key = async (name: string) => {
    find("board").dispatchEvent(new KeyboardEvent("keydown", { key: name }));
    await frame();
  };
  return { el, end, find, move, key, frame };
}

test("line_that_made_a_node_is_on_the_stack_in_forward_alone", async () => {
  const { end, find, move } = show();
  await move("step", 1);
  expect(find("stack").textContent).toContain("length, line 3: return q.sqrt()");
  await move("step", 4);
  expect(find("words").textContent).toContain("Backward of line 3, q.sqrt()");
  expect(find("stack").textContent).toContain("line 6: loss.backward()");
  expect(find("stack").textContent).not.toContain("line 3");
  expect(find("note").textContent).toContain("Line 3");
  end();
});

test("x_at_0_makes_infinity_in_the_root_and_nan_in_the_product", async () => {
  const { el, end, find, move } = show();
  await move("x", 4);
  await move("step", 6);
  expect(find("words").textContent).toBe("Every path is back at x: x.grad = nan.");
  expect(find("anomaly").textContent).toContain("MulBackward0 returned nan");
  expect(find("anomaly").textContent).toContain("made by line 3");
  expect(el.querySelectorAll(".esr-ribbon.esr-alarm").length).toBe(2);
  end();
});

test("keys_and_buttons_go_from_step_to_step_and_stop_at_the_ends", async () => {
  const { end, find, key, frame } = show();
  await key("ArrowLeft");
  expect(find("words").textContent).toContain("Forward, line 2");
  await key("ArrowRight");
  expect(find("words").textContent).toContain("Forward, line 3");
  await key("End");
  await key("ArrowDown");
  expect(find("words").textContent).toContain("Every path is back");
  await key("Home");
  find("next").click();
  await frame();
  expect(find("words").textContent).toContain("Forward, line 3");
  find("back").click();
  await frame();
  expect(find("words").textContent).toContain("Forward, line 2");
  await key("a");
  expect(find("words").textContent).toContain("Forward, line 2");
  end();
});

test("another_program_begins_at_its_first_step_with_an_x_that_it_has", async () => {
  const { end, find, move } = show({ x: -1 });
  await move("step", 5);
  await move("program", "xlogx", "change");
  expect(find("words").textContent).toBe("Forward, line 2: x.log() = 0.");
  expect(find("rows").querySelectorAll("tr").length).toBe(7);
  await move("program", "softplus", "change");
  await move("x", 7);
  expect(find("anomaly").textContent).toContain("ExpBackward0 returned nan");
  end();
});

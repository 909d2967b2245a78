/** Views on a page without a kernel. */
import { afterEach, expect, test } from "vitest";
import { showPage } from "../src/index";
import { RecordedModel } from "../src/page";
import { gradients } from "./gradient_memory_samples";
import { tensor } from "./tensor_samples";

afterEach(() => document.body.replaceChildren());

test("page_draws_every_view_in_order", () => {
  showPage(document.body, [
    { view: "gradient", data: gradients(5), frozen: true, status: "" },
    { view: "tensor", data: tensor([2, 3]), frozen: true, status: "" },
  ]);
  const names = [...document.querySelectorAll(".edt-name")].map((e) => e.textContent);
  expect(names).toEqual(["Gradients", "Tensor"]);
});

test("slice_that_was_not_recorded_is_not_waited_for", () => {
  const data = tensor([3, 2, 2]);
  if (data.value) data.value.grid.values = [0, 1, 2, 3];
  showPage(document.body, [{ view: "tensor", data, frozen: true, status: "" }]);
  const slider = document.querySelector(".edt-slicer input") as HTMLInputElement;
  slider.value = "2";
  slider.dispatchEvent(new Event("input"));
  const words = document.querySelector(".edt-readout")?.textContent;
  expect(words).toBe("This slice was not recorded.");
});

test("recorded_model_tells_listeners_until_they_leave", () => {
  const model = new RecordedModel({ at: 0 });
  let heard = 0;
  const listener = () => {
    heard++;
  };
  model.on("change:at", listener);
  model.set("at", 1);
  model.off("change:at", listener);
  model.set("at", 2);
  model.save_changes();
  model.send();
  expect([heard, model.get("at")]).toEqual([1, 2]);
});

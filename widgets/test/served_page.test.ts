/** Views of a program that serves its page. */
import { afterEach, expect, test, vi } from "vitest";
import bundle from "../src/index";
import { follow, ServedModel } from "../src/served_page";
import { tensor } from "./tensor_samples";

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

test("served_model_posts_what_the_page_changed_and_not_what_it_was_told", () => {
  const posted: unknown[] = [];
  const model = new ServedModel({ at: 0, data: 1 }, (message) => posted.push(message));
  const heard: unknown[] = [];
  model.on("change:data", () => heard.push(model.get("data")));
  model.on("msg:custom", ((content: unknown) => heard.push(content)) as never);
  model.update({ data: 2 });
  model.hear({ ack: 1 });
  model.set("at", 3);
  model.save_changes();
  model.send({ cmd: "hello" });
  expect(heard).toEqual([2, { ack: 1 }]);
  expect(posted).toEqual([
    { method: "update", state: { at: 3 } },
    { method: "custom", content: { cmd: "hello" } },
  ]);
});

/** The browser's EventSource, whose events a test sends. */
class FakeStream {
  static last: FakeStream;
  onopen?: () => void;
  onerror?: () => void;
  onmessage?: (event: { data: string }) => void;

  constructor(readonly address: string) {
    FakeStream.last = this;
  }
}

test("page_of_a_program_draws_views_as_they_come_and_says_when_it_ends", () => {
  const posted: unknown[] = [];
  vi.stubGlobal("EventSource", FakeStream);
  vi.stubGlobal("fetch", (address: string, { body }: { body: string }) => {
    posted.push([address, JSON.parse(body)]);
    return Promise.resolve();
  });
  const main = document.createElement("main");
  document.body.append(main);
  follow(bundle.render, main, "se cret");
  const stream = FakeStream.last;
  expect(stream.address).toBe("/events?token=se%20cret");
  const data = tensor([3, 2, 2]);
  if (data.value) data.value.grid.values = [0, 1, 2, 3]; // the first slice
  const states = { w0: { view: "tensor", data, frozen: false, status: "" } };
  stream.onmessage?.({ data: JSON.stringify({ states }) });
  stream.onmessage?.({ data: JSON.stringify({ states: { w0: { status: "note" } } }) });
  expect(document.querySelectorAll(".edutorch-tensor").length).toBe(1);
  expect(document.querySelector(".edt-alert")?.textContent).toBe("note");
  const slider = document.querySelector(".edt-slicer input") as HTMLInputElement;
  slider.value = "2";
  slider.dispatchEvent(new Event("input"));
  expect(posted).toEqual([
    ["/w0?token=se%20cret", { method: "update", state: { at: 2 } }],
  ]);
  stream.onerror?.();
  expect(document.querySelector("[role=status]")?.textContent).toMatch(/ended/);
  stream.onopen?.();
  expect(document.querySelector("[role=status]")?.textContent).toBe("");
});

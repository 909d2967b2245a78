import { expect, test } from "vitest";
import course from "../src/course/index";
import { FakeModel } from "./fake_model";

test("unknown_interaction_is_named_in_the_error", () => {
  const model = new FakeModel({ view: "no such thing", data: {} });
  const el = document.createElement("div");
  expect(() => course.render({ model, el })).toThrow("no such thing");
});

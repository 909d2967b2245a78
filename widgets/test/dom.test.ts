/** Names of buttons. */
import { expect, test } from "vitest";
import { button } from "../src/dom";

const nameOf = (face: string, label: string) =>
  button(face, label).getAttribute("aria-label");

test("name_of_a_button_has_the_words_that_are_seen", () => {
  expect(nameOf("Reset", "Back to the start")).toBe("Reset: Back to the start");
  expect(nameOf("❚❚ Stop", "Hold on")).toBe("Stop: Hold on");
});

test("label_that_says_the_words_is_the_name", () => {
  expect(nameOf("Step", "One step")).toBe("One step");
  expect(nameOf("❚❚ Pause", "Pause training")).toBe("Pause training");
});

test("face_of_a_sign_alone_is_named_by_the_label", () => {
  expect(nameOf("▲", "The unit above")).toBe("The unit above");
});

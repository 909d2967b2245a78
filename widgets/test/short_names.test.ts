import { expect, test } from "vitest";
import { SHORTENED, shortenPrivates } from "../short_names.mjs";

const SOURCE = `
export class Chart {
  private readonly marks = 3;
  private static async load() {}
  shown = 1;

  constructor(
    private readonly model: Model,
    marks: number,
  ) {
    this.marks = marks;
  }

  private get total(): number {
    const { marks, shown } = this;
    return marks + shown + this.model.marks + { marks }.marks;
  }
}
`;

test("private_member_when_built_is_renamed_where_it_is_declared_and_read", () => {
  const built = shortenPrivates(SOURCE);
  for (const part of ["readonly $_marks = 3", "static async $_load()"])
    expect(built).toContain(part);
  expect(built).toContain("this.$_marks = marks;");
  expect(built).toContain("{ $_marks: marks, shown } = this;");
  expect(built).toContain("private get $_total()");
  expect("$_total").toMatch(SHORTENED);
});

test("members_of_others_and_of_constructors_when_built_keep_their_names", () => {
  const built = shortenPrivates(SOURCE);
  expect(built).toContain("this.model.marks + { marks }.marks");
  expect(built).toContain("private readonly model: Model,\n    marks: number");
  expect(shortenPrivates("const marks = this.marks;")).toBe(
    "const marks = this.marks;",
  );
});

import { expect, test } from "vitest";
import { SHORTENED, shortenPrivates } from "../short_names.mjs";

const SOURCE = `
export class Chart {
  private readonly marks = 3;
  private static async load() {}
  shown = 1;

  constructor(
    private readonly model: Model,
    private readonly axis: Axis,
    marks: number,
  ) {
    this.marks = marks;
    follow(model, { axis: this.axis });
  }

  private get total(): number {
    const { marks, shown } = this;
    return marks + shown + this.model.marks + { marks }.marks;
  }
}

class Empty {
  constructor(private readonly close: () => void) {}
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

test("parameter_that_is_a_member_has_its_own_name_in_the_constructor_where_it_is_read", () => {
  const built = shortenPrivates(SOURCE);
  expect(built).toContain(
    "private readonly $_model: Model,\n    private readonly $_axis",
  );
  expect(built).toContain(") {\n    const model = $_model;\n    this.$_marks = marks;");
  expect(built).toContain("follow(model, { axis: this.$_axis });");
  expect(built).toContain("constructor(private readonly $_close: () => void) {}");
});

test("members_of_others_when_built_keep_their_names", () => {
  const built = shortenPrivates(SOURCE);
  expect(built).toContain("this.$_model.marks + { marks }.marks");
  expect(built).toContain("marks: number,\n  ) {");
  expect(shortenPrivates("const marks = this.marks;")).toBe(
    "const marks = this.marks;",
  );
});

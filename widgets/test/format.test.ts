import { expect, test } from "vitest";
import * as format from "../src/format";

test("number_keeps_three_digits", () => {
  const cases: [number | null, string][] = [
    [0, "0"],
    [0.012345, "0.0123"],
    [1234.5, "1230"],
    [3.14159e-9, "3.14e-09"],
    [1.125, "1.13"],
    [-2.125, "-2.13"],
    [2 ** -13 + 2 ** -14, "1.83e-04"],
    [-2e7, "-2.00e+07"],
    [Number.NaN, "nan"],
    [Number.NEGATIVE_INFINITY, "-inf"],
    [null, "–"],
  ];
  for (const [value, text] of cases) expect(format.number(value)).toBe(text);
});

test("bytes_count_in_1024", () => {
  expect([0, 1023, 1536, 200 * 2 ** 20, null].map(format.bytes)).toEqual([
    "0 B",
    "1023 B",
    "1.5 KB",
    "200 MB",
    "–",
  ]);
});

test("percentages_are_whole_and_0_and_100_exact", () => {
  expect([0, 1e-9, 0.004, 0.005, 0.43, 0.999, 1].map(format.percent)).toEqual([
    "0%",
    "<1%",
    "<1%",
    "1%",
    "43%",
    ">99%",
    "100%",
  ]);
});

test("duration_takes_a_fitting_unit", () => {
  expect([12.5, 1500, 2.5e6].map(format.duration)).toEqual([
    "12.5 µs",
    "1.5 ms",
    "2.5 s",
  ]);
});

test("powers_of_ten_are_plain_where_they_are_short", () => {
  const texts = [-8, -4, -2, 0, 2, 6].map(format.powerOfTen);
  expect(texts).toEqual(["1e-08", "0.0001", "0.01", "1", "100", "1e+06"]);
});

test("clip_counts_wide_letters_twice_and_splits_no_character", () => {
  expect(format.clip("conv2d", 10)).toBe("conv2d");
  expect(format.clip("abcdefgh", 5)).toBe("abcd…");
  expect(format.clip("漢字漢字漢字", 6)).toBe("漢字…");
  expect(format.clip("😀😀😀", 4)).toBe("😀…");
});

test("clipStart_keeps_the_end", () => {
  expect(format.clipStart("layers.0.weight", 8)).toBe("….weight");
  expect(format.clipStart("weight", 8)).toBe("weight");
});

test("titles_read_like_a_printed_module", () => {
  expect(format.moduleTitle("features.0", "Conv2d", 1)).toBe("(0): Conv2d");
  expect(format.moduleTitle("cell", "", 3)).toBe("(cell) #3");
  expect(format.moduleTitle("heads.1", "Linear", 1, "")).toBe("(heads.1): Linear");
  expect(format.moduleTitle("a.heads.1", "", 1, "a")).toBe("(heads.1)");
  expect(format.repeatTitle(["b.0", "b.1", "b.2"], "Block")).toBe("(0–2): Block ×3");
  expect(format.moduleTitle("Net", "Net", 1)).toBe("Net");
  expect(format.moduleTitle("Net_2", "Net", 1)).toBe("Net 2");
  expect(format.shapeText([])).toBe("scalar");
});

test("clipTitle_keeps_how_often_a_module_is_repeated", () => {
  const title = "(0-11): TransformerEncoderLayer ×12";
  expect(format.clipTitle(title, 20)).toBe("(0-11): Transfo… ×12");
  expect(format.clipTitle(title, 40)).toBe(title);
  expect(format.clipTitle("(0): TransformerEncoderLayer", 12)).toBe("(0): Transf…");
});

test("sample_is_told_by_its_rows_and_columns", () => {
  expect(format.sampleWords([29, 1])).toBe("every 29th row, all columns");
  expect(format.sampleWords([2, 3])).toBe("every 2nd row, every 3rd column");
  expect(format.sampleWords([11, 121])).toBe("every 11th row, every 121st column");
});

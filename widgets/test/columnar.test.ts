/** What Python packs is read back whole. */
import { expect, test } from "vitest";
import { decodeRows } from "../src/columnar";
import { toGraph } from "../src/graph_state";
import columnar from "./columnar.json?raw";
import lenet from "./fixtures/lenet.json?raw";

test("what_python_packs_is_read_back", () => {
  const { data } = JSON.parse(lenet);
  const nodes = JSON.parse(columnar);
  expect(decodeRows(nodes)).toEqual(data.nodes);
  expect(toGraph({ ...data, nodes })).toEqual(data);
});

test("records_that_are_not_packed_stay_as_they_are", () => {
  const rows = [{ id: "a" }];
  expect(decodeRows(rows)).toBe(rows);
});

test("missing_records_are_null", () => {
  const rows = { n: 2, columns: { x: { all: [5] } } };
  const columns = { a: { has: [false, true], rows: { ...rows, n: 1 } } };
  expect(decodeRows({ n: 2, columns })).toEqual([{ a: null }, { a: { x: 5 } }]);
});

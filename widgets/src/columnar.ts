/** Decodes records written column by column by `edutorch/widgets/columnar.py`. */

type Row = Record<string, unknown>;

/** One of: a value each; indices into a list of distinct values; records or null. */
interface Column {
  all?: unknown[];
  of?: unknown[];
  at?: number[];
  has?: boolean[];
  rows?: Packed;
}

export interface Packed {
  n: number;
  columns: Record<string, Column>;
}

/** Decode the records; a list of records is returned unchanged. */
export function decodeRows(given: unknown): Row[] {
  if (Array.isArray(given)) return given;
  const { n, columns } = given as Packed;
  const rows: Row[] = Array.from({ length: n }, () => ({}));
  for (const [key, column] of Object.entries(columns))
    valuesOf(column).forEach((value, i) => {
      rows[i][key] = value;
    });
  return rows;
}

function valuesOf({ all, of, at, has, rows }: Column): unknown[] {
  if (of && at) return at.map((i) => of[i]);
  if (!has || !rows) return all ?? [];
  const records = decodeRows(rows).values();
  return has.map((here) => (here ? records.next().value : null));
}

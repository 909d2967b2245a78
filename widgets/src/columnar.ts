/** Records written column by column; `edutorch/widgets/columnar.py` writes them so. */

type Row = Record<string, unknown>;

/** One of: what each holds; places in a list of what recurs; records, where any. */
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

/** The records again; a list of them is returned as it is. */
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

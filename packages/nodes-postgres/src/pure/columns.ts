/** Rows turned into columns, as `unnest` takes them: one array per column, in the order of the names. */
export function columns<T>(rows: readonly T[], ...pick: readonly ((row: T) => unknown)[]): unknown[][] {
  return pick.map((value) => rows.map((row) => value(row) ?? null))
}

/**
 * Rows turned into columns, as `unnest` takes them: one array per column, in the order of the names. A column that says
 * nothing is no array at all: the server unpacks every array it is given, and looks at what is null for nothing.
 */
export function columns<T>(rows: readonly T[], ...pick: readonly ((row: T) => unknown)[]): (unknown[] | null)[] {
  return pick.map((value) => {
    const column = rows.map((row) => value(row) ?? null)
    return column.some((each) => each !== null) ? column : null
  })
}

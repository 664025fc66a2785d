import { arrayBytes, type ElementOf, type ElementType } from './array-bytes.ts'

/** The type of the column's elements, and where a row has one. */
export type Column<T> = {
  readonly [E in ElementType]: readonly [E, (row: T) => ElementOf[E] | null | undefined]
}[ElementType]

/**
 * Rows turned into columns, as `unnest` takes them: one array per column, in the order given, in the server's binary form.
 * A column that says nothing is no array at all: the server unpacks every array it is given, and looks at what is null for
 * nothing.
 */
export function columns<T>(rows: readonly T[], ...pick: readonly Column<T>[]): (Buffer | null)[] {
  return pick.map((column) => columnBytes(rows, column))
}

function columnBytes<T, E extends ElementType>(
  rows: readonly T[],
  [type, value]: readonly [E, (row: T) => ElementOf[E] | null | undefined],
): Buffer | null {
  const column = rows.map((row) => value(row) ?? null)
  return column.some((each) => each !== null) ? arrayBytes(column, type) : null
}

/**
 * Tables of bytes for derived data whose layout another package decides, such as an index of notes. A store gives them transactions,
 * consistent reads and order by number, and knows nothing of what is in them. Everything in them can be made again.
 */

/** What is in the tables at one moment. */
export interface ByteRows {
  /** Changes with every write, also by other processes. Equal revisions mean equal rows. */
  readonly revision: string
  get(table: string, row: number): Uint8Array | undefined
  /** The numbers of the rows from `from` to before `to`, in ascending order. */
  numbers(table: string, from?: number, to?: number): readonly number[]
  /** The same rows with their bytes. */
  range(table: string, from?: number, to?: number): Iterable<readonly [row: number, bytes: Uint8Array]>
}

/** The same within a write. */
export interface WritableByteRows extends ByteRows {
  put(table: string, row: number, bytes: Uint8Array): void
  /** Deletes the rows from `from` to before `to` (default: one row). */
  delete(table: string, from: number, to?: number): void
  /** Empties all tables of the space. */
  clear(): void
}

/** Tables of bytes in named spaces. A table has a name of lower-case letters; its rows are numbered by integers from 0 to 2^53 - 1. */
export interface ByteTables {
  /** Calls `look` on one state. It is synchronous, because an index reads many rows for one question. */
  read<T>(space: string, look: (rows: ByteRows) => T): T
  /**
   * Calls `change` in one transaction, while no other process writes. If it throws, nothing is written. With `erase`, nothing of deleted
   * rows remains in the store's files.
   */
  write<T>(space: string, change: (rows: WritableByteRows) => T, options?: { readonly erase?: boolean }): Promise<T>
  close(): Promise<void>
}

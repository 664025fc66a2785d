/** `ByteTables` in memory: the reference that others are compared with, and the index of notes for tests. */
import type { ByteRows, ByteTables, WritableByteRows } from '@agentm/nodes/store-kit'

/** Tables of bytes in memory, for tests. */
export function createInMemoryTables(): ByteTables {
  const spaces = new Map<string, Space>()
  return {
    read: (space, look) => look(rowsOf(spaces.get(space) ?? emptySpace)),
    write: async (space, change) => {
      const before = spaces.get(space) ?? emptySpace
      const next = { revision: before.revision + 1, tables: new Map(before.tables) }
      const answer = change(writableRowsOf(next))
      spaces.set(space, next)
      return answer
    },
    close: async () => {},
  }
}

interface Space {
  readonly revision: number
  readonly tables: Map<string, ReadonlyMap<number, Uint8Array>>
}

const emptySpace: Space = { revision: 0, tables: new Map() }

function rowsOf({ revision, tables }: Space): ByteRows {
  const get = (table: string, row: number) => tables.get(table)?.get(row)?.slice()
  const numbers = (table: string, from = 0, to = Infinity) =>
    [...(tables.get(table)?.keys() ?? [])].filter((row) => row >= from && row < to).toSorted((a, b) => a - b)
  return {
    revision: String(revision),
    get,
    numbers,
    range: (table, from, to) =>
      numbers(table, from, to).map((row) => [row, get(table, row) ?? new Uint8Array()] as const),
  }
}

function writableRowsOf(space: Space): WritableByteRows {
  const own = new Set<string>()
  // A table is copied at its first change, so that a write that throws changes nothing.
  const changing = (table: string): Map<number, Uint8Array> => {
    const rows = own.has(table)
      ? (space.tables.get(table) as Map<number, Uint8Array>)
      : new Map(space.tables.get(table))
    own.add(table)
    space.tables.set(table, rows)
    return rows
  }
  return {
    ...rowsOf(space),
    put: (table, row, bytes) => void changing(table).set(row, bytes.slice()),
    delete: (table, from, to = from + 1) => {
      const rows = changing(table)
      for (const row of rows.keys()) if (row >= from && row < to) rows.delete(row)
    },
    clear: () => space.tables.clear(),
  }
}

import { describe, expect, it } from 'vitest'
import type { Database } from '../src/database.ts'
import { loadSqlite } from '../src/load-sqlite.ts'
import { providePow } from '../src/provide-pow.ts'

describe('pow, where a build of SQLite has none', () => {
  it.each(['2.0, -1.0', '2.0, -0.3', '2.0, -40.0', '2.0, 0.0', '2.0, null', 'null, 1.0'])(
    'is what the built-in one answers for (%s)',
    async (values) => {
      const ours = await answers(values, (database) => providePow(withoutPow(database)))
      expect(ours).toEqual(await answers(values, providePow))
    },
  )
})

async function answers(values: string, prepare: (database: Database) => void) {
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(':memory:')
  try {
    prepare(database)
    return database.prepare(`select pow(${values}) as pow`).get()
  } finally {
    database.close()
  }
}

/** Says of its `pow` what SQLite says of a function it does not know. */
function withoutPow(database: Database): Database {
  return {
    exec: (sql) => database.exec(sql),
    function: (name, options, call) => database.function(name, options, call),
    close: () => database.close(),
    prepare() {
      throw new Error('no such function: pow')
    },
  }
}

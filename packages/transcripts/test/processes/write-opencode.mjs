// @ts-check
/** Writes the sample session of opencode into a database, for tests of other packages: `node write-opencode.mjs FILE`. */
import { readFileSync } from 'node:fs'

/** @typedef {Readonly<Record<string, string | number | null>>} Row */

const [, , file = ''] = process.argv
/** @type {Readonly<Record<'session' | 'message' | 'part', readonly Row[]>> & { readonly schema: readonly string[] }} */
const rows = JSON.parse(readFileSync(new URL('../samples/opencode/rows.json', import.meta.url), 'utf8'))
const builtin = process.getBuiltinModule?.('node:sqlite')
const { DatabaseSync } = /** @type {typeof import('@photostructure/sqlite')} */ (
  builtin ?? (await import('@photostructure/sqlite'))
)
const database = new DatabaseSync(file)
// The sample has no rows of the tables around these.
database.exec('PRAGMA foreign_keys = OFF')
for (const sql of rows.schema) database.exec(sql)
for (const table of /** @type {const} */ (['session', 'message', 'part']))
  for (const row of rows[table]) {
    const places = Object.keys(row).map(() => '?')
    const sql = `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`
    database.prepare(sql).run(...Object.values(row))
  }
database.close()

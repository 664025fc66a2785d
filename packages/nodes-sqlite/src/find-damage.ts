/** Describes damaged pages of a file in words; an empty list if it is undamaged. Reads every page and changes nothing. */
import { isNodesError } from '@agentm/nodes'
import type { Row } from './database.ts'

const mostProblems = 20

/** `read` returns the rows of a query; `schema` is the name under which the file is attached. */
export function findDamage(read: (sql: string) => readonly Row[], schema: string): readonly string[] {
  const check = (what: string) => `select integrity_check as line from pragma_integrity_check(${what}, '${schema}')`
  const whole = problemsIn(read, check('null'))
  if (whole.length === 0) return []
  // A check of the whole file stops at the first unreadable page. Checking one table at a time names all damaged ones.
  const named = tablesIn(read, schema).flatMap((table) =>
    problemsIn(read, check(`'${table.replaceAll("'", "''")}'`)).map((line) => `${table}: ${line}`),
  )
  return (named.length === 0 ? whole : named).slice(0, mostProblems)
}

function problemsIn(read: (sql: string) => readonly Row[], check: string): readonly string[] {
  try {
    const lines = read(check).flatMap(({ line }) => String(line).split('\n'))
    return lines.filter((line) => line !== 'ok' && !line.startsWith('***'))
  } catch (error) {
    if (isNodesError(error, 'CORRUPT_STORE')) return ['a page of it cannot be read']
    throw error
  }
}

function tablesIn(read: (sql: string) => readonly Row[], schema: string): readonly string[] {
  try {
    // A full-text index is checked through the tables that store it.
    const query = `select name from ${schema}.sqlite_master where type = 'table' and rootpage > 0 order by name`
    return read(query).map(({ name }) => String(name))
  } catch (error) {
    if (isNodesError(error, 'CORRUPT_STORE')) return []
    throw error
  }
}

/** The database of opencode since version 1.2: tables `session`, `message` and `part`, whose column `data` is JSON. */
import type { OpenDatabase, ReadOnlyDatabase } from './host-surroundings.ts'
import type { OpencodeStore } from './opencode-store.ts'
import { opencodeSessionOfRow } from './pure/opencode/opencode-session.ts'
import { field, firstText, parseObject, type JsonObject } from './pure/json-object.ts'
import type { SessionSource } from './session-source.ts'

const messagesAtOnce = 100

/** Opens the database of opencode. */
export async function openOpencodeDatabase(
  file: string,
  { openDatabase, maxRecordBytes }: { readonly openDatabase: OpenDatabase; readonly maxRecordBytes: number },
): Promise<OpencodeStore> {
  const database = await openDatabase(file)
  return {
    session: async (id) => {
      const [row] = database.all('SELECT * FROM session WHERE id = ?', id)
      return row === undefined ? undefined : opencodeSessionOfRow(row as JsonObject)
    },
    messages: async (session, from) =>
      messageRows(database, session, from).flatMap((row) => {
        const data = parseObject(firstText(row, 'data') ?? '') ?? {}
        const id = firstText(row, 'id') ?? ''
        return [{ key: { at: Number(row['time_created'] ?? 0), id }, data: { ...data, id } }]
      }),
    parts: async (message) =>
      database.all(partQuery, maxRecordBytes, message).map((row) => ({
        id: text(row['id']),
        text: row['data'] === null ? undefined : text(row['data']),
        bytes: Number(row['bytes'] ?? 0),
      })),
    close: async () => {
      database.close()
    },
  }
}

/** The sessions of a database. */
export async function opencodeDatabaseSessions(
  file: string,
  { openDatabase, name }: { readonly openDatabase: OpenDatabase; readonly name: string },
): Promise<readonly SessionSource[]> {
  const database = await openDatabase(file)
  try {
    const rows = database.all('SELECT id, parent_id, time_updated FROM session') as readonly JsonObject[]
    return rows.map((row) => {
      const id = firstText(row, 'id') ?? ''
      const parent = firstText(row, 'parent_id')
      const whose = parent === undefined ? { session: id } : { session: parent, agent: id }
      return { host: 'opencode', source: `${name}/${id}`, ...whose, changedAt: Number(field(row, 'time_updated') ?? 0) }
    })
  } finally {
    database.close()
  }
}

const partQuery = `SELECT id, length(CAST(data AS BLOB)) AS bytes,
  CASE WHEN length(CAST(data AS BLOB)) <= ? THEN data END AS data FROM part WHERE message_id = ? ORDER BY id`

function messageRows(
  database: ReadOnlyDatabase,
  session: string,
  from: { readonly at: number; readonly id: string } | undefined,
): readonly JsonObject[] {
  const { at, id } = from ?? { at: -1, id: '' }
  const query = `SELECT id, time_created, data FROM message WHERE session_id = ?
    AND (time_created > ? OR (time_created = ? AND id >= ?)) ORDER BY time_created, id LIMIT ${messagesAtOnce}`
  return database.all(query, session, at, at, id) as readonly JsonObject[]
}

/** A column that holds no text, which no version of opencode writes, becomes an unknown record. */
function text(value: unknown): string {
  return typeof value === 'string' ? value : `not text: ${typeof value}`
}

/** A session of opencode in the form of its files, from a row of its database. */
import { field, firstText, objectOf, parseObject, type JsonObject } from '../json-object.ts'

/** The fields of a session that are read, in the same form from a row and from a file. */
export function opencodeSessionOfRow(row: JsonObject): JsonObject {
  const revert = parseObject(firstText(row, 'revert') ?? '')
  return opencodeSession({
    id: row['id'],
    parentID: row['parent_id'],
    directory: row['directory'],
    title: row['title'],
    version: row['version'],
    revert,
    time: { updated: row['time_updated'] },
  })
}

/** The fields of a session that are read. */
export function opencodeSession(session: JsonObject): JsonObject {
  const { id, parentID, directory, title, version, revert, time } = session
  const messageID = field(objectOf(revert), 'messageID')
  const updated = field(objectOf(time), 'updated')
  return { id, parentID, directory, title, version, revert: { messageID }, time: { updated } }
}

/** The fields of a message that are read; its other fields can be long and say what its parts say. */
export function opencodeMessage(message: JsonObject): JsonObject {
  const { id, role, modelID, summary, error, time } = message
  return { id, role, modelID, summary: summary === true, error, time }
}

/** True if nothing is added to a message any more. */
export function isOver(
  message: JsonObject,
  { parts, isLast }: { readonly parts: number; readonly isLast: boolean },
): boolean {
  if (!isLast) return true
  if (message['role'] === 'user') return parts > 0
  const completed = field(objectOf(message['time']), 'completed')
  return typeof completed === 'number' || objectOf(message['error']) !== undefined
}

/** True if a part of a message that is still written is complete itself. */
export function isPartOver(part: JsonObject): boolean {
  const type = part['type']
  const status = field(objectOf(part['state']), 'status')
  if (type === 'tool') return status === 'completed' || status === 'error'
  if (type !== 'text' && type !== 'reasoning') return true
  return typeof field(objectOf(part['time']), 'end') === 'number'
}

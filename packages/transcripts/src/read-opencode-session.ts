/**
 * Reads a session of opencode. Its messages and parts are changed until they are complete, so only complete ones are given: reading stops
 * before the first that is still written, and continues there the next time.
 */
import { textPrint } from './file-print.ts'
import type { OpencodeMessage, OpencodePart, OpencodeStore } from './opencode-store.ts'
import { isOver, isPartOver, opencodeMessage } from './pure/opencode/opencode-session.ts'
import { recordText, firstText, parseObject, type JsonObject } from './pure/json-object.ts'
import type { SessionIdentity } from './pure/transcript-parser.ts'
import type { SessionRead } from './read-session.ts'
import type { SessionBatch } from './session-batch.ts'
import type { CursorPlace, RowKey, SessionCursor } from './session-cursor.ts'
import { SessionFold } from './session-fold.ts'
import { SessionAbsentError } from './transcript-errors.ts'

type Rows = Extract<CursorPlace, { readonly form: 'rows' }>

/** The batches from the cursor to the last complete part. */
export async function* readOpencodeSession(
  store: OpencodeStore,
  read: SessionRead,
  id: string,
): AsyncIterable<SessionBatch> {
  const session = await store.session(id)
  if (session === undefined) throw new SessionAbsentError(read.source)
  const { place: begin, cursor, restarted } = await beginning(store, read, id)
  const fold = new SessionFold(read, cursor, await identityOf(store, session, id))
  const print = textPrint(recordText(session))
  let place: Rows = { ...begin, session: print }
  if (restarted || print !== begin.session) fold.add({ text: recordText({ session }), number: fold.records + 1 })
  if (restarted) yield fold.batch(place, true)
  for await (const step of completeRows(store, id, place)) {
    read.signal?.throwIfAborted()
    fold.add({ ...step.record, number: fold.records + 1 })
    place = { form: 'rows', session: print, ...step.place }
    if (fold.isFull) yield fold.batch(place, false)
  }
  if (!fold.isEmpty) yield fold.batch(place, false)
}

interface Beginning {
  readonly place: Rows
  readonly cursor: SessionCursor | undefined
  readonly restarted: boolean
}

/** A message that was taken back is deleted; if that of the cursor is gone, the session is read from its first record. */
async function beginning(store: OpencodeStore, { cursor }: SessionRead, id: string): Promise<Beginning> {
  const empty: Rows = { form: 'rows', session: '' }
  if (cursor === undefined) return { place: empty, cursor, restarted: false }
  const anew = { place: empty, cursor: undefined, restarted: true }
  const { at } = cursor
  if (at.form !== 'rows') return anew
  if (at.message === undefined) return { place: at, cursor, restarted: false }
  const [found] = await store.messages(id, at.message)
  return found?.key.id === at.message.id ? { place: at, cursor, restarted: false } : anew
}

/** A sub-agent has a session of its own, whose parent is that of the agent that asked it. */
async function identityOf(store: OpencodeStore, session: JsonObject, id: string): Promise<SessionIdentity> {
  let root = session
  for (let depth = 0; depth < 32; depth += 1) {
    const parent = firstText(root, 'parentID')
    const next = parent === undefined ? undefined : await store.session(parent)
    if (next === undefined) break
    root = next
  }
  const first = firstText(root, 'parentID') ?? firstText(root, 'id') ?? id
  return first === id ? { session: id } : { session: first, agent: id }
}

interface Step {
  readonly record: { readonly text: string; readonly tooLong?: number }
  readonly place: { readonly message: RowKey; readonly part?: string; readonly isEnded?: boolean }
}

async function* completeRows(store: OpencodeStore, id: string, from: Rows): AsyncIterable<Step> {
  let key = from.message
  let part = from.part
  let isEnded = from.isEnded === true
  for (;;) {
    const page = await store.messages(id, key)
    const messages = isEnded ? page.slice(1) : page
    if (messages.length === 0) return
    // The last one of a page is looked at again with the next page, because only the next page shows whether another message follows.
    for (const [index, message] of messages.entries()) {
      const isLast = index === messages.length - 1
      if (isLast && messages.length > 1) break
      const isComplete = yield* completeParts(store, message, { after: part, isLast })
      if (!isComplete) return
      part = undefined
      key = message.key
      isEnded = true
    }
    const last = messages.at(-1)
    if (messages.length === 1 || last === undefined) return
    key = last.key
    isEnded = false
  }
}

/** The parts of a message that are complete; true if the message is complete, too. */
async function* completeParts(
  store: OpencodeStore,
  { key, data }: OpencodeMessage,
  { after, isLast }: { readonly after: string | undefined; readonly isLast: boolean },
): AsyncGenerator<Step, boolean> {
  const parts = await store.parts(key.id)
  const isComplete = isOver(data, { parts: parts.length, isLast })
  const message = opencodeMessage(data)
  for (const part of parts) {
    if (after !== undefined && part.id <= after) continue
    const value = part.text === undefined ? undefined : parseObject(part.text)
    if (!isComplete && value !== undefined && !isPartOver(value)) return false
    yield { record: partRecord(part, message, value), place: { message: key, part: part.id } }
  }
  if (isComplete) yield { record: { text: recordText({ message }) }, place: { message: key, isEnded: true } }
  return isComplete
}

function partRecord(part: OpencodePart, message: JsonObject, value: JsonObject | undefined): Step['record'] {
  if (part.text === undefined) return { text: '', tooLong: part.bytes }
  return { text: value === undefined ? part.text : recordText({ message, part: { ...value, id: part.id } }) }
}

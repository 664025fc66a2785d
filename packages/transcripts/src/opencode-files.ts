/** The files of opencode before version 1.2: `storage/session/<project>/<id>.json`, `storage/message/<session>/`, `storage/part/<message>/`. */
import { join } from 'node:path'
import type { OpencodeMessage, OpencodePart, OpencodeStore } from './opencode-store.ts'
import { opencodeSession } from './pure/opencode/opencode-session.ts'
import { field, firstText, numberOf, objectOf, parseObject } from './pure/json-object.ts'
import type { RowKey } from './session-cursor.ts'
import type { TranscriptFiles } from './transcript-files.ts'

const messagesAtOnce = 100

/** Where the files are, and which is that of the session. */
export interface OpencodePlace {
  readonly files: TranscriptFiles
  readonly root: string
  /** The file of the session, relative to the root. */
  readonly session: string
  readonly maxRecordBytes: number
}

/** The files of one session. */
export function openOpencodeFiles(place: OpencodePlace): OpencodeStore {
  const at = (...parts: readonly string[]) => join(place.root, 'storage', ...parts)
  let names: readonly string[] | undefined
  return {
    session: async (id) => {
      const own = place.session.split('/')
      const text = await readText(place, join(place.root, ...own.slice(0, -1), `${id}.json`))
      const session = text?.text === undefined ? undefined : parseObject(text.text)
      return session === undefined ? undefined : opencodeSession(session)
    },
    messages: async (session, from) => {
      names ??= await jsonNames(place.files, at('message', session))
      return readMessages(place, { names, from, directory: at('message', session) })
    },
    parts: async (message) => {
      const directory = at('part', message)
      const parts: OpencodePart[] = []
      for (const name of await jsonNames(place.files, directory)) {
        const part = await readText(place, join(directory, name))
        if (part !== undefined) parts.push({ id: name.slice(0, -'.json'.length), ...part })
      }
      return parts
    },
    close: async () => {},
  }
}

/** The ids of opencode ascend with the time, so the order of the names is that of the messages. */
async function readMessages(
  place: OpencodePlace,
  {
    names,
    from,
    directory,
  }: { readonly names: readonly string[]; readonly from: RowKey | undefined; readonly directory: string },
): Promise<readonly OpencodeMessage[]> {
  const messages: OpencodeMessage[] = []
  for (const name of names) {
    const id = name.slice(0, -'.json'.length)
    if (from !== undefined && id < from.id) continue
    const text = await readText(place, join(directory, name))
    const data = parseObject(text?.text ?? '') ?? {}
    messages.push({
      key: { at: numberOf(field(objectOf(data['time']), 'created')) ?? 0, id },
      data: { ...data, id: firstText(data, 'id') ?? id },
    })
    if (messages.length >= messagesAtOnce) break
  }
  return messages
}

async function jsonNames(files: TranscriptFiles, directory: string): Promise<readonly string[]> {
  try {
    return (await files.list(directory)).filter((name) => name.endsWith('.json')).toSorted()
  } catch (error) {
    if ((error as { readonly code?: unknown } | null)?.code === 'ENOENT') return []
    throw error
  }
}

async function readText(
  { files, maxRecordBytes }: OpencodePlace,
  path: string,
): Promise<{ readonly text: string | undefined; readonly bytes: number } | undefined> {
  try {
    const file = await files.open(path)
    try {
      const { bytes } = await file.facts()
      const text = bytes > maxRecordBytes ? undefined : new TextDecoder().decode(await file.read(0, bytes))
      return { text, bytes }
    } finally {
      await file.close()
    }
  } catch (error) {
    if ((error as { readonly code?: unknown } | null)?.code === 'ENOENT') return undefined
    throw error
  }
}

/** What an import knows about the notes of the store: by the entry that a note was imported from, and by its text. */
import type { Locator } from '@agentm/storage-seam'
import type { MemoryContext } from '../memory-context.ts'
import { mostRecalledBytes } from '../index/pure/recalled-text.ts'
import { isUnreadable } from './is-unreadable.ts'
import { parsedNote } from './parsed-note.ts'
import { fingerprint } from './pure/fingerprint.ts'
import { type ImportDecision, importDecision, type KnownImport, originName } from './pure/import-decision.ts'
import { mayChange } from './pure/may-change.ts'
import { type Note, textField } from './pure/note.ts'
import { exclusionOf, isMarkdown } from './pure/note-place.ts'
import type { Author } from './pure/shown.ts'
import { readIfPresent } from './read-if-present.ts'

export class KnownImports {
  readonly #byOrigin = new Map<string, KnownImport>()
  readonly #byPrint = new Map<string, KnownImport>()

  add(note: KnownImport): void {
    if (note.origin !== undefined) this.#byOrigin.set(note.origin, note)
    if (note.isActive) this.#byPrint.set(note.print, note)
  }

  decide({ origin, print }: { readonly origin: string; readonly print: string }): ImportDecision {
    return importDecision(print, { own: this.#byOrigin.get(origin), same: this.#byPrint.get(print) })
  }
}

const readAtOnce = 64

/** Reads the notes below these directories. An unreadable one is passed over: an entry that it came from is then imported again. */
export async function knownImports(
  context: MemoryContext,
  { groups, by }: { readonly groups: readonly string[]; readonly by: Author | undefined },
): Promise<KnownImports> {
  const known = new KnownImports()
  for (const group of new Set(groups)) {
    const keys = await notesBelow(context, context.places.at(group))
    for (let i = 0; i < keys.length; i += readAtOnce) {
      const found = await Promise.all(keys.slice(i, i + readAtOnce).map((key) => knownNote(context, key, by)))
      for (const note of found) if (note !== undefined) known.add(note)
    }
  }
  return known
}

/** The keys of the notes below a directory, without the inbox and the archive. */
async function notesBelow(context: MemoryContext, directory: Locator): Promise<readonly string[]> {
  const { children } = await context.backend.listInfo(directory)
  const keys: string[] = []
  for (const child of children) {
    if ('refusal' in child) continue
    const { locator, isDir } = child
    if (exclusionOf(locator.key, { isDirectory: isDir }) !== undefined) continue
    if (isDir) keys.push(...(await notesBelow(context, locator)))
    else if (isMarkdown(locator.name) && child.size <= mostRecalledBytes) keys.push(locator.key)
  }
  return keys
}

async function knownNote(
  context: MemoryContext,
  key: string,
  by: Author | undefined,
): Promise<KnownImport | undefined> {
  const text = await readIfPresent(context.backend, context.places.at(key)).catch(unlessUnreadable)
  return text === undefined ? undefined : knownOf(await parsedNote(text, key), { key, by })
}

/** What to remember of a note. */
export function knownOf(
  note: Note,
  { key, by }: { readonly key: string; readonly by: Author | undefined },
): KnownImport {
  const [from, id, imported] = ['imported_from', 'imported_id', 'imported_hash'].map((name) =>
    textField(note.fields, name),
  )
  return {
    key,
    print: fingerprint(note.body),
    isActive: note.status === 'active',
    mayReplace: mayChange(note, { by }),
    ...(from === undefined || id === undefined ? {} : { origin: originName({ from, id }) }),
    ...(imported === undefined ? {} : { imported }),
  }
}

function unlessUnreadable(error: unknown): undefined {
  if (!isUnreadable(error)) throw error
}

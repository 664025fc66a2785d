/**
 * What agentm registered and did not unregister, stored beside the registry, which other programs write, too. Such a program reads
 * before it takes the lock, so it may overwrite the registry with an older copy. Entries that this loses are restored from the
 * journal.
 */
import { formatJson, type JsonObject, type JsonValue } from '@agentm/selection/reader'
import { RegistryCorruptError } from '../routing-errors.ts'
import { addBinding, bindingsOf, documentOf, entriesOf } from './repos-document.ts'

export const journalKey = '_meta/agentm-repos.json'

/** The registry with lost entries restored; `undefined` if no entry is lost, or if neither file exists. */
export function restored(registry: string | undefined, journal: string | undefined): string | undefined {
  if (journal === undefined) return registry
  const [known, gone] = inJournal(journal)
  const document = documentOf(registry)
  const entries = entriesOf(document)
  // Only agentm writes bindings. So an unregistered entry with bindings comes from an old copy, and one without was registered
  // again.
  const kept = entries.filter((entry) => !(gone.has(entry.get('slug')) && bindingsOf(entry).length > 0))
  let isWhole = kept.length === entries.length
  for (const entry of known) {
    const there = kept.find((each) => each.get('slug') === entry.get('slug'))
    if (there === undefined) kept.push(entry)
    if (there === undefined || addBindings(there, entry)) isWhole = false
  }
  if (isWhole) return registry
  document.set('repos', kept)
  return formatJson(document)
}

/** The journal after `slug` was registered: all bindings of the registry as it was written then. */
export function journaled(journal: string | undefined, registry: string, slug: string): string {
  const document = documentOf(journal)
  const [known, gone] = journal === undefined ? [[], new Set<JsonValue | undefined>()] : inJournal(journal)
  gone.delete(slug)
  const news = entriesOf(documentOf(registry)).filter(
    (entry) => entry.get('slug') === slug || (bindingsOf(entry).length > 0 && !gone.has(entry.get('slug'))),
  )
  // If a name has several entries, programs update the first one.
  const firsts = [...new Map(news.toReversed().map((entry) => [entry.get('slug'), entry])).values()].toReversed()
  for (const entry of firsts)
    for (const old of known) if (old.get('slug') === entry.get('slug')) addBindings(entry, old)
  const names = new Set(firsts.map((entry) => entry.get('slug')))
  document.set('repos', [...known.filter((entry) => !names.has(entry.get('slug'))), ...firsts])
  return withGone(document, gone)
}

/** The journal after `slug` was unregistered. */
export function unjournaled(journal: string | undefined, slug: string): string {
  const document = documentOf(journal)
  const [known, gone] = journal === undefined ? [[], new Set<JsonValue | undefined>()] : inJournal(journal)
  document.set(
    'repos',
    known.filter((entry) => entry.get('slug') !== slug),
  )
  return withGone(document, gone.add(slug))
}

export function isJournaled(journal: string | undefined, slug: string): boolean {
  return journal !== undefined && inJournal(journal)[0].some((entry) => entry.get('slug') === slug)
}

function inJournal(journal: string): [known: JsonObject[], gone: Set<JsonValue | undefined>] {
  try {
    const document = documentOf(journal)
    const gone = document.get('unregistered') ?? []
    if (!Array.isArray(gone)) throw new RegistryCorruptError('has "unregistered" that is not a list')
    return [entriesOf(document), new Set(gone)]
  } catch (error) {
    if (!(error instanceof RegistryCorruptError)) throw error
    throw new RegistryCorruptError(error.why, { file: journalKey, cause: error })
  }
}

function withGone(document: JsonObject, gone: ReadonlySet<JsonValue | undefined>): string {
  document.set(
    'unregistered',
    [...gone].filter((slug) => slug !== undefined),
  )
  return formatJson(document)
}

/** Returns whether a binding was added. */
function addBindings(entry: JsonObject, from: JsonObject): boolean {
  const there = bindingsOf(entry)
  const missing = bindingsOf(from).filter(
    ({ root, remote }) => !there.some((each) => each.root === root && each.remote === remote),
  )
  for (const each of missing) addBinding(entry, each)
  return missing.length > 0
}

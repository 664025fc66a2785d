/** Reads every note of the store and lists the problems. It changes nothing. */
import { isSeamError, type Locator } from '@agentm/storage-seam'
import { checkStoreMarker } from './check-store-marker.ts'
import type { MemoryContext } from '../memory-context.ts'
import { archiveName, placeOf } from './pure/note-place.ts'
import { lintNote, type LintedNote, type LintFinding, type LintReport } from './pure/lint-note.ts'
import { parseNote } from './pure/parse-note.ts'
import { mostRecalledBytes } from '../index/pure/recalled-text.ts'
import { scanNotes } from '../index/scan-notes.ts'

export async function lintNotes(context: MemoryContext): Promise<LintReport> {
  await checkStoreMarker(context.backend, context.storeId)
  const scan = await scanNotes(context)
  const archived = await notesBelow(context, context.places.at(`${await context.places.personal()}/${archiveName}`))
  const findings: LintFinding[] = scan.conflictCopies.map((key) => ({
    check: 'conflict-copy',
    severity: 'warn',
    key,
    message: 'a copy a sync program made; it is not recalled',
    suggestion: 'Merge it into its original by hand, then remove it.',
  }))
  for (const key of scan.unreadable) findings.push(unreadable(key, `${key} cannot be looked into now`))
  for (const key of scan.tooLarge)
    findings.push({
      check: 'unreadable',
      severity: 'warn',
      key,
      message: `it is larger than ${mostRecalledBytes / 1e6} MB, so it is not recalled`,
      suggestion: 'Split it into smaller notes, or rename it so that the name does not end in .md.',
    })
  const notes: LintedNote[] = []
  for (const key of [...scan.found.keys(), ...archived]) {
    const read = await readNote(context, key)
    if ('finding' in read) findings.push(read.finding)
    else notes.push(read)
  }
  const around = {
    statusOf: new Map(notes.map(({ key, note }) => [key, note.status])),
    stems: new Set(notes.map(({ stem }) => stem)),
  }
  const entries = notes.filter(({ note }) => note.isOwn || note.problem !== undefined)
  return {
    entries: entries.length,
    skipped: notes.length - entries.length,
    findings: [...findings, ...entries.flatMap((each) => lintNote(each, around))],
  }
}

async function readNote(
  { backend, places }: MemoryContext,
  key: string,
): Promise<LintedNote | { readonly finding: LintFinding }> {
  try {
    const note = parseNote(await backend.read(places.at(key)), key)
    return { key, stem: placeOf(key).stem, isArchived: key.split('/').includes(archiveName), note }
  } catch (error) {
    if (!isSeamError(error) || error.code === 'STORE_UNAVAILABLE') throw error
    return { finding: unreadable(key, error.message) }
  }
}

function unreadable(key: string, message: string): LintFinding {
  const suggestion = 'Repair it, or make it available offline.'
  return { check: 'unreadable', severity: 'error', key, message, suggestion }
}

async function notesBelow(context: MemoryContext, at: Locator): Promise<readonly string[]> {
  const keys: string[] = []
  for (const entry of await context.backend.list(at)) {
    const { isDir } = await context.backend.info(entry)
    if (isDir) keys.push(...(await notesBelow(context, entry)))
    else if (/\.md$/i.test(entry.name)) keys.push(entry.key)
  }
  return keys
}

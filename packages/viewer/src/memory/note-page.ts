/** One note with its versions, as the page shows it. */
import { redactSecrets } from '@agentm/nodes'
import type { Workspace } from '@agentm/workspace'
import type { ConflictRow, NotePage, NoteVersionRow } from '../contract/memory.ts'
import { shownText } from '../pure/shown-value.ts'

type Memory = Awaited<ReturnType<Workspace['memory']>>
type NoteVersion = Awaited<ReturnType<Memory['history']>>[number]

/** Longer texts are shown from their beginning, and cannot be edited here. */
const longest = 100_000
const mostVersions = 50

export async function notePage(memory: Memory, key: string, conflicts: readonly ConflictRow[]): Promise<NotePage> {
  const note = await memory.read(key)
  const versions = await memory.history(note.key)
  const { title, kind, status, tags, project, createdAt, writtenBy, alwaysLoad, isOwn, hash } = note
  const fixed = whyFixed(note)
  return {
    key: note.key,
    title: redactSecrets(title),
    kind,
    status,
    tags,
    project,
    createdAt,
    ...(writtenBy === undefined ? {} : { writtenBy }),
    alwaysLoad,
    isOwn,
    hash,
    text: shownText(redactSecrets(note.text), longest),
    file: shownText(redactSecrets(note.file), longest),
    ...(fixed === undefined ? {} : { fixed }),
    versions: versions.slice(0, mostVersions).map(versionRow),
    copies: conflicts.filter(({ of }) => of === note.key).map(({ copy }) => copy),
    now: Date.now(),
  }
}

function whyFixed({ file, status, isBelief }: Awaited<ReturnType<Memory['read']>>): string | undefined {
  if (isBelief) return 'It is a published belief. Correct the belief instead.'
  if (status !== 'active') return `It is ${status === 'deleted' ? 'forgotten' : status}.`
  if (file.length > longest) return 'It is too long for this page. Use an editor.'
  // Saving what is shown would write the replacement into the file.
  return redactSecrets(file) === file
    ? undefined
    : 'It holds what looks like a secret, which is not shown here. Use an editor.'
}

function versionRow({
  key,
  status,
  title,
  createdAt,
  supersededAt,
  reason,
  text,
  writtenBy,
}: NoteVersion): NoteVersionRow {
  const at = Date.parse(supersededAt ?? '')
  return {
    key,
    status,
    title: redactSecrets(title),
    createdAt,
    ...(Number.isNaN(at) ? {} : { supersededAt: at }),
    ...(reason === undefined ? {} : { reason: redactSecrets(reason) }),
    text: shownText(redactSecrets(text), longest),
    ...(writtenBy === undefined ? {} : { writtenBy }),
  }
}

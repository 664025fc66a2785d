/**
 * Puts an export of agentm back: notes at their places, byte for byte, and beliefs into the log under their ids. Whatever is there already
 * stays as it is.
 */
import path from 'node:path'
import type { NoteImport } from '@agentm/memory/notes'
import type { Draft, NodeLog } from '@agentm/nodes'
import { semanticMemory } from '@agentm/memory'
import { type ExportedBelief, exportedBelief } from './exported-belief.ts'
import { findManifest, notesFolder } from './export-manifest.ts'
import { filesBelow } from './files-below.ts'
import { ImportFileError } from './import-file-error.ts'
import { jsonLines } from './json-lines.ts'
import { listedFiles } from './listed-files.ts'
import type { ImportSource } from './import-source.ts'
import { textIn } from './pure/json-fields.ts'
import { isAlwaysLoaded, isExportedKey } from './pure/exported-key.ts'
import { isMarkdownName } from './read-markdown.ts'
import { exactText } from './whole-file.ts'

export interface RestoredExport {
  readonly notes: { readonly new: number; readonly unchanged: number; readonly conflicts: readonly string[] }
  readonly beliefs: { readonly new: number; readonly unchanged: number; readonly different: number }
  /** New notes that sessions would begin with, left out unless a person wants them. */
  readonly alwaysLoad: readonly string[]
  /** Nodes of other kinds, and files that are no notes. */
  readonly leftOut: { readonly nodes: number; readonly files: readonly string[] }
  /** What a person should know about the export. */
  readonly notices: readonly string[]
}

export interface RestoreTarget {
  readonly notes: NoteImport
  /** An import that writes nothing. */
  readonly preview: NoteImport
  /** Absent if nothing is written and there is no log. */
  readonly log: Pick<NodeLog, 'latest'> | undefined
  /** Absent if nothing is written. */
  readonly append: NodeLog['append'] | undefined
  readonly owner: string
  /** Whether a person decided that sessions begin with these notes. */
  readonly withAlwaysLoad: boolean
  /** Told how many notes are done. */
  readonly onNote?: (done: number, total: number) => void
}

export async function restoreExport(source: ImportSource, target: RestoreTarget): Promise<RestoredExport> {
  const manifest = await findManifest(source.path)
  if (manifest === undefined) throw new ImportFileError({ file: source.path }, 'it is no export of agentm.')
  if (!manifest.complete)
    throw new ImportFileError(
      { file: source.path },
      'the export was interrupted. Run agentm export again, into the same folder.',
    )
  const { found, ...restored } = await restoreNotes(source.path, target)
  const nodes = await restoreBeliefs(source, target)
  await target.notes.finish()
  const missing = manifest.notes - found
  return {
    notes: restored.notes,
    alwaysLoad: restored.alwaysLoad,
    beliefs: nodes.beliefs,
    leftOut: { nodes: nodes.others, files: restored.files },
    notices: missing > 0 ? [`${missing} notes of this export are no longer in its folder.`] : [],
  }
}

async function restoreNotes(folder: string, { notes, preview, withAlwaysLoad, onNote }: RestoreTarget) {
  const root = path.join(folder, notesFolder)
  const { files, links } = await filesBelow(root, { isWanted: isMarkdownName, without: new Set() }).catch(noFolder)
  const counts = { new: 0, unchanged: 0 }
  const conflicts: string[] = []
  const alwaysLoad: string[] = []
  const keys = files.filter(isExportedKey)
  for (const [done, key] of keys.entries()) {
    onNote?.(done, keys.length)
    const text = await exactText(path.join(root, key))
    if (isAlwaysLoaded(key) && !withAlwaysLoad && (await preview.putBack(key, text)) === 'new') {
      alwaysLoad.push(key)
      continue
    }
    const outcome = await notes.putBack(key, text)
    if (outcome === 'conflict') conflicts.push(key)
    else counts[outcome]++
  }
  const others = files.filter((key) => !isExportedKey(key))
  return { notes: { ...counts, conflicts }, alwaysLoad, files: [...links, ...others], found: files.length }
}

/** An export without notes has no folder for them. */
function noFolder(error: unknown): { readonly files: readonly string[]; readonly links: readonly string[] } {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { files: [], links: [] }
  throw error
}

const draftsAtOnce = 200

async function restoreBeliefs(source: ImportSource, target: RestoreTarget) {
  const { beliefs, others } = await exportedBeliefs(source, target.owner)
  const counts = { new: 0, unchanged: 0, different: 0 }
  const absent: ExportedBelief[] = []
  for (const belief of beliefs) {
    const there = await target.log?.latest(belief.id, { owner: target.owner })
    if (there === undefined) absent.push(belief)
    else if (isSame(there.payload, belief.payload)) counts.unchanged++
    else counts.different++
  }
  counts.new = absent.length
  for (const [partition, group] of groupedBy(absent))
    for (let i = 0; i < group.length; i += draftsAtOnce)
      await target.append?.(group.slice(i, i + draftsAtOnce).map(draftOf), {
        owner: target.owner,
        actor: 'import',
        partition,
        expects: Object.fromEntries(group.slice(i, i + draftsAtOnce).map(({ id }) => [id, 0])),
      })
  return { beliefs: counts, others }
}

/** The newest version of each belief, and how many nodes are no beliefs. */
async function exportedBeliefs(source: ImportSource, owner: string) {
  const beliefs = new Map<string, ExportedBelief>()
  const others = new Set<string>()
  for (const { path: file } of await listedFiles(source, /^nodes(?:-\d+)?\.jsonl$/))
    for await (const line of jsonLines(file)) {
      const belief = exportedBelief(line, { file, owner })
      if (belief === undefined) others.add(textIn(line.value, 'id') ?? '')
      else if ((beliefs.get(belief.id)?.version ?? 0) < belief.version) beliefs.set(belief.id, belief)
    }
  return { beliefs: [...beliefs.values()], others: others.size }
}

function draftOf({ id, payload, mutation }: ExportedBelief): Draft {
  return { concept: semanticMemory.name, id, payload, mutation }
}

function groupedBy(beliefs: readonly ExportedBelief[]): ReadonlyMap<string, readonly ExportedBelief[]> {
  const groups = new Map<string, ExportedBelief[]>()
  for (const belief of beliefs) groups.set(belief.partition, [...(groups.get(belief.partition) ?? []), belief])
  return groups
}

/** The order of fields says nothing. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  )
}

/** Brings memory of other programs, rules for agents, Markdown files and chats in as notes. */
import path from 'node:path'
import { type ForeignNote, type NoteImport, previewImport } from '@agentm/memory/notes'
import { type Answer, type Call, type Command, UsageError } from '../command.ts'
import { detectFormat } from '../imports/detect-format.ts'
import { findManifest } from '../imports/export-manifest.ts'
import { ImportCount } from '../imports/import-count.ts'
import { type ImportEntry, isLeftOut } from '../imports/import-entry.ts'
import { type FormatName, importFormats, isFormatName } from '../imports/import-formats.ts'
import { importSource, type ImportSource } from '../imports/import-source.ts'
import { isInStore } from '../imports/is-in-store.ts'
import { importText } from '../imports/pure/import-text.ts'
import { isOfProject } from '../imports/pure/is-of-project.ts'
import { logOption } from '../log-terminal.ts'
import { importExport } from './import-export.ts'
import { progressOf } from '../progress.ts'
import { callerOf } from './memory/caller.ts'
import { given } from './number-options.ts'
import { whereOption } from './memory/where-option.ts'

const formatNames = [...Object.keys(importFormats), 'agentm'].join(', ')

export const importNotes: Command = {
  takes: 'PATH',
  summary: 'import notes from another program; without --write, only show what would be imported',
  details:
    `PATH is a file or a folder. FORMAT is one of ${formatNames}. A second import adds nothing: an unchanged entry is left alone, and a ` +
    'changed entry replaces its note, whose former text stays in its history. Notes that a model or a program wrote are marked as an ' +
    'agent’s. Secrets are replaced before anything is written.',
  options: {
    write: { help: 'import; without it, nothing is written' },
    from: { value: 'FORMAT', help: 'the format (default: recognised by the content)' },
    source: {
      value: 'NAME',
      help: 'a name for the source, by which a later import finds its notes again (default: PATH)',
    },
    only: {
      value: 'PROJECT',
      help: 'for claude-mem: only the entries of this project (default: the project of this directory)',
    },
    personal: { help: 'the notes belong to no project; every project recalls them' },
    ...whereOption,
    log: logOption,
  },
  async run(call) {
    const [named = '', ...rest] = call.args
    if (named === '' || rest.length > 0) throw new UsageError('name one file or folder to import: agentm import PATH')
    const source = await importSource(path.resolve(call.cwd, named), given('name', call.get('source')))
    if (await isInStore(source.path))
      throw new UsageError(`${source.path} is in a store of notes. Its Markdown files are recalled without an import.`)
    if (await isExport(source, call)) return importExport(call, source)
    const format = await formatOf(source, call)
    const { slug } = await (await call.workspace()).project()
    const wanted = { source, format, slug }
    // The whole source is read before anything is written, so that a fault in it leaves nothing half done.
    const line = progressOf(call)
    try {
      const planned = await imported(call, wanted, {
        write: false,
        onEntry: (done) => line.show('Reading entries', done),
      })
      if (!call.has('write')) return answerOf(call, wanted, planned)
      const onEntry = (done: number) => line.show('Importing entries', done, planned.entries)
      return answerOf(call, wanted, await imported(call, wanted, { write: true, onEntry }))
    } finally {
      line.clear()
    }
  },
}

/** What agentm export wrote has a manifest. */
async function isExport(source: ImportSource, call: Call): Promise<boolean> {
  const named = call.get('from')
  return (
    named === 'agentm' || (named === undefined && source.isFolder && (await findManifest(source.path)) !== undefined)
  )
}

interface Wanted {
  readonly source: ImportSource
  readonly format: FormatName
  /** The project of the directory. */
  readonly slug: string | undefined
}

async function formatOf(source: ImportSource, call: Call): Promise<FormatName> {
  const named = call.get('from')
  if (named !== undefined && !isFormatName(named))
    throw new UsageError(`--from does not accept ${JSON.stringify(named)}. Use one of ${formatNames}.`)
  const found = named ?? (await detectFormat(source))
  if (found !== undefined) return found
  throw new UsageError(`the format of ${source.path} is not recognised. Name it with --from: ${formatNames}.`)
}

interface Importing {
  readonly write: boolean
  readonly onEntry: (done: number) => void
}

async function imported(call: Call, wanted: Wanted, { write, onEntry }: Importing): Promise<ImportCount> {
  const target = await targetOf(call, { write })
  const count = new ImportCount()
  const read = await importFormats[wanted.format].reader()
  for await (const entry of read(wanted.source)) {
    if (isLeftOut(entry)) count.leftOut(entry)
    else if (!isOfProject(entry, projectOf(call, wanted))) count.otherProject(entry.project ?? '')
    else count.result(entry, await target.add(foreignNote(entry, call, wanted)))
    onEntry(count.entries)
  }
  await target.finish()
  return count
}

/** A preview makes no store where there is none. */
async function targetOf(call: Call, { write }: { readonly write: boolean }): Promise<NoteImport> {
  const workspace = await call.workspace()
  if (!write && (await workspace.isUntouched())) return previewImport()
  const scope = call.has('personal') ? ('personal' as const) : undefined
  return (await workspace.memory()).openImport({ write, ...given('scope', scope), ...callerOf(call) })
}

function projectOf(call: Call, { slug }: Wanted): string | undefined {
  return call.get('only') ?? (call.has('personal') ? undefined : slug)
}

/** A text counts as a person's only if a person is at the terminal, as with `agentm save`. */
function foreignNote(entry: ImportEntry, call: Call, { format }: Wanted): ForeignNote {
  const { id, kind, title, text, tags, writtenBy, at, slug, fields } = entry
  const by = writtenBy === 'person' ? callerOf(call).by : writtenBy
  return {
    origin: { from: format, id },
    kind,
    title,
    text,
    tags,
    ...given('writtenBy', by),
    ...given('at', at),
    ...given('slug', slug),
    ...given('fields', fields),
  }
}

function answerOf(call: Call, { source, format, slug }: Wanted, count: ImportCount): Answer {
  const report = count.report()
  const isWritten = call.has('write')
  const text = importText(report, { what: importFormats[format].title, path: source.path, isWritten })
  const isNobodys = slug === undefined && !call.has('personal')
  return {
    text,
    data: { format, source: source.name, written: isWritten, ...report },
    notices: isNobodys ? [nobodys] : [],
  }
}

const nobodys =
  'The notes belong to no project, so every project recalls them. To make this directory a project: agentm project name NAME'

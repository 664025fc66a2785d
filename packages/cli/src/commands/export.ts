/** Writes all notes and beliefs into a folder that people can read, and that agentm import puts back. */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { semanticMemory } from '@agentm/memory'
import { oneLine } from '@agentm/memory/shown'
import { type Answer, type Call, type Command, UsageError } from '../command.ts'
import { findManifest } from '../imports/export-manifest.ts'
import { isInStore } from '../imports/is-in-store.ts'
import { writeExport } from '../imports/write-export.ts'
import { whereOption } from './memory/where-option.ts'

export const exportNotes: Command = {
  takes: 'DIR',
  summary: 'write all notes and beliefs into a folder, as Markdown and lines of JSON',
  details:
    'The notes of all projects are copied byte for byte into DIR/notes, the beliefs into DIR/nodes.jsonl. agentm import DIR puts them back. DIR is ' +
    'new, empty or an earlier export, which is brought up to date.',
  options: {
    all: {
      help: 'also write plans, steps, observations and agent sessions, with every version; agentm import leaves these out',
    },
    ...whereOption,
  },
  async run(call) {
    const folder = await folderOf(call)
    const workspace = await call.workspace()
    if (await workspace.isUntouched()) return { text: 'There is nothing to export.', data: { notes: 0, nodes: 0 } }
    const written = await writeExport(folder, {
      backend: (await workspace.storage()).backend,
      log: await (await call.reader()).log(),
      owner: await workspace.owner(),
      concepts: call.has('all') ? undefined : [semanticMemory.name],
      now: Date.now(),
    })
    return answerOf(folder, written, call)
  },
}

/** Refuses a folder with anything else in it, and one in a store, where the copies would become notes. */
async function folderOf({ args, cwd }: Call): Promise<string> {
  const [named = '', ...rest] = args
  if (named === '' || rest.length > 0) throw new UsageError('name one folder to write: agentm export DIR')
  const folder = path.resolve(cwd, named)
  if (await isInStore(folder))
    throw new UsageError(`${folder} is in a store of notes, where the copies would become notes. Name another folder.`)
  const there = await entriesOf(folder)
  if (there.length > 0 && (await findManifest(folder)) === undefined)
    throw new UsageError(`${folder} is not empty and no earlier export. Name a new folder.`)
  return folder
}

async function entriesOf(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR')
      throw new UsageError(`${folder} is a file. Name a folder.`, { cause: error })
    throw error
  }
}

function answerOf(folder: string, written: Awaited<ReturnType<typeof writeExport>>, call: Call): Answer {
  const { notes, nodes, unreadable } = written
  const what = call.has('all') ? `${nodes} versions of nodes` : `${nodes} beliefs`
  const left = unreadable.slice(0, mostNamed).map((key) => `  ${oneLine(key)}`)
  const more = unreadable.length > mostNamed ? [`  and ${unreadable.length - mostNamed} more`] : []
  const missing =
    unreadable.length === 0 ? [] : [`${unreadable.length} notes cannot be read and are not in it:`, ...left, ...more]
  return {
    text: [`${notes} notes and ${what} were exported to ${folder}.`, ...missing].join('\n'),
    data: { folder, ...written },
    exit: unreadable.length === 0 ? 0 : 1,
  }
}

const mostNamed = 20

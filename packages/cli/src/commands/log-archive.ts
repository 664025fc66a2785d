/** Moves old plans and agent sessions from the log to a file, and reads such files. */
import path from 'node:path'
import type { LeavingNode } from '@agentm/harness/retention'
import { type ArchivedVersion } from '../archive/archived-version.ts'
import { readArchive } from '../archive/read-archive.ts'
import { unpackArchive } from '../archive/unpack-archive.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { type Answer, type Call, type Command, UsageError } from '../command.ts'
import { endSignal } from '../end-signal.ts'
import { progressOf } from '../progress.ts'
import { countsOf, many, removalLines, stayedLines, subjectText } from './retention/pure/retention-text.ts'
import { chooseFor, retentionOptions } from './retention/retention-call.ts'

export const logArchive: Command = {
  summary: 'move old plans and agent sessions from the log to a file',
  details:
    'Chooses like agentm log prune, writes every version to a compressed file, reads that file again, and only then removes them from the ' +
    'log. With --read, shows what such a file contains; with --read and --into, brings it back into a new log file, which can be looked at ' +
    'with AGENTM_NODES_URL=FILE.',
  options: {
    ...retentionOptions,
    to: { value: 'FILE', help: 'the file to write, such as old-plans.jsonl.gz; must not exist' },
    read: { value: 'FILE', help: 'show what an archive contains, and change nothing' },
    into: { value: 'FILE', help: 'with --read: a new log file to bring it back into' },
  },
  run: async (call) => (call.get('read') === undefined ? archive(call) : read(call)),
}

async function archive(call: Call): Promise<Answer> {
  const named = call.get('to')
  if (named === undefined || named === '')
    throw new UsageError('no file was named. Say where the archive goes, such as --to old-plans.jsonl.gz.')
  const to = path.resolve(call.cwd, named)
  const found = await chooseFor(call)
  if (found.store === undefined)
    return { text: `There is no log yet at ${found.place}.`, data: { ...found, absent: true } }
  const { store, place, chosen } = found
  const counts = countsOf(chosen)
  if (chosen.leave.length === 0)
    return { text: [`Nothing to archive in ${place}.`, ...stayedLines(counts)].join('\n'), data: { place, ...counts } }
  const [signal, line] = [endSignal(), progressOf(call)]
  const started = performance.now()
  const before = (await store.log.size()).bytes
  const written = await writeArchive(
    {
      log: store.log,
      owner: await (await call.workspace()).owner(),
      nodes: chosen.nodes(),
      now: new Date(),
      signal,
      onProgress: (versions) => line.show('Writing versions', versions),
    },
    to,
  )
  const removal = await chosen.remove({
    nodes: leavingIn(to),
    signal,
    onProgress: ({ nodes }) => line.show('Removing nodes', nodes),
  })
  await store.log.reclaim({ signal })
  line.clear()
  const tookMs = performance.now() - started
  const after = (await store.log.size()).bytes
  const text = [
    `Archived ${subjectText(counts)} from ${place} in ${to}${signal.aborted ? '. Interrupted before all of them were removed' : ''}:`,
    ...removalLines(removal, { tookMs, before, after }),
    ...stayedLines(counts),
  ]
  return { text: text.join('\n'), data: { place, to, ...counts, written, removal, tookMs, bytes: { before, after } } }
}

/** The nodes of an archive, at the newest version that it contains. What was written since stays in the log. */
async function* leavingIn(file: string): AsyncGenerator<LeavingNode> {
  let last: LeavingNode | undefined
  for await (const { group, node } of readArchive(file)) {
    if (last !== undefined && last.id !== node.id) yield last
    last = { group, id: node.id, version: node.version }
  }
  if (last !== undefined) yield last
}

async function read(call: Call): Promise<Answer> {
  const file = path.resolve(call.cwd, call.get('read') ?? '')
  const into = call.get('into')
  if (into === undefined) return list(file)
  const to = path.resolve(call.cwd, into)
  const { concepts } = await (await call.workspace()).logUpkeep()
  const unpacked = await unpackArchive(file, { to, concepts })
  const { nodes, versions } = unpacked
  const text = `${many(nodes, 'node')} with ${many(versions, 'version')} of ${file} are in the new log ${to}.`
  return { text, data: { file, to, ...unpacked } }
}

interface ArchivedGroup {
  readonly group: string
  readonly nodes: number
  readonly versions: number
  /** The goal of a plan, or what was asked first in a session. */
  readonly title: string
  readonly status: string | undefined
}

async function list(file: string): Promise<Answer> {
  const groups = new Map<string, ArchivedGroup>()
  let last = ''
  for await (const version of readArchive(file)) {
    const known = groups.get(version.group)
    groups.set(version.group, withVersion(known, version, version.node.id !== last))
    last = version.node.id
  }
  const lines = [...groups.values()].map(
    ({ group, nodes, status, title }) =>
      `  ${group.slice(group.lastIndexOf(':') + 1)}  ${[status, many(nodes, 'node'), title].filter(Boolean).join('  ')}`,
  )
  return { text: [`${file} contains:`, ...lines].join('\n'), data: { file, groups: [...groups.values()] } }
}

function withVersion(
  known: ArchivedGroup | undefined,
  { group, node }: ArchivedVersion,
  isNew: boolean,
): ArchivedGroup {
  const { nodes = 0, versions = 0, title = '', status } = known ?? {}
  const isRoot = node.id === group
  const { goal, asked } = node.payload
  const said = isRoot ? goal : title === '' ? asked : title
  return {
    group,
    nodes: nodes + (isNew ? 1 : 0),
    versions: versions + 1,
    title: typeof said === 'string' ? (said.split('\n')[0]?.slice(0, 100) ?? '') : title,
    status: isRoot ? node.status : status,
  }
}

/** The log of what happened, as a thing to look after: whether it is whole, how large it is, a copy of it. */
import { access } from 'node:fs/promises'
import path from 'node:path'
import type { NodeLog } from '@agentm/nodes'
import { type Answer, type Call, type Command, UsageError } from '../command.ts'

export const logCheck: Command = {
  summary: 'look for damage in the log; exit code 1 when there is some',
  details: 'Reads all of it and changes nothing.',
  run: async (call) =>
    readingLog(call, async ({ log, place }) => {
      const report = await log.check()
      const { ok, problems, versions, heads } = report
      const text = ok
        ? `${place} is whole: ${versions} versions of ${heads} nodes.`
        : [place, ...problems.map((each) => `  ${each}`), cure].join('\n')
      return { text, data: { place, ...report }, exit: ok ? 0 : 1 }
    }),
}

const cure =
  'Stop what uses it. agentm log rebuild builds anew what is derived from the history; where that is damaged too, agentm log\n' +
  'restore FILE puts a backup in its place.'

export const logSize: Command = {
  summary: 'how much the log holds',
  run: async (call) =>
    readingLog(call, async ({ log, place }) => {
      const size = await log.size()
      const { versions, heads, recallItems, bytes } = size
      const text = `${place}\n  ${versions} versions of ${heads} nodes, ${recallItems} texts to recall, ${bytes} bytes`
      return { text, data: { place, ...size } }
    }),
}

export const logBackup: Command = {
  takes: 'FILE',
  summary: 'copy the log, as it is at one moment, while others go on using it',
  details: 'agentm log restore puts it back. A file that is there is not overwritten.',
  run: async (call) => {
    const to = await backupFile(call)
    return changingLog(call, async ({ log, place }) => {
      await log.backup(to)
      return { text: `${place} is copied to ${to}.`, data: { place, to } }
    })
  },
}

export const logRestore: Command = {
  takes: 'FILE',
  summary: 'put a copy made by log backup in the place of the log',
  details: 'Refused while something uses the log. What was there is kept under another name.',
  run: async ({ args: [file], cwd, workspace }) => {
    if (file === undefined || file === '') throw new UsageError('log restore needs the FILE to restore.')
    const { place, keptAs } = await (await (await workspace()).logUpkeep()).restore(path.resolve(cwd, file))
    const kept = keptAs === undefined ? '' : `\n  what was there is kept as ${keptAs}`
    return { text: `${place} is restored.${kept}`, data: { place, ...(keptAs === undefined ? {} : { keptAs }) } }
  },
}

export const logMigrate: Command = {
  summary: 'bring the log to the version this program writes',
  details:
    'A log on this device is brought up to date by whatever opens it, one on a server by whatever writes, or by this. Programs of an\n' +
    'older version refuse it from then on. Nothing is lost.',
  run: async (call) =>
    changingLog(call, async ({ place }) => ({ text: `${place} is up to date.`, data: { place, isCurrent: true } })),
}

export const logRebuild: Command = {
  summary: 'build anew what is derived from the log',
  details:
    'Heads, relations and what is recalled of nodes. The history itself is not touched. A file with damaged pages is written anew\n' +
    'from its history, where that is whole and nothing uses it; the damaged one is kept under another name.',
  run: async ({ workspace }) => {
    const upkeep = await (await workspace()).logUpkeep()
    const rebuilt = await upkeep.rebuild()
    if (rebuilt === undefined) return noLog(upkeep.place)
    const { place, keptAs } = rebuilt
    const kept = keptAs === undefined ? '' : `\n  the damaged file is kept as ${keptAs}`
    return { text: `What is derived from ${place} is built anew.${kept}`, data: rebuilt }
  },
}

async function backupFile({ args, cwd }: Call): Promise<string> {
  const [file] = args
  if (file === undefined || file === '') throw new UsageError('log backup needs the FILE to copy to.')
  const to = path.resolve(cwd, file)
  if (await isThere(to)) throw new UsageError(`${to} is there already, and is not overwritten. Name another file.`)
  if (!(await isThere(path.dirname(to))))
    throw new UsageError(`there is no directory ${path.dirname(to)}. Make it first.`)
  return to
}

async function isThere(place: string): Promise<boolean> {
  return access(place).then(
    () => true,
    () => false,
  )
}

interface FoundLog<Verbs extends keyof NodeLog> {
  readonly log: Pick<NodeLog, Verbs>
  /** The file, or the server. */
  readonly place: string
}

async function readingLog(call: Call, work: (found: FoundLog<'check' | 'size'>) => Promise<Answer>): Promise<Answer> {
  const reader = await call.reader()
  const [log, place] = [await reader.log(), await reader.logPlace()]
  return log === undefined ? noLog(place) : work({ log, place })
}

/** An older log is brought up to date first. */
async function changingLog(call: Call, work: (found: FoundLog<'backup'>) => Promise<Answer>): Promise<Answer> {
  const upkeep = await (await call.workspace()).logUpkeep()
  const { place } = upkeep
  const store = await upkeep.existing()
  return store === undefined ? noLog(place) : work({ log: store.log, place })
}

function noLog(place: string): Answer {
  return { text: `There is no log yet; it will be at ${place}.`, data: { place, absent: true } }
}

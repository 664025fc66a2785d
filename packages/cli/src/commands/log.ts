/** Maintenance of the log: check it, measure it, back it up, restore and upgrade it. */
import { access } from 'node:fs/promises'
import path from 'node:path'
import type { NodeLog } from '@agentm/nodes'
import { logOption } from '../log-terminal.ts'
import { type Answer, type Call, type Command, UsageError } from '../command.ts'
import { progressOf } from '../progress.ts'
import { typed } from '../typed.ts'

export const logCheck: Command = {
  summary: 'check the log of plans and beliefs for damage; the exit code is 1 when there is some',
  details: 'Reads the whole log and changes nothing.',
  run: async (call) =>
    readingLog(call, async ({ log, place }) => {
      const report = await log.check()
      const { ok, problems, versions, heads } = report
      const text = ok
        ? `${place} is undamaged: ${versions} versions of ${heads} nodes.`
        : [place, ...problems.map((each) => `  ${each}`), typed(cure)].join('\n')
      return { text, data: { place, ...report }, exit: ok ? 0 : 1 }
    }),
}

const cure =
  'Stop every program that uses the log, then run agentm log rebuild, which rebuilds everything that is derived from the history. If the ' +
  'history itself is damaged, restore a backup: agentm log restore FILE'

export const logSize: Command = {
  summary: 'show how large the log is',
  run: async (call) =>
    readingLog(call, async ({ log, place }) => {
      const size = await log.size()
      const { versions, heads, recallItems, bytes } = size
      const text = `${place}\n  ${versions} versions of ${heads} nodes, ${recallItems} searchable texts, ${bytes} bytes`
      return { text, data: { place, ...size } }
    }),
}

export const logBackup: Command = {
  takes: 'FILE',
  summary: 'back up the log while it is in use; the copy shows one moment',
  details: 'agentm log restore puts the backup back. An existing FILE is never overwritten.',
  run: async (call) => {
    const to = await backupFile(call)
    return changingLog(call, async ({ log, place }) => {
      await log.backup(to)
      return { text: `${place} was copied to ${to}.`, data: { place, to } }
    })
  },
}

export const logRestore: Command = {
  takes: 'FILE',
  summary: 'restore the log from a backup made by agentm log backup',
  details:
    'If the log is a file: refused while a program uses it; the present log is kept under another name. If the log is on a PostgreSQL ' +
    'server: nodes.url has to name a database without a log, and FILE has to be a backup of a log on PostgreSQL.',
  run: async ({ args: [file], cwd, workspace }) => {
    if (file === undefined || file === '')
      throw new UsageError('no file was named. Name the backup to restore: agentm log restore FILE')
    const { place, keptAs } = await (await (await workspace()).logUpkeep()).restore(path.resolve(cwd, file))
    const kept = keptAs === undefined ? '' : `\n  the former log is kept as ${keptAs}`
    return { text: `${place} was restored.${kept}`, data: { place, ...(keptAs === undefined ? {} : { keptAs }) } }
  },
}

export const logMigrate: Command = {
  summary: 'upgrade the log to this version of agentm',
  details:
    'A log on this device is upgraded when it is opened. A log on a server is upgraded by the first write, or by this command. Nothing is ' +
    'lost, but older versions of agentm can no longer open the log.',
  run: async (call) =>
    changingLog(call, async ({ place }) => ({ text: `${place} is up to date.`, data: { place, isCurrent: true } })),
}

export const logRebuild: Command = {
  summary: 'rebuild the indexes derived from the log',
  details:
    'Rebuilds latest versions, relations and the search index from the history, which is not changed. If the file has damaged pages but ' +
    'an undamaged history, and no program uses it, a new file is written and the damaged one is kept under another name.',
  options: { log: logOption },
  run: async (call) => {
    const upkeep = await (await call.workspace()).logUpkeep()
    const line = progressOf(call)
    const rebuilt = await upkeep
      .rebuild((done, total) => line.show('Rebuilding nodes', done, total))
      .finally(() => line.clear())
    if (rebuilt === undefined) return noLog(upkeep.place)
    const { place, keptAs } = rebuilt
    const kept = keptAs === undefined ? '' : `\n  the damaged file was kept as ${keptAs}`
    return { text: `The indexes of ${place} were rebuilt.${kept}`, data: rebuilt }
  },
}

async function backupFile({ args, cwd }: Call): Promise<string> {
  const [file] = args
  if (file === undefined || file === '')
    throw new UsageError('no file was named. Name the file to write: agentm log backup FILE')
  const to = path.resolve(cwd, file)
  if (await isThere(to)) throw new UsageError(`${to} already exists and was not overwritten. Name another file.`)
  if (!(await isThere(path.dirname(to))))
    throw new UsageError(`the directory ${path.dirname(to)} does not exist. Create it first.`)
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

/** An older log is upgraded first. */
async function changingLog(call: Call, work: (found: FoundLog<'backup'>) => Promise<Answer>): Promise<Answer> {
  const upkeep = await (await call.workspace()).logUpkeep()
  const { place } = upkeep
  const store = await upkeep.existing()
  return store === undefined ? noLog(place) : work({ log: store.log, place })
}

function noLog(place: string): Answer {
  return {
    text: `There is no log yet. The first plan or belief creates it at ${place}.`,
    data: { place, absent: true },
  }
}

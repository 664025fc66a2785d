/** Puts back what agentm export wrote: shows what would change, and with --write does it. */
import { previewImport } from '@agentm/memory/notes'
import { oneLine } from '@agentm/memory/shown'
import type { Answer, Call } from '../command.ts'
import type { ImportSource } from '../imports/import-source.ts'
import { type RestoredExport, restoreExport, type RestoreTarget } from '../imports/restore-export.ts'
import { progressOf } from '../progress.ts'
import { personSaysYes } from '../person-says-yes.ts'
import { callerOf } from './memory/caller.ts'

export async function importExport(call: Call, source: ImportSource): Promise<Answer> {
  const planned = await restored(call, source, 'Comparing notes', await previewTarget(call))
  if (!call.has('write')) return answerOf(call, source, planned)
  const withAlwaysLoad = await wantsAlwaysLoad(call, planned)
  return answerOf(
    call,
    source,
    await restored(call, source, 'Importing notes', await writingTarget(call, withAlwaysLoad)),
  )
}

async function restored(
  call: Call,
  source: ImportSource,
  doing: string,
  target: RestoreTarget,
): Promise<RestoredExport> {
  const line = progressOf(call)
  const onNote = (done: number, total: number) => line.show(doing, done, total)
  return restoreExport(source, { ...target, onNote }).finally(() => line.clear())
}

async function previewTarget(call: Call): Promise<RestoreTarget> {
  const workspace = await call.workspace()
  const isUntouched = await workspace.isUntouched()
  const notes = isUntouched
    ? previewImport()
    : await (await workspace.memory()).openImport({ write: false, scope: 'personal' })
  const log = isUntouched ? undefined : await (await call.reader()).log()
  return { notes, preview: notes, log, append: undefined, owner: await workspace.owner(), withAlwaysLoad: false }
}

async function writingTarget(call: Call, withAlwaysLoad: boolean): Promise<RestoreTarget> {
  const workspace = await call.workspace()
  const owner = await workspace.owner()
  const memory = await workspace.memory()
  const notes = await memory.openImport({ write: true, scope: 'personal' })
  const preview = await memory.openImport({ write: false, scope: 'personal' })
  const { log } = await workspace.log()
  return { notes, preview, log, append: async (...given) => log.append(...given), owner, withAlwaysLoad }
}

/** A folder from elsewhere could hold notes that tell every session what to do. */
async function wantsAlwaysLoad(call: Call, { alwaysLoad }: RestoredExport): Promise<boolean> {
  if (alwaysLoad.length === 0 || callerOf(call).by === undefined) return false
  const names = alwaysLoad.map((key) => `  ${oneLine(key)}\n`).join('')
  call.terminal.out(`Sessions begin with these notes:\n${names}`)
  return personSaysYes(call.terminal, `Put them back, too?`)
}

function answerOf(call: Call, { path, name }: ImportSource, made: RestoredExport): Answer {
  const { notes, beliefs, alwaysLoad, leftOut, notices } = made
  const isWritten = call.has('write')
  const would = isWritten ? '' : 'would be '
  const lines = [
    `${oneLine(path)}: an export of agentm`,
    `notes: ${would}new: ${notes.new}, unchanged: ${notes.unchanged}, conflicts: ${notes.conflicts.length}`,
    ...some(notes.conflicts).map((key) => `  another text is at ${key}; it was not changed`),
    `beliefs: ${would}new: ${beliefs.new}, unchanged: ${beliefs.unchanged}, different here, and kept: ${beliefs.different}`,
    ...(alwaysLoad.length === 0
      ? []
      : [
          `${alwaysLoad.length} notes were left out, because only a person at a terminal can decide that sessions begin with them:`,
        ]),
    ...some(alwaysLoad).map((key) => `  ${key}`),
    ...(leftOut.nodes === 0
      ? []
      : [`${leftOut.nodes} nodes of other kinds are left out; agentm log backup and agentm log restore move them`]),
    ...(isWritten ? [] : ['Nothing was written. To import: the same command with --write']),
  ]
  return {
    text: lines.join('\n'),
    data: { format: 'agentm', source: name, written: isWritten, ...made },
    notices,
    exit: isWritten && notes.conflicts.length > 0 ? 1 : 0,
  }
}

const mostNamed = 20

function some(keys: readonly string[]): readonly string[] {
  const more = keys.length > mostNamed ? [`${keys.length - mostNamed} more`] : []
  return [...keys.slice(0, mostNamed).map((key) => oneLine(key)), ...more]
}

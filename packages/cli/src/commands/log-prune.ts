/** Permanently removes old plans and agent sessions from the log, unless something still needs them. */
import { type Answer, type Call, type Command, UsageError } from '../command.ts'
import { endSignal } from '../end-signal.ts'
import { progressOf } from '../progress.ts'
import { countsOf, many, removalLines, stayedLines, subjectText } from './retention/pure/retention-text.ts'
import { type ChosenFrom, chooseFor, retentionOptions } from './retention/retention-call.ts'

export const logPrune: Command = {
  summary: 'permanently remove old plans and agent sessions from the log',
  details:
    'A plan leaves as a whole: its steps, observations, recorded calls, and the plans that its steps started. It stays if it is not over, if ' +
    'a belief, a waiting step, a schedule or a kept plan refers to it, or if nothing was learned from it yet. The same holds for agent ' +
    'sessions. Workers may run meanwhile. Interrupted, it can be run again. To keep a copy: agentm log archive.',
  options: {
    ...retentionOptions,
    'dry-run': { help: 'remove nothing; show what would be removed, and why the rest stays' },
    yes: { help: 'do not ask; required without a terminal' },
  },
  run: async (call) => {
    const found = await chooseFor(call)
    if (found.store === undefined)
      return { text: `There is no log yet at ${found.place}.`, data: { ...found, absent: true } }
    if (call.has('dry-run')) return preview(found)
    await agreed(call, found)
    return remove(call, found)
  },
}

async function preview({ place, chosen }: ChosenFrom): Promise<Answer> {
  const counts = countsOf(chosen)
  let nodes = 0
  for await (const _ of chosen.nodes()) nodes += 1
  const text = [`Would remove ${subjectText(counts)} from ${place}: ${many(nodes, 'node')}.`, ...stayedLines(counts)]
  return { text: text.join('\n'), data: { place, dryRun: true, ...counts, nodes } }
}

async function agreed({ terminal, json, has }: Call, { chosen }: ChosenFrom): Promise<void> {
  if (has('yes') || chosen.leave.length === 0) return
  if (!terminal.isInteractive || json)
    throw new UsageError(
      'nothing was removed, because removing cannot be undone and nobody confirmed it. To see what would be removed, use --dry-run; to confirm, use --yes.',
    )
  if ((await terminal.ask(`Permanently remove ${subjectText(countsOf(chosen))}? Type yes: `)) !== 'yes')
    throw new UsageError('nothing was removed, because you did not type yes.')
}

async function remove(call: Call, { store, place, chosen }: ChosenFrom): Promise<Answer> {
  const counts = countsOf(chosen)
  const signal = endSignal()
  const line = progressOf(call)
  const before = (await store.log.size()).bytes
  const started = performance.now()
  const removal = await chosen.remove({
    signal,
    onProgress: ({ nodes }) => line.show('Removing nodes', nodes),
  })
  await store.log.reclaim({ signal })
  line.clear()
  const tookMs = performance.now() - started
  const after = (await store.log.size()).bytes
  const head = signal.aborted
    ? `Interrupted. Of ${subjectText(counts)} in ${place}, these were removed:`
    : `Removed ${subjectText(counts)} from ${place}:`
  const text = [head, ...removalLines(removal, { tookMs, before, after }), ...stayedLines(counts)]
  return { text: text.join('\n'), data: { place, ...counts, removal, tookMs, bytes: { before, after } } }
}

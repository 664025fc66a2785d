/** Learns beliefs from recorded episodes now, instead of waiting for the nightly run of a worker. */
import type { ClusterExplained } from '@agentm/learning'
import { oneLine } from '@agentm/memory/shown'
import type { ConsolidationOutcome, Learning } from '@agentm/workspace'
import { type Answer, type Call, type Command, UsageError } from '../command.ts'
import { endSignal } from '../end-signal.ts'
import { progressOf } from '../progress.ts'
import { logOption } from '../log-terminal.ts'
import { commandWord } from '../typed.ts'

export const consolidate: Command = {
  summary: 'derive beliefs from the work recorded since the last run',
  details:
    'Reads what agents recorded since the last run, turns repeated statements into beliefs, and lowers the confidence of beliefs that ' +
    'nothing confirmed. It works without a model: then a belief is a sentence that occurs in plans with different goals. Plans with the ' +
    'same goal count once. Tool output can strengthen a belief but never create one. A worker does the same every night, at ' +
    'consolidation.at (default: 02:45) in consolidation.timeZone (default: UTC). Edits of the notes in beliefs/ count at the next run. ' +
    'A belief whose note was deleted is forgotten by the second run that finds the note gone. The first run lists it.',
  options: {
    owner: { value: 'NAME', help: 'learn from the episodes of this owner (default: yourself)' },
    all: { help: 'learn for every owner in harness.owners' },
    'dry-run': { help: 'print what would be learned; write nothing' },
    log: logOption,
    explain: { help: 'print the decision for each group of similar episodes, and the reason' },
  },
  run: async (call) => {
    if (call.has('all') && call.has('owner'))
      throw new UsageError('--all and --owner cannot be combined. Use one of them.')
    const workspace = await call.workspace()
    // A dry run creates no log.
    if (call.has('dry-run') && (await (await call.reader()).log()) === undefined)
      return { text: 'There is nothing to learn from yet.', data: { runs: [] } }
    return answered(call, await outcomesOf(call, await workspace.learning()))
  },
}

async function outcomesOf(call: Call, opened: Learning): Promise<readonly ConsolidationOutcome[]> {
  const owners = call.has('all') ? opened.owners : [call.get('owner') ?? opened.owner]
  const [signal, outcomes] = [endSignal(), [] as ConsolidationOutcome[]]
  const line = progressOf(call)
  const onProgress = (episodes: number) => line.show('Learning from episodes', episodes)
  try {
    for (const owner of owners) {
      const request = { owner, dryRun: call.has('dry-run'), explain: call.has('explain'), onProgress }
      outcomes.push(await opened.run(request, signal, { forgetAbsent: true }))
    }
  } finally {
    line.clear()
  }
  return outcomes
}

async function answered(call: Call, outcomes: readonly ConsolidationOutcome[]): Promise<Answer> {
  const isBusy = outcomes.some(({ report }) => report.outcome === 'busy')
  return {
    text: outcomes.map((outcome) => outcomeText(outcome, call)).join('\n\n'),
    data: { runs: outcomes },
    notices: outcomes.flatMap(({ notices }) => notices),
    exit: isBusy ? 1 : 0,
  }
}

export function outcomeText(
  { report, lessons, notes }: ConsolidationOutcome,
  { terminal }: Pick<Call, 'terminal'>,
): string {
  const { owner, outcome, until, dryRun, episodes, created, reinforced, superseded, pruned, failed, held } = report
  if (outcome === 'idle') return `${owner}: there is nothing to learn from yet.`
  if (outcome === 'served') return `${owner}: another process has already done this run.`
  if (outcome === 'busy')
    return `${owner}: nothing was done, because another run is in progress (its lease ends at ${new Date(until ?? 0).toISOString()}). Try again later.`
  const counted = [
    `${episodes} episodes`,
    `${created.length} new`,
    `${reinforced.length} confirmed`,
    `${superseded.length} superseded`,
    `${pruned.length} pruned`,
  ]
  const lines = [`${owner}: ${dryRun ? 'dry run: ' : ''}${counted.join(', ')}.`]
  const { spent, spentInAll = spent } = report
  if (spent !== undefined && spentInAll !== undefined)
    lines.push(`  the model: ${spentText(spent)}; in total ${spentText(spentInAll)}`)
  for (const each of report.explained ?? []) lines.push(clusterText(each, (text) => terminal.dim(text)))
  for (const { episodes: ids, why } of failed) lines.push(`  left for the next run: ${ids.length} episodes (${why})`)
  const waiting =
    lessons?.lessons.filter(({ outcome: what }) => what === 'created' || what === 'superseded').length ?? 0
  if (waiting > 0)
    lines.push(`  ${waiting} learned from agent sessions. To decide which are true: ${commandWord()} learned`)
  if (lessons?.unasked !== undefined)
    lines.push(`  the model was not asked about agent sessions: ${oneLine(lessons.unasked)}`)
  if (report.more)
    lines.push('  the run reached its limit and more episodes are left. Run it again, or wait for the nightly run.')
  if (failed.length === 0 && held > 0) lines.push(`  left for the next run: ${held} episodes`)
  if (notes !== undefined && notes.edited.length > 0)
    lines.push(`  ${beliefs(notes.edited)} changed, because you edited ${notesOf(notes.edited)}`)
  if (notes !== undefined && notes.forgotten.length > 0)
    lines.push(
      `  ${beliefs(notes.forgotten)} forgotten, because you deleted ${notesOf(notes.forgotten)}. To undo it:`,
      ...notes.forgotten.map((id) => `    ${commandWord()} restore ${oneLine(id)}`),
    )
  if (notes !== undefined && notes.absent.length > 0) lines.push(...absentLines(notes.absent))
  return lines.join('\n')
}

/** One look is not enough: a program that syncs the store may have taken a file away for a moment. */
function absentLines(absent: readonly string[]): readonly string[] {
  const again = `${commandWord()} consolidate`
  const what =
    absent.length === 1
      ? `the note of 1 belief is gone. To forget the belief: ${again}. To keep it, put the note back.`
      : `the notes of ${absent.length} beliefs are gone. To forget the beliefs: ${again}. To keep them, put the notes back.`
  return [`  ${what}`, ...absent.map((id) => `    ${oneLine(id)}`)]
}

function beliefs({ length }: readonly unknown[]): string {
  return length === 1 ? '1 belief' : `${length} beliefs`
}

function notesOf({ length }: readonly unknown[]): string {
  return length === 1 ? 'its note' : 'their notes'
}

function spentText({ questions, tokens, costMicros }: NonNullable<ConsolidationOutcome['report']['spent']>): string {
  const cost = costMicros === 0 ? '' : `, a cost of ${costMicros / 1e6}`
  return `${questions} ${questions === 1 ? 'question' : 'questions'}, ${tokens.toLocaleString('en')} tokens${cost}`
}

function clusterText(
  { outcome, content, why, partition, episodes, belief }: ClusterExplained,
  dim: (text: string) => string,
) {
  const said = [content === undefined ? undefined : JSON.stringify(content), why].filter((part) => part !== undefined)
  const from = `${partition}, ${episodes.length} of ${episodes.map(shortOf).join(' ')}`
  const to = belief === undefined ? '' : ` -> ${shortOf(belief)}`
  return `  ${outcome.padEnd(10)} ${said.join(': ')}\n             ${dim(`${from}${to}`)}`
}

function shortOf(id: string): string {
  return (id.split(':').at(-1) ?? id).slice(0, 8)
}

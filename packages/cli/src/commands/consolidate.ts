/** What happened becomes what is known, now instead of at night. */
import type { ClusterExplained } from '@agentm/learning'
import type { ConsolidationOutcome, Learning } from '@agentm/workspace'
import { type Answer, type Call, type Command, UsageError } from '../command.ts'
import { endSignal } from '../end-signal.ts'

export const consolidate: Command = {
  summary: 'learn from what happened since the last time',
  details:
    'Reads what agents noted since the last time, keeps what is worth knowing, and lets fade what nothing confirmed. It needs no\n' +
    'model: then a belief is a sentence that plans with different goals say. Plans with one goal count once, and tool output\n' +
    'never makes a belief. A worker does the same every night at consolidation.at (02:45) in consolidation.timeZone (UTC).',
  options: {
    owner: { value: 'NAME', help: 'whose episodes; your own where absent' },
    all: { help: 'of every owner your workers serve' },
    'dry-run': { help: 'say what would be learned, and write nothing' },
    explain: { help: 'say what was decided of each cluster, and why' },
  },
  run: async (call) => {
    if (call.has('all') && call.has('owner')) throw new UsageError('--all and --owner exclude each other.')
    const workspace = await call.workspace()
    // A look makes no log.
    if (call.has('dry-run') && (await (await call.reader()).log()) === undefined)
      return { text: 'Nothing to learn from yet.', data: { runs: [] } }
    return answered(call, await outcomesOf(call, await workspace.learning()))
  },
}

async function outcomesOf(call: Call, opened: Learning): Promise<readonly ConsolidationOutcome[]> {
  const owners = call.has('all') ? opened.owners : [call.get('owner') ?? opened.owner]
  const [signal, outcomes] = [endSignal(), [] as ConsolidationOutcome[]]
  for (const owner of owners) {
    const request = { owner, dryRun: call.has('dry-run'), explain: call.has('explain') }
    outcomes.push(await opened.run(request, signal))
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

export function outcomeText({ report, notes }: ConsolidationOutcome, { terminal }: Pick<Call, 'terminal'>): string {
  const { owner, outcome, until, dryRun, episodes, created, reinforced, superseded, pruned, failed, held } = report
  if (outcome === 'idle') return `${owner}: nothing to learn from yet.`
  if (outcome === 'served') return `${owner}: another process did this run.`
  if (outcome === 'busy')
    return `${owner}: another run is at work (until ${new Date(until ?? 0).toISOString()}, unless it goes on). Nothing was done.`
  const counted = [
    `${episodes} episodes`,
    `${created.length} new`,
    `${reinforced.length} confirmed`,
    `${superseded.length} superseded`,
    `${pruned.length} faded`,
  ]
  const lines = [`${owner}: ${dryRun ? 'would be: ' : ''}${counted.join(', ')}.`]
  const { spent, spentInAll = spent } = report
  if (spent !== undefined && spentInAll !== undefined)
    lines.push(`  the model was asked ${spentText(spent)}; so far ${spentText(spentInAll)}`)
  for (const each of report.explained ?? []) lines.push(clusterText(each, (text) => terminal.dim(text)))
  for (const { episodes: ids, why } of failed) lines.push(`  waits for the next run: ${ids.length} episodes (${why})`)
  if (report.more) lines.push('  more waits: the run ended at its limit. Run it again, or leave it to the nightly run.')
  if (failed.length === 0 && held > 0) lines.push(`  waits for the next run: ${held} episodes`)
  if (notes !== undefined && notes.edited.length > 0)
    lines.push(`  taken from your notes: ${notes.edited.length} edits`)
  if (notes !== undefined && notes.forgotten.length > 0)
    lines.push(`  forgotten, as you deleted their notes: ${notes.forgotten.length}`)
  return lines.join('\n')
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

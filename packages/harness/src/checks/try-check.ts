/** One round of a check. Cheap parts come first; the first that does not pass ends the round. */
import type { Model, Spend } from '@agentm/agent-loop'
import { nothing } from '@agentm/agent-loop/internal'
import { z } from 'zod'
import { stepOutput } from '../control/pure/step-output.ts'
import type { CommandSurroundings } from '../kinds/run-step-program.ts'
import type { StepOutcome, StepRun } from '../step-kind.ts'
import type { Step } from '../step.ts'
import { askJudge } from './ask-judge.ts'
import type { Asked } from './check-records.ts'
import type { Check } from './check.ts'
import { changedFiles, type ProtectedFiles } from './protected-files.ts'
import { runCheckCommand } from './run-check-command.ts'

export interface Tried {
  readonly check: Check
  readonly round: number
  readonly result: Step['result']
  /** The protected files as they were. */
  readonly before: ProtectedFiles
  readonly judge: Model | undefined
  readonly surroundings: CommandSurroundings
  /** The round goes on after its question was asked. */
  readonly asked: Asked | undefined
}

export type Round =
  | { readonly end: 'passed'; readonly summary: string; readonly spent: Spend }
  | { readonly end: 'not passed'; readonly summary: string; readonly output: string; readonly spent: Spend }
  /** Nothing is known of the result: a person must answer first, or the judge cannot be asked. */
  | {
      readonly end: 'open'
      readonly outcome: Exclude<StepOutcome, { end: 'done' }>
      readonly spent: Spend
      readonly judged?: string
    }

export async function tryCheck(run: StepRun, tried: Tried): Promise<Round> {
  const { check, result } = tried
  const output = stepOutput(run.step.kind ?? 'agent', result)
  const changed = await changedFiles(await run.directory(), tried.before)
  if (changed.length > 0) return notPassed(`protected files differ: ${listed(changed)}. Put them back as they were`)
  const misfit = check.schema === undefined ? undefined : misfitOf(check.schema, output)
  if (misfit !== undefined) return notPassed(`the result does not fit its schema: ${misfit}`)
  const [said, printed]: [string[], string[]] = [[], []]
  for (const command of check.commands ?? []) {
    const ended = await runCheckCommand(run, command, tried.surroundings)
    if (!ended.passed) return notPassed(ended.summary, ended.output)
    said.push(ended.summary)
    printed.push(`${ended.summary}\n${ended.output}`)
  }
  const judged =
    check.judge === undefined ? undefined : await judge(run, tried, { output, printed: printed.join('\n\n') })
  if (judged !== undefined && judged.end !== 'passed') return judged
  const spent = judged?.spent ?? nothing
  if (judged !== undefined) said.push(judged.summary)
  const asked = check.ask === undefined ? undefined : answered(run, tried)
  if (asked !== undefined && asked.end !== 'passed')
    return { ...asked, spent, ...(judged && { judged: judged.summary }) }
  if (asked !== undefined) said.push(asked.summary)
  return { end: 'passed', summary: said.join('; ') || 'everything is as it should be', spent }
}

function misfitOf(schema: Readonly<Record<string, unknown>>, output: unknown): string | undefined {
  const { success, error } = z.fromJSONSchema(schema).safeParse(output)
  if (success) return undefined
  return error.issues
    .slice(0, 8)
    .map(({ path, message }) => `${path.map(String).join('.') || 'the result'}: ${message}`)
    .join('; ')
}

async function judge(
  run: StepRun,
  { check, judge: model, asked }: Tried,
  { output, printed }: { readonly output: unknown; readonly printed: string },
): Promise<Round> {
  if (asked?.judged !== undefined) return { end: 'passed', summary: asked.judged, spent: nothing }
  if (model === undefined)
    return unjudged(
      'its check needs a model to judge the result, and this worker has none. Set models.url',
      'CHECK_WITHOUT_MODEL',
    )
  if (model.costMicrosOf === undefined && (await run.budget.limitsMoney()))
    return unjudged(
      'the budget of its plan limits money, and the judging model has no price. Set models.prices, in dollars per million tokens',
      'MODEL_UNPRICED',
    )
  const verdict = await askJudge(run, model, { rubric: check.judge?.rubric ?? '', result: output, printed })
  const { spent } = verdict
  if (verdict.end === 'no_budget')
    return unjudged(`the budget of ${verdict.limit} does not cover the judge of its check`, 'budget_exhausted', spent)
  if (verdict.end === 'unclear') return notPassed(`the judge gave no verdict (${verdict.problem})`, '', spent)
  const summary = `the judge says: ${verdict.why}`
  return verdict.passed ? { end: 'passed', summary, spent } : notPassed(summary, '', spent)
}

function notPassed(summary: string, output = '', spent = nothing): Round {
  return { end: 'not passed', summary, output, spent }
}

function unjudged(message: string, code: string, spent = nothing): Round {
  return { end: 'open', spent, outcome: { end: 'failed', failure: { message, code, retryable: false } } }
}

/** Each round is a question of its own. */
function answered({ step }: StepRun, { check: { ask }, round, result, asked }: Tried): Round {
  if (ask === undefined) throw new TypeError('the check asks nobody')
  const id = asked?.question ?? `check-${step.attempt}-${round}`
  const answer = step.answers?.[id]
  const about = { why: 'check', round, ...(result && { result }) }
  if (answer === undefined)
    return {
      end: 'open',
      spent: nothing,
      outcome: { end: 'asks', question: { id, text: ask.question, allowed: ask.options, about } },
    }
  const reason = answer.reason === undefined ? '' : `: ${answer.reason}`
  const summary = `${answer.actor} answered ${answer.value}${reason}`
  if (ask.passes.includes(answer.value)) return { end: 'passed', summary, spent: nothing }
  return notPassed(summary)
}

const mostListed = 20

function listed(names: readonly string[]): string {
  const more = names.length - mostListed
  return [...names.slice(0, mostListed), ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

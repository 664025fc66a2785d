/**
 * The completion gate: a step with a check is done only when the check has passed. A kind that can continue its work is run again
 * with what the check said; a failure of any other kind is a failure of the step. Everything a round leaves is in the log, so a
 * worker that takes over knows which rounds were tried and what they said.
 */
import type { Spend } from '@agentm/agent-loop'
import type { NewObservation, StepKind, StepOutcome, StepRun } from '../step-kind.ts'
import type { Step } from '../step.ts'
import type { CheckOptions } from './check-options.ts'
import { type CheckRecord, readCheckRecords } from './check-records.ts'
import type { Check } from './check.ts'
import { commandLine, type FailedCheck, givenUpText } from './pure/check-texts.ts'
import { tryFacts } from './pure/is-same-try.ts'
import { type ProtectedFiles, protectedFiles } from './protected-files.ts'
import { type Round, tryCheck } from './try-check.ts'

export interface GateOptions extends CheckOptions {
  /** Whether this worker runs steps of kind `command`. */
  readonly runsCommands: boolean
}

export async function runGated(run: StepRun, kind: StepKind, options: GateOptions): Promise<StepOutcome> {
  const { check } = run.step
  if (check === undefined) return kind.run(run)
  const refused = await refusedCommand(run, check, options)
  if (refused !== undefined) return refused
  const records = await readCheckRecords(run)
  const before = check.protected ?? records.protected ?? (await noteProtected(run, check))
  const heeds = kind.heedsChecks === true
  const failed: Pick<FailedCheck, 'round' | 'text'>[] = [...records.failed]
  for (let waiting = records.waiting; ; waiting = undefined) {
    // The worker was lost after the last round, before it could write that the step has failed.
    if (heeds && failed.length >= check.rounds) return givenUp(failed, false)
    const outcome: StepOutcome =
      waiting === undefined ? await kind.run(run) : { end: 'done', ...(waiting.result && { result: waiting.result }) }
    if (outcome.end !== 'done') return outcome
    const { result } = outcome
    const round = failed.length + 1
    const judge = check.judge === undefined ? undefined : await options.judge?.()
    const tried = await tryCheck(run, { check, round, result, before, judge, asked: waiting, surroundings: options })
    if (tried.end === 'open') return leftOpen(run, tried, result)
    await run.observe(roundObservation(run.step, { check, round, tried }))
    if (tried.end === 'passed') return outcome
    failed.push({ round, text: textOf(tried) })
    if (!heeds) return givenUp([{ round, text: textOf(tried) }])
  }
}

/** Programs come from the plan, and whoever can write a plan must not thereby run a program here. */
async function refusedCommand(
  run: StepRun,
  { commands = [] }: Check,
  { mayRun, runsCommands }: GateOptions,
): Promise<StepOutcome | undefined> {
  for (const command of commands) {
    if (mayRun === undefined ? runsCommands : await mayRun(command, run)) continue
    const message = `its check runs ${commandLine(command)}, and this worker may not run it. Allow steps of kind command: agentm config set harness.kinds agent,approval,command`
    return { end: 'failed', failure: { message, code: 'CHECK_NOT_ALLOWED', retryable: false } }
  }
  return undefined
}

/** Before the first run of the step, so that no run of it can have changed them. */
async function noteProtected(run: StepRun, { protect = [] }: Check): Promise<ProtectedFiles> {
  if (protect.length === 0) return {}
  const files = await protectedFiles(await run.directory(), protect)
  const names = Object.keys(files)
  const content = `${names.length} protected ${names.length === 1 ? 'file' : 'files'}: ${protect.join(', ')}`
  await run.observe(recorded('note', content, { is: 'protected', files: Object.entries(files) }))
  return files
}

/** A result that waits for a person is kept, because the step must not run again for the answer. */
async function leftOpen(
  run: StepRun,
  { outcome, spent, judged }: Extract<Round, { end: 'open' }>,
  result: Step['result'],
): Promise<StepOutcome> {
  const isAsking = outcome.end === 'asks'
  if (!isAsking && spent.tokens === 0) return outcome
  const facts = tryFacts(run.step)
  const kept: CheckRecord | undefined = isAsking
    ? {
        is: 'result',
        ...facts,
        result: result ?? null,
        question: outcome.question.id,
        ...(judged !== undefined && { judged }),
      }
    : undefined
  const content = isAsking ? 'the result waits for an answer' : 'the check could not be finished'
  await run.observe(
    kept === undefined ? { kind: 'note', content, data: costOf(spent) } : recorded('note', content, kept, spent),
  )
  return outcome
}

function roundObservation(
  step: Step,
  {
    check,
    round,
    tried,
  }: { readonly check: Check; readonly round: number; readonly tried: Exclude<Round, { end: 'open' }> },
): NewObservation {
  const passed = tried.end === 'passed'
  const text = textOf(tried)
  const record = { is: 'round', ...tryFacts(step), round, passed, summary: tried.summary, text } as const
  const content = `check ${passed ? 'passed' : 'did not pass'} (round ${round} of ${check.rounds}): ${tried.summary}`
  return recorded('decision', content, record, tried.spent)
}

function textOf(tried: Exclude<Round, { end: 'open' }>): string {
  return 'output' in tried && tried.output !== '' ? `${tried.summary}\n${tried.output}` : tried.summary
}

function recorded(kind: NewObservation['kind'], content: string, check: CheckRecord, spent?: Spend): NewObservation {
  const choice = check.is === 'round' ? { choice: check.passed ? 'done' : 'not done', rationale: check.summary } : {}
  return { kind, content, data: { ...choice, check, ...(spent && costOf(spent)) } }
}

function costOf({ tokens, costMicros }: Spend): Readonly<Record<string, number>> {
  return tokens === 0 ? {} : { tokens, costMicros }
}

/** Without `retryable`, the retry policy of the step decides. */
function givenUp(failed: readonly Pick<FailedCheck, 'round' | 'text'>[], retryable?: boolean): StepOutcome {
  const message = givenUpText(failed)
  return { end: 'failed', failure: { message, code: 'CHECK_FAILED', ...(retryable !== undefined && { retryable }) } }
}

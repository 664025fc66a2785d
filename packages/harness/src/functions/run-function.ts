/** Runs one pass of a function for a claimed step, and says how the step goes on. */
import { isNodesError } from '@agentm/nodes'
import type { StepOutcome, StepRun } from '../step-kind.ts'
import { checkedBy, type DurableFunction } from './durable.ts'
import { nodeFunctionLog } from './node-function-log.ts'
import { Pass } from './pass.ts'
import type { BodyEnd, PassCode } from './pass-code.ts'
import type { Run } from './run.ts'
import { runOfPass } from './run-of-pass.ts'
import { isHarnessError } from '../harness-errors.ts'
import { jsonOf, thrownFacts } from './step-work.ts'

type Fields = Readonly<Record<string, unknown>>

export async function runFunction<I extends Fields, O>(
  durable: DurableFunction<I, O>,
  stepRun: StepRun,
): Promise<StepOutcome> {
  const { planId, owner, log, step, runtime, signal } = stepRun
  const [first] = await log.history(planId, { owner, limit: 1 })
  const pass = new Pass({
    log: nodeFunctionLog(stepRun),
    runtime,
    id: planId,
    ...(step.replays && { seed: step.replays.planId }),
    startedAt: step.replays?.startedAt ?? first?.createdAt ?? stepRun.now(),
    signal,
  })
  stepRun.onNews(() => pass.tellNews())
  const ended = await pass
    .run((code) => runBody(durable, code, step.input ?? {}))
    .catch((error: unknown) => afterLostAnswer(error, stepRun))
  switch (ended.end) {
    case 'done':
      return { end: 'done', result: ended.value === undefined ? {} : { value: ended.value } }
    case 'failed':
      return { end: 'failed', failure: { ...failureOf(ended.error), retryable: false } }
    default:
      return ended
  }
}

/** The answer to an earlier write was lost, and its entry is final. The next pass goes on from what the journal holds. */
function afterLostAnswer(error: unknown, run: StepRun): Extract<StepOutcome, { end: 'waits' }> {
  if (run.signal.aborted || !isNodesError(error, 'GUARD_REFUSED')) throw error
  return { end: 'waits', waitsFor: { for: 'time', until: run.now() + lostAnswerPauseMs } }
}

/** How long to wait before a run whose journal knows more than the pass is passed through again. */
const lostAnswerPauseMs = 100

/** The code of the function, and what has to be taken back if it fails. */
export async function runBody<I extends Fields, O>(
  { shape, body, functionName }: DurableFunction<I, O>,
  code: PassCode,
  input: unknown,
): Promise<BodyEnd> {
  const run = runOfPass(code)
  try {
    const given = await checkedBy(shape.input, input, `the input of ${functionName}`)
    const value = jsonOf(await body(run, given))
    if (shape.output !== undefined) await checkedBy(shape.output, value, `what ${functionName} returned`)
    return { end: 'done', value }
  } catch (error) {
    const problems = await takeBack(run, code)
    if (code.cancelled !== undefined && isHarnessError(error, 'FUNCTION_CANCELLED'))
      return { end: 'cancelled', reason: code.cancelled.reason }
    return { end: 'failed', error: problems.length === 0 ? error : withProblems(error, problems) }
  }
}

/** Takes back the steps that can be, the last one first. What cannot be taken back does not keep the others from it. */
async function takeBack(run: Run, code: PassCode): Promise<readonly string[]> {
  const problems: string[] = []
  for (let next = code.nextUndo(); next !== undefined; next = code.nextUndo()) {
    const { slot, value } = next
    if (slot.work.kind !== 'step') continue
    const { undo, retry } = slot.work.options
    try {
      await run.step(`undo ${slot.name}`, (context) => undo?.(value as never, context), { ...(retry && { retry }) })
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  return problems
}

function withProblems(error: unknown, problems: readonly string[]): Error {
  return new Error(`${thrownFacts(error).message}; and this could not be taken back: ${problems.join('; ')}`)
}

function failureOf(error: unknown): { readonly message: string; readonly code?: string } {
  const { message, code } = thrownFacts(error)
  return { message, ...(code !== undefined && { code }) }
}

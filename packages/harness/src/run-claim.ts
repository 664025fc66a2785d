/**
 * Runs one claim, from its first check to its last write. Whatever happens, the step ends in a state from which another worker can
 * continue.
 */
import { type Draft, type Durability, isNodesError } from '@agentm/nodes'
import type { CheckOptions } from './checks/check-options.ts'
import { runGated } from './checks/gate.ts'
import type { Claim, ClaimWrite } from './claim.ts'
import { firmly } from './firmly.ts'
import type { StepHead } from './harness-context.ts'
import { isHarnessError } from './harness-errors.ts'
import { endPlan } from './plan-control.ts'
import { observationName } from './pure/concept-names.ts'
import { outcomeOf } from './pure/outcome-of.ts'
import { afterFailure } from './pure/retry-time.ts'
import { blockDraft, completeDraft, failDraft, intentDraft, retryDraft } from './pure/step-drafts.ts'
import { DeadlineSignal, ShutdownSignal, UntrustedSignal } from './run-endings.ts'
import type { Runtime } from '@agentm/agent-loop'
import type { Failure } from './step.ts'
import type { NewObservation, StepKind, StepOutcome, StepRun } from './step-kind.ts'
import { stepRun } from './step-run.ts'

export interface RunSettings {
  readonly kinds: ReadonlyMap<string, StepKind>
  readonly runtime: Runtime
  /** The clock of the store. */
  readonly now: () => number
  readonly directoryOf: (run: StepRun) => Promise<string>
  readonly checks: CheckOptions
  /** Called when the kind has finished and only the result must be written, with the durability of that write. */
  readonly onEnding: (durability: Durability) => void
  /** Called with an error in the code of a kind. The step fails with its message; the worker's `onError` gets it, too. */
  readonly onError: (error: unknown) => void
}

/** How one run of a claimed step ended. */
export interface RunReport {
  readonly claim: Claim
  readonly ended: 'done' | 'failed' | 'blocked' | 'released' | 'fenced' | 'left'
}

export async function runClaim(claim: Claim, settings: RunSettings): Promise<RunReport> {
  const kind = settings.kinds.get(claim.step.payload.kind ?? 'agent')
  if (kind === undefined) throw new TypeError(`${claim.step.id} was claimed, and its kind is not run here`)
  let outcome: Finished
  let intended = false
  try {
    const effectful = (claim.step.payload.nature ?? kind.natureOf?.(claim.step.payload) ?? 'idempotent') === 'effectful'
    if (claim.ending !== undefined) throw claim.ending
    // The intent is on disk before the run begins, so that after a crash it is known that the effect may have happened. The claim
    // may already have written it.
    if (effectful && claim.step.payload.intentAt === undefined)
      await writeFirmly(claim, settings, [intentDraft(claim.step, settings.now())], { durability: 'full' })
    intended = effectful
    outcome = await runKind(claim, kind, settings)
  } catch (error) {
    outcome = { failure: failureOf(error) }
  }
  return finish(claim, settings, outcome, intended)
}

type Finished =
  | Exclude<StepOutcome, { end: 'failed' }>
  | { readonly failure: Failure; readonly observation?: NewObservation }

async function runKind(claim: Claim, kind: StepKind, settings: RunSettings): Promise<Finished> {
  const given: unknown = await inTime(claim, settings.runtime, gated(claim, kind, settings))
  const checked = outcomeOf(given, kind.name)
  // Another run would return the same, because the mistake is in the code of the kind.
  if ('wrong' in checked) {
    settings.onError(new TypeError(checked.wrong))
    return { failure: { cause: 'step', message: checked.wrong, code: 'BAD_OUTCOME', retryable: false } }
  }
  const { outcome } = checked
  if (outcome.end !== 'failed') return outcome
  const { failure, observation } = outcome
  const cause = claim.ending instanceof DeadlineSignal ? 'timeout' : 'step'
  return { failure: { ...failureOf(failure), cause }, ...(observation && { observation }) }
}

async function gated(claim: Claim, kind: StepKind, settings: RunSettings): Promise<StepOutcome> {
  const run = stepRun(claim, settings)
  return claim.step.payload.check === undefined
    ? kind.run(run)
    : runGated(run, kind, { ...settings.checks, runsCommands: settings.kinds.has('command') })
}

/** Resolves with the run, or rejects when its time is over. Timers are set only for runs that have a deadline or are asked to end. */
async function inTime<T>(claim: Claim, runtime: Runtime, run: Promise<T>): Promise<T> {
  const { timeoutMs } = claim.step.payload
  const timers: AbortController[] = []
  const afterwards = (ms: number, act: () => void): void => {
    const timer = new AbortController()
    timers.push(timer)
    runtime.sleep(ms, timer.signal).then(act, () => undefined)
  }
  if (timeoutMs !== undefined) afterwards(timeoutMs, () => claim.end(new DeadlineSignal(timeoutMs)))
  const overstayed = new Promise<never>((_, reject) => {
    // A run that ignores its signal is abandoned: its slot is free for another step, and its writes are refused.
    claim.whenEnding(() => afterwards(partingMs, () => reject(claim.ending)))
  })
  try {
    return await Promise.race([run, overstayed])
  } finally {
    claim.whenEnding(() => undefined)
    for (const timer of timers) timer.abort(runOver)
  }
}

const partingMs = 5000
/** One shared reason, because an abort without a reason creates an error with a stack each time. */
const runOver = new Error('the run is over')

/** Reads a thrown value: its message, whether a retry may help, and how long to wait. */
function failureOf(error: unknown): Failure {
  const facts: { message?: unknown; retryable?: unknown; retryAfterMs?: unknown; code?: unknown } =
    typeof error === 'object' && error !== null ? error : { message: String(error) }
  return {
    cause: error instanceof DeadlineSignal ? 'timeout' : 'step',
    message: typeof facts.message === 'string' && facts.message !== '' ? facts.message : 'it failed without saying why',
    ...(typeof facts.retryable === 'boolean' && { retryable: facts.retryable }),
    ...(typeof facts.retryAfterMs === 'number' && facts.retryAfterMs >= 0 && { retryAfterMs: facts.retryAfterMs }),
    ...(typeof facts.code === 'string' && { code: facts.code }),
  }
}

async function finish(claim: Claim, settings: RunSettings, outcome: Finished, intended = false): Promise<RunReport> {
  const { ending } = claim
  const durability = intended && !('failure' in outcome) ? 'full' : 'normal'
  settings.onEnding(durability)
  const report = (ended: RunReport['ended']): RunReport => ({ claim, ended })
  try {
    if (isHarnessError(ending, 'FENCED')) throw ending
    // A step that another worker may have taken over is not changed: the version check would refuse the write, and the next sweep decides.
    if (ending instanceof UntrustedSignal) return report('left')
    if (ending instanceof ShutdownSignal && 'failure' in outcome) {
      if (intended) return report('left')
      await writeFirmly(claim, settings, releaseDrafts(claim.step, settings.now()))
      return report('released')
    }
    if ('failure' in outcome) {
      await writeFirmly(claim, settings, failureDrafts(claim, outcome, settings.now()))
      return report('failed')
    }
    if (outcome.end === 'cancelled') {
      await endPlan(claim.context, claim.step.payload.planId, { status: 'cancelled', errorMessage: outcome.reason })
      return report('failed')
    }
    if (outcome.end === 'asks') {
      const { question } = outcome
      await writeFirmly(claim, settings, [blockDraft(claim.step, { for: 'answer', question })])
      return report('blocked')
    }
    if (outcome.end === 'waits') {
      const { waitsFor, drafts = [] } = outcome
      if (waitsFor.for === 'code') settings.onError(new Error(waitsFor.message))
      await writeFirmly(claim, settings, [...drafts, blockDraft(claim.step, waitsFor)])
      return report('blocked')
    }
    const { result, observation } = outcome
    const done = completeDraft(claim.step, { ...(result && { result }), at: settings.now() })
    await writeFirmly(claim, settings, [...observed(claim, observation), done], { durability })
    return report('done')
  } catch (error) {
    // A result that the store cannot hold, such as a value that is not JSON, fails the step.
    if (isNodesError(error, 'INVALID_PAYLOAD') && !('failure' in outcome))
      return finish(claim, settings, { failure: { ...failureOf(error), retryable: false } }, intended)
    if (isNodesError(error, 'INVALID_PAYLOAD') && 'failure' in outcome && outcome.observation !== undefined)
      return finish(claim, settings, { failure: outcome.failure }, intended)
    if (!isHarnessError(error, 'FENCED')) throw error
    await recordFenced(claim, error.message)
    return report('fenced')
  }
}

function failureDrafts(
  claim: Claim,
  { failure, observation }: { readonly failure: Failure; readonly observation?: NewObservation },
  at: number,
): readonly Draft[] {
  const { failures, retryAt } = afterFailure(claim.step.payload, failure, at)
  const error = observation ?? {
    kind: 'error',
    content: failure.message,
    data: { message: failure.message, cause: failure.cause },
  }
  return [
    ...observed(claim, error),
    failDraft(claim.step, { failure, at, failures, ...(retryAt !== undefined && { retryAt }) }),
  ]
}

/** Makes the step ready for another worker, with the attempt number raised by one and no retry used up. */
function releaseDrafts(step: StepHead, at: number): readonly Draft[] {
  const failure: Failure = { cause: 'shutdown', message: 'its worker was stopped' }
  return [failDraft(step, { failure, at }), retryDraft(step)]
}

function observed(claim: Claim, observation: NewObservation | undefined): readonly Draft[] {
  return observation === undefined ? [] : [observationDraft(claim.step, observation)]
}

export function observationDraft({ id, payload }: StepHead, { kind, content, data }: NewObservation): Draft {
  return {
    concept: observationName,
    payload: { stepId: id, planId: payload.planId, kind, content, ...(data && { data }) },
    mutation: 'recordHarnessObservation',
  }
}

/** The finished work must not run again because the store was busy for a moment. */
async function writeFirmly(
  claim: Claim,
  { runtime }: RunSettings,
  drafts: readonly Draft[],
  options: ClaimWrite = {},
): Promise<void> {
  await firmly(() => claim.write(drafts, options), { runtime, isOver: () => claim.ending instanceof UntrustedSignal })
}

async function recordFenced({ step, fence, context }: Claim, why: string): Promise<void> {
  const { store, owner, actor } = context
  const data = { fenced: true, attempt: step.payload.attempt, version: fence, session: step.session ?? null }
  const draft = observationDraft(step, { kind: 'note', content: why, data })
  await store.log.append([draft], { owner, actor, partition: step.partition, durability: 'normal' })
}

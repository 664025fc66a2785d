/** The command that helps a row which nothing moves by itself; nothing where it only takes time. */
import type { Waiting } from '@agentm/harness'
import { defaultAnswer } from './default-answer.ts'
import { shortId } from './short-id.ts'

export interface RowSurroundings {
  readonly paused: boolean
  readonly isRunnerLive: boolean
  /** How many live workers would take steps of the plan. */
  readonly workers: number
  /** It could be claimed, and none of them runs its kind. */
  readonly lacks: boolean
  /** Kinds that this user's config allows. */
  readonly allowed: readonly string[]
  /** In epoch milliseconds. */
  readonly now: number
}

/** What comes sooner is waited for. */
const soonMs = 60_000

export function whatHelps(row: Waiting, around: RowSurroundings): string | undefined {
  const { paused, isRunnerLive, workers, lacks, allowed, now } = around
  const { ask, status, until, kind } = row
  const [step, plan] = [shortId(row.stepId), shortId(row.planId)]
  // Once its deadline has passed, a question is answered by whoever looks at it.
  if (ask !== undefined && (until === undefined || until > now))
    return `agentm approve ${step}${answerOption(ask.allowed)}`
  if (paused && status !== 'running' && status !== 'pending') return `agentm resume ${plan}`
  if (status === 'running') return isRunnerLive || workers > 0 ? undefined : startWorker
  if (lacks) return allowed.includes(kind) ? startWorker : `${allowKinds([...allowed, kind])} && ${startWorker}`
  const isFar = until !== undefined && until - now > soonMs
  if (status === 'failed' && isFar) return `agentm retry ${step}${workers === 0 ? ` && ${startWorker}` : ''}`
  return workers === 0 && !isFar && goesOnByItself(row) ? startWorker : undefined
}

export const startWorker = 'agentm worker'

/** It waits for nothing but a time, or for somebody to look. */
function goesOnByItself({ status, until, waitsFor }: Waiting): boolean {
  if (status === 'blocked') return until !== undefined
  return status !== 'pending' || (waitsFor.for === 'steps' && waitsFor.count === 0)
}

export function allowKinds(kinds: readonly string[]): string {
  return `agentm config set harness.kinds ${kinds.join(',')}`
}

function answerOption(allowed: readonly string[] | undefined): string {
  if (defaultAnswer(allowed) !== undefined) return ''
  return ` --answer ${allowed === undefined ? 'TEXT' : 'ANSWER'}`
}

/** The command that helps a step which does not continue by itself; nothing for a step that only needs time. */
import type { Waiting } from '@agentm/harness'
import { ownKindNames } from '@agentm/harness/control'
import { defaultAnswer } from './default-answer.ts'
import { shortId } from './short-id.ts'

export interface RowSurroundings {
  readonly paused: boolean
  readonly isRunnerLive: boolean
  /** How many live workers would take steps of the plan. */
  readonly workers: number
  /** It is ready, but none of the live workers runs its kind. */
  readonly lacks: boolean
  /** Kinds that this user's config allows. */
  readonly allowed: readonly string[]
  /** In epoch milliseconds. */
  readonly now: number
}

/** A step that is due sooner needs no command. */
const soonMs = 60_000

export function whatHelps(row: Waiting, around: RowSurroundings): string | undefined {
  const { paused, isRunnerLive, workers, lacks, allowed, now } = around
  const { ask, status, until, kind } = row
  const step = shortId(row.stepId)
  // After its deadline a question is closed by the next worker that sees it.
  if (ask !== undefined && (ask.deadline ?? Infinity) > now) return `agentm approve ${step}${answerOption(ask.allowed)}`
  if (paused && status !== 'running' && status !== 'pending') return resumePlan(row.planId)
  if (status === 'running') return isRunnerLive || workers > 0 ? undefined : startWorker
  if (lacks)
    return allowed.includes(kind) || ownKindNames.includes(kind)
      ? startWorker
      : `${allowKinds([...allowed, kind])} && ${startWorker}`
  if (row.waitsFor.for === 'signal') return `agentm signal ${shortId(row.planId)} ${row.waitsFor.names[0] ?? 'NAME'}`
  const isFar = until !== undefined && until - now > soonMs
  if (status === 'failed' && isFar) return `agentm retry ${step}${workers === 0 ? ` && ${startWorker}` : ''}`
  return workers === 0 && !isFar && goesOnByItself(row) ? startWorker : undefined
}

export const startWorker = 'agentm worker'

export function resumePlan(planId: string): string {
  return `agentm resume ${shortId(planId)}`
}

/** It waits only for a time, or for a worker. */
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

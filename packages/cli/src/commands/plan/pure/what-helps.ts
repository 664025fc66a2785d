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
}

export function whatHelps(row: Waiting, around: RowSurroundings): string | undefined {
  const { paused, isRunnerLive, workers, lacks, allowed } = around
  const [step, plan] = [shortId(row.stepId), shortId(row.planId)]
  if (row.ask !== undefined) return `agentm approve ${step}${answerOption(row.ask.allowed)}`
  if (paused && (row.status === 'ready' || row.status === 'blocked')) return `agentm resume ${plan}`
  if (row.status === 'running') return isRunnerLive || workers > 0 ? undefined : 'agentm worker'
  if (lacks)
    return allowed.includes(row.kind) ? 'agentm worker' : `${allowKinds([...allowed, row.kind])} && agentm worker`
  return workers === 0 && row.status !== 'blocked' && row.status !== 'pending' ? 'agentm worker' : undefined
}

export function allowKinds(kinds: readonly string[]): string {
  return `agentm config set harness.kinds ${kinds.join(',')}`
}

function answerOption(allowed: readonly string[] | undefined): string {
  if (defaultAnswer(allowed) !== undefined) return ''
  return ` --answer ${allowed === undefined ? 'TEXT' : allowed.join('|')}`
}

/** The command that helps a row which nothing moves by itself; nothing where it only takes time. */
import type { Waiting } from '@agentm/harness'
import { defaultAnswer } from './default-answer.ts'
import { shortId } from './short-id.ts'

export interface RowSurroundings {
  readonly paused: boolean
  readonly isRunnerLive: boolean
  /** How many live sessions there are. */
  readonly workers: number
}

export function whatHelps(row: Waiting, { paused, isRunnerLive, workers }: RowSurroundings): string | undefined {
  const [step, plan] = [shortId(row.stepId), shortId(row.planId)]
  if (row.ask !== undefined) return `agentm approve ${step}${answerOption(row.ask.allowed)}`
  if (paused && (row.status === 'ready' || row.status === 'blocked')) return `agentm resume ${plan}`
  if (row.status === 'running') return isRunnerLive || workers > 0 ? undefined : 'agentm worker'
  return workers === 0 && row.status !== 'blocked' && row.status !== 'pending' ? 'agentm worker' : undefined
}

function answerOption(allowed: readonly string[] | undefined): string {
  if (defaultAnswer(allowed) !== undefined) return ''
  return ` --answer ${allowed === undefined ? 'TEXT' : allowed.join('|')}`
}

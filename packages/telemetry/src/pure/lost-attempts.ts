/** The attempts of a step of a function whose worker was lost. No version says so; it shows in what was written next. */
import type { Node } from '@agentm/nodes'
import { entryFacts } from './node-facts.ts'

type Version = Pick<Node, 'version' | 'status' | 'payload' | 'createdAt'>

export interface LostAttempt {
  /** How often the step had failed before. */
  readonly attempt: number
  readonly from: number
  /** When it was noticed. */
  readonly until: number
}

/** What is recorded while a person is asked, also about an attempt whose outcome is unknown. None of it is an attempt. */
export const questionStates: readonly string[] = ['asking', 'answered', 'withdrawn']

export function isQuestion({ status }: Pick<Node, 'status'>): boolean {
  return status !== undefined && questionStates.includes(status)
}

/**
 * `versions` are those of the step up to the one that ended it. `endedByAttempt`: its last attempt ended it, and not what a person said
 * about a lost one.
 */
export function lostAttempts(versions: readonly Version[], endedByAttempt: boolean): readonly LostAttempt[] {
  const lost: LostAttempt[] = []
  let running: { readonly attempt: number; readonly from: number } | undefined
  for (const version of versions.filter((each) => !isQuestion(each))) {
    const { startedAt: from = version.createdAt, failures: attempt } = entryFacts(version)
    const isLast = version === versions.at(-1)
    if (running !== undefined && running.from !== from) lost.push({ ...running, until: from })
    else if (running !== undefined && isLast && !endedByAttempt) lost.push({ ...running, until: version.createdAt })
    running = version.status === 'running' ? { attempt, from } : undefined
  }
  return lost
}

/** When its first attempt began. */
export function firstAttemptAt(versions: readonly Version[]): number | undefined {
  return versions.map((version) => entryFacts(version).startedAt).find((at) => at !== undefined)
}

/** Whether a version before the last one already says that the attempt which it tells of had begun. */
export function wasSeenRunning(versions: readonly Version[], ending: Version): boolean {
  const { startedAt } = entryFacts(ending)
  return versions.some((each) => each.status === 'running' && entryFacts(each).startedAt === startedAt)
}

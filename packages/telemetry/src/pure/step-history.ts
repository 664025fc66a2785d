/** What the versions of a step tell about its earlier life. Asked only where one version does not tell enough. */
import type { Node } from '@agentm/nodes'
import { claimMutation, retryMutation, stepFacts } from './node-facts.ts'

type Version = Pick<Node, 'version' | 'status' | 'payload' | 'createdAt' | 'provenanceMutation'>

/** When the step was claimed for the first time; `undefined` if it never was. */
export function firstClaimAt(versions: readonly Version[]): number | undefined {
  return versions.find(({ provenanceMutation }) => provenanceMutation === claimMutation)?.createdAt
}

/** The claim that the step ran under at a time. */
export function claimAt<V extends Version>(versions: readonly V[], at: number): V | undefined {
  return versions.findLast(
    ({ provenanceMutation, createdAt }) => provenanceMutation === claimMutation && createdAt <= at,
  )
}

/** The claim that this version ended; `undefined` if nobody had claimed the step. */
export function claimBefore<V extends Version>(versions: readonly V[], ending: Version): V | undefined {
  const before = versions.filter(({ version }) => version < ending.version)
  const beginning = before.slice(before.findLastIndex(({ status }) => status !== 'running') + 1)
  return beginning.find(({ provenanceMutation }) => provenanceMutation === claimMutation)
}

/** Whether the step has already ended before this version, and was continued by hand. */
export function stepEndedBefore(versions: readonly Version[], ending: Version): boolean {
  return versions.some((each, i) => each.version < ending.version && endsStep(each, versions[i + 1]))
}

/** `next` is the version after it, if there is one yet. */
export function endsStep(step: Version, next: Version | undefined): boolean {
  if (step.status === 'done') return true
  if (step.status !== 'failed' || stepFacts(step).hasRetry) return false
  // The worker of a step that is handed back writes both versions at once.
  return next?.provenanceMutation !== retryMutation || next.createdAt !== step.createdAt
}

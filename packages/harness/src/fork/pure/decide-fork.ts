/**
 * Which steps of a plan run anew in a fork, and which are carried over as done. What does not depend on the chosen step, and is done, is
 * carried over. Everything else runs anew.
 */
import type { Step } from '../../step.ts'

export interface ForkedStep {
  readonly id: string
  readonly redacted: boolean
  readonly payload: Pick<Step, 'dependsOn' | 'status'>
}

export interface ForkDecision {
  readonly carried: ReadonlySet<string>
  readonly anew: ReadonlySet<string>
}

/** Without `from`, every step runs anew. */
export function decideFork(steps: readonly ForkedStep[], from: string | undefined): ForkDecision {
  const after = from === undefined ? new Set(steps.map(({ id }) => id)) : withDependents(steps, from)
  const carried = new Set(
    steps.filter(({ id, payload }) => payload.status === 'done' && !after.has(id)).map(({ id }) => id),
  )
  return { carried, anew: new Set(steps.filter(({ id }) => !carried.has(id)).map(({ id }) => id)) }
}

/** The step, and every step that waits for it, directly or over others. */
function withDependents(steps: readonly ForkedStep[], from: string): ReadonlySet<string> {
  const dependents = new Map<string, string[]>()
  for (const { id, payload } of steps)
    for (const other of payload.dependsOn) (dependents.get(other) ?? newList(dependents, other)).push(id)
  const found = new Set([from])
  // A set that grows while it is walked is walked to its end.
  for (const id of found) for (const dependent of dependents.get(id) ?? []) found.add(dependent)
  return found
}

function newList(lists: Map<string, string[]>, key: string): string[] {
  const list: string[] = []
  lists.set(key, list)
  return list
}

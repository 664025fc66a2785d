/** What a worker publishes in its session, so that readers can tell which steps have a worker. */
import type { Session } from '@agentm/nodes'

export interface Serving {
  readonly owners: readonly string[]
  /** The kinds of steps it runs. */
  readonly kinds: readonly string[]
  /** The plans it may run (default: every plan). */
  readonly plans?: readonly string[]
}

export function servingFacts(serving: Serving): Session['facts'] {
  return { serves: JSON.stringify(serving) }
}

/**
 * `undefined` for a session that is not a worker's.
 *
 * @example
 * ```ts
 * import { servingOf } from '@agentm/harness'
 *
 * console.log(servingOf({ facts: {} })) // undefined
 * ```
 */
export function servingOf({ facts }: Pick<Session, 'facts'>): Serving | undefined {
  const { serves } = facts
  if (serves === undefined) return undefined
  try {
    const { owners, kinds, plans }: { owners?: unknown; kinds?: unknown; plans?: unknown } = JSON.parse(serves)
    return { owners: texts(owners), kinds: texts(kinds), ...(plans !== undefined && { plans: texts(plans) }) }
  } catch {
    // Sessions of other programs can have any facts.
    return undefined
  }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

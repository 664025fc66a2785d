/** Chooses the plans and agent sessions that may leave the log, and removes them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Head } from '@agentm/nodes'
import { findHolds, type LearningPosition } from './find-holds.ts'
import { findMembers } from './find-members.ts'
import { nodesOfGroup } from './nodes-of-group.ts'
import { decideRetention, type RetentionDecision, type RetentionRule } from './pure/decide-retention.ts'
import { type LeavingNode, type Removal, removeNodes } from './remove-nodes.ts'
import type { RetentionContext } from './retention-context.ts'

/** What was chosen, and the ways to remove it. */
export interface Chosen extends RetentionDecision {
  /** All nodes that leave, with the root of their group, in the order in which they can be removed. */
  nodes(): AsyncIterable<{ readonly group: string; readonly head: Head }>
  /** Removes the given nodes (default: all), in small transactions. What became needed in between stays. */
  remove(options?: ChosenRemoval): Promise<Removal>
}

/** Options of `Chosen.remove`. */
export interface ChosenRemoval {
  readonly nodes?: AsyncIterable<LeavingNode>
  readonly signal?: AbortSignal
  readonly onProgress?: (removal: Removal) => void
}

/** Options of `chooseGroups`. */
export interface ChooseOptions {
  readonly rule: RetentionRule
  /** How far learning has read; what it has not read stays. Without it, that makes no difference. */
  readonly learning?: LearningPosition | undefined
}

/**
 * Chooses the ended plans and agent sessions of an owner that are old enough and that nothing needs any more.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { harnessConcepts } from '@agentm/harness'
 * import { chooseGroups } from '@agentm/harness/retention'
 *
 * const store = createInMemoryStore({ concepts: harnessConcepts })
 * const chosen = await chooseGroups({ store, owner: 'ada', concepts: harnessConcepts }, { rule: { before: Date.now() } })
 * console.log(chosen.leave.length, (await chosen.remove()).nodes) // 0 0
 * ```
 */
export async function chooseGroups(context: RetentionContext, { rule, learning }: ChooseOptions): Promise<Chosen> {
  // First, because what is written while the rest is read counts as new.
  const chosenAt = await context.store.log.position()
  const found = await findMembers(context)
  const holds = await findHolds(context, found.members, learning)
  const decision = decideRetention(found.members, rule, holds)
  const roots = new Map(decision.leave.flatMap(({ root, members }) => members.map(({ id }) => [id, root.id] as const)))
  async function* nodes() {
    for (const group of decision.leave)
      for await (const head of nodesOfGroup(context, found, group)) yield { group: group.root.id, head }
  }
  return {
    ...decision,
    nodes,
    remove: async ({ nodes: given, ...options } = {}) =>
      removeNodes(context, given ?? leaving(nodes()), {
        chosenAt,
        groupOf: (id) => roots.get(id),
        sleep: async (ms) => sleep(ms),
        ...options,
      }),
  }
}

async function* leaving(
  nodes: AsyncIterable<{ readonly group: string; readonly head: Head }>,
): AsyncGenerator<LeavingNode> {
  for await (const { group, head } of nodes) yield { group, id: head.id, version: head.version }
}

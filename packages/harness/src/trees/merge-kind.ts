/** The step at the end of a plan that keeps work apart: it brings what the steps changed together, in the order of the plan. */
import type { StepKind } from '../step-kind.ts'
import type { Trees } from './trees.ts'
import { mergeKindName } from './pure/merge-kind-name.ts'
import { changedFiles } from './worktree.ts'

/**
 * Steps of kind `merge`. Their tree is the merged result; conflicts become questions.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { harnessConcepts } from '@agentm/harness'
 * import { mergeKind, openTrees } from '@agentm/harness/trees'
 *
 * const { log } = createInMemoryStore({ concepts: harnessConcepts })
 * console.log(mergeKind(openTrees({ log, root: '/home/ada/.agentm/trees' })).name) // merge
 * ```
 */
export function mergeKind(trees: Trees): StepKind {
  return {
    name: mergeKindName,
    natureOf: () => 'idempotent',
    async run(run) {
      const place = await trees.of(run)
      if (place === undefined)
        return {
          end: 'failed',
          failure: { message: 'its plan keeps no work apart, so there is nothing to merge', retryable: false },
        }
      // Makes the tree with the merged result, where people can look at it.
      await run.directory()
      const commit = await place.merged()
      const files = await changedFiles(await place.repository(), { from: place.trees.base, to: commit })
      return { end: 'done', result: { commit, branch: place.mergedBranch, files } }
    },
  }
}

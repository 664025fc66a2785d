/** Steps that do nothing but carry a check: the last step of a plan that has one. */
import type { StepKind } from '../step-kind.ts'
import { checkKindName } from './pure/check-kind-name.ts'

/**
 * The kind of the step that carries the check of a plan. It does nothing itself. A worker that is to finish plans with a check needs
 * it.
 *
 * @example
 * ```ts
 * import { checkKind } from '@agentm/harness'
 *
 * console.log(checkKind().name) // check
 * ```
 */
export function checkKind(): StepKind {
  return { name: checkKindName, natureOf: () => 'pure', run: async () => ({ end: 'done' }) }
}

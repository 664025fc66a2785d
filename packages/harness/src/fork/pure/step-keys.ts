/**
 * The keys of the steps of a plan. Steps that older versions wrote do not say theirs, but an id follows from its key: so a key that
 * another step names is known again by its id.
 */
import { controlledStepSchema } from '../../control/controlled-step.ts'
import { controlKindName } from '../../control/pure/control-kind-name.ts'
import { functionStepKey } from '../../functions/pure/function-kind-name.ts'
import { stepIdIn } from '../../pure/step-id-in.ts'
import type { Step } from '../../step.ts'

interface KeyedStep {
  readonly id: string
  readonly payload: Pick<Step, 'key' | 'kind' | 'input' | 'title'>
}

/** Keys that steps have which no plan file names. */
const ownKeys = [functionStepKey, 'merge', 'merge-results', 'check', 'check-2']

/** By id. A step whose key cannot be told has the end of its id instead. */
export function stepKeys(planId: string, steps: readonly KeyedStep[]): ReadonlyMap<string, string> {
  const named = [...ownKeys, ...steps.flatMap(namesIn)]
  const byId = new Map(named.map((key) => [stepIdIn(planId, key), key]))
  return new Map(
    steps.map(({ id, payload: { key } }) => {
      const isOwn = key !== undefined && stepIdIn(planId, key) === id
      return [id, isOwn ? key : (byId.get(id) ?? id.slice(id.lastIndexOf(':') + 1))]
    }),
  )
}

/** The title of a step is often its key. */
function namesIn({ payload: { title, kind, input } }: KeyedStep): readonly string[] {
  const controlled = kind === controlKindName ? controlledStepSchema.safeParse(input).data : undefined
  return [title, ...(controlled === undefined ? [] : [controlled.key, ...controlled.needs.map(({ key }) => key)])]
}

/** The place that somebody names to run a plan again from: a step, or something that a durable function of it recorded. */
import { type Node, parseId } from '@agentm/nodes'
import type { Recorded } from '../functions/function-log.ts'
import { readEntries } from '../functions/node-function-log.ts'
import { isFunctionKind } from '../functions/pure/function-kind-name.ts'
import type { HarnessContext } from '../harness-context.ts'
import { ForkRefusedError } from '../harness-errors.ts'
import { stepName } from '../pure/concept-names.ts'
import type { Step } from '../step.ts'

export interface ForkPoint {
  readonly step: Node<Step>
  /** What the function of the step had recorded, up to and without the place from which it goes on live. */
  readonly recorded?: readonly Recorded[]
  /** That place. */
  readonly position?: number
}

interface Named {
  readonly planId: string
  readonly words: string
  readonly steps: readonly Node<Step>[]
  readonly keys: ReadonlyMap<string, string>
}

export async function findForkPoint(context: HarnessContext, named: Named): Promise<ForkPoint> {
  const { planId, steps, words } = named
  const step = stepNamed(named)
  if (step !== undefined) return { step }
  const inFunctions = await recordedAs(context, named)
  const [only, ...others] = inFunctions
  if (only === undefined)
    throw new ForkRefusedError(planId, [
      `it has no step ${JSON.stringify(words)}. Its steps are: ${steps.map(({ id }) => named.keys.get(id) ?? '').join(', ')}`,
    ])
  if (others.length > 0)
    throw new ForkRefusedError(planId, [
      `${JSON.stringify(words)} was recorded ${inFunctions.length} times. Name one of them: ${inFunctions.map(placeText).join(', ')}`,
    ])
  return only
}

function placeText({ position }: ForkPoint): string {
  return `#${position ?? 0}`
}

/** By its id, its key, the beginning of its id, or its title. */
function stepNamed({ planId, words, steps, keys }: Named): Node<Step> | undefined {
  const bare = [planId, parseId(planId).short].reduce(
    (rest, plan) => (rest.startsWith(`${plan}/`) ? rest.slice(plan.length + 1) : rest),
    words,
  )
  const known = (is: (step: Node<Step>) => boolean) => steps.filter(is)
  const ways = [
    known(({ id }) => id === bare || keys.get(id) === bare || id === `${stepName}:${bare}`),
    known(({ payload }) => payload.title === bare),
    bare.length < leastBeginning ? [] : known(({ id }) => parseId(id).short.startsWith(bare)),
  ]
  const found = ways.find((way) => way.length > 0) ?? []
  if (found.length > 1)
    throw new ForkRefusedError(planId, [
      `${JSON.stringify(words)} fits ${found.length} of its steps. Name one by its key: ${found.map(({ id }) => keys.get(id)).join(', ')}`,
    ])
  return found[0]
}

/** Fewer characters would often match several ids by chance. */
const leastBeginning = 4

/** What functions of the plan recorded under this name, or at this position, written `#7`. */
async function recordedAs(context: HarnessContext, { words, steps }: Named): Promise<readonly ForkPoint[]> {
  const { store, owner } = context
  const position = /^#(\d+)$/.exec(words)?.[1]
  const functions = steps.filter(({ payload, redacted }) => !redacted && isFunctionKind(payload.kind))
  const found = await Promise.all(
    functions.map(async (step) => {
      const recorded = await readEntries(store.log, { owner, stepId: step.id })
      return recorded
        .filter(({ entry }) => entry.position >= 0)
        .filter(({ entry }) => (position === undefined ? entry.name === words : entry.position === Number(position)))
        .map(({ entry }): ForkPoint => ({ step, recorded, position: entry.position }))
    }),
  )
  return found.flat()
}

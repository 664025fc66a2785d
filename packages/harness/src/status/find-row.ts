/**
 * Finds a plan or step by its id, by the beginning of its id, or as `PLAN/KEY` for a step and its key. Rows of another owner count
 * as absent.
 */
import { AbsentNodeError, type Head, parseId, scanAll } from '@agentm/nodes'
import { stepIdIn } from '../pure/step-id-in.ts'
import type { HarnessContext } from '../harness-context.ts'
import { AmbiguousIdError } from '../harness-errors.ts'
import { planName, stepName } from '../pure/concept-names.ts'

/** A plan or step that was found by its id, the beginning of its id, or `PLAN/KEY`. */
export interface FoundRow {
  readonly of: 'plan' | 'step'
  readonly id: string
  /** Its content was permanently deleted. */
  readonly erased: boolean
}

export async function findRow(context: HarnessContext, words: string): Promise<FoundRow> {
  const slash = words.indexOf('/')
  const found =
    (await byId(context, words)) ??
    (slash < 0
      ? await byBeginning(context, words)
      : await byKey(context, words.slice(0, slash), words.slice(slash + 1)))
  if (found === undefined) throw new AbsentNodeError(words)
  return { of: found.concept === planName ? 'plan' : 'step', id: found.id, erased: found.redacted }
}

async function byKey(context: HarnessContext, plan: string, key: string): Promise<Head | undefined> {
  const { of, id } = await findRow(context, plan)
  return of === 'plan' ? latest(context, stepIdIn(id, key)) : undefined
}

async function byId(context: HarnessContext, words: string): Promise<Head | undefined> {
  if ([planName, stepName].some((name) => words.startsWith(`${name}:`))) return latest(context, words)
  // No id contains spaces or colons.
  if (words === '' || /[\s:]/.test(words)) return undefined
  return (await latest(context, `${planName}:${words}`)) ?? latest(context, `${stepName}:${words}`)
}

/** Fewer characters would often match several ids by chance. */
const leastBeginning = 4

async function byBeginning({ store, owner }: HarnessContext, words: string): Promise<Head | undefined> {
  if (words.length < leastBeginning) return undefined
  for (const concept of [planName, stepName]) {
    const heads = await scanAll(store.log, { owner, concepts: [concept] })
    const [first, ...others] = heads.filter(({ id }) => parseId(id).short.startsWith(words))
    if (first !== undefined && others.length > 0)
      throw new AmbiguousIdError(
        words,
        [first, ...others].map(({ id }) => id),
      )
    if (first !== undefined) return first
  }
  return undefined
}

function latest({ store, owner }: HarnessContext, id: string): Promise<Head | undefined> {
  return store.log.latest(id, { owner })
}

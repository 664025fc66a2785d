/** Completes the arguments of a recall: fills in defaults and limits numbers to their range. A number never causes an error. */
import { InvalidQueryError } from '../errors.ts'
import type { ConceptSet } from '../concept.ts'
import type { RecallQuery } from '../recall-store.ts'
import { checkOwner } from './prepare-append.ts'
import { defaultWeights, type RecallWeights } from './recall-score.ts'

/** A recall with a value for every argument. */
export interface RecallArguments {
  readonly owner: string
  readonly text: string
  readonly k: number
  readonly concepts: readonly string[] | undefined
  readonly partitions: readonly string[] | undefined
  readonly status: readonly string[] | undefined
  /** Nodes created before this time are not returned; in epoch milliseconds. */
  readonly notBefore: number | undefined
  readonly weightsOf: (concept: string) => RecallWeights
}

const kLimit = 1000
const weightLimit = 1e6
const secondsLimit = 1e10

/** A recall with its defaults filled in and its numbers within their limits. */
export function recallArguments(query: RecallQuery, concepts: ConceptSet, at: number): RecallArguments {
  checkOwner(query.owner)
  if (typeof query.text !== 'string' || query.text.trim() === '')
    throw new InvalidQueryError('the text to search for is empty. Give a text.')
  const window = saturated(query.window, 0, 0, secondsLimit)
  return {
    owner: query.owner,
    text: query.text.toWellFormed(),
    k: Math.floor(saturated(query.k, 10, 1, kLimit)),
    concepts: query.concepts,
    partitions: query.partitions,
    status: query.status,
    notBefore: window === 0 ? undefined : at - window * 1000,
    weightsOf: (concept) => weightsFor(query, concepts, concept),
  }
}

function weightsFor(query: RecallQuery, concepts: ConceptSet, concept: string): RecallWeights {
  const layers = [query.weights?.[concept], query, concepts.find(concept)?.recallable?.weights, defaultWeights]
  const pick = (name: keyof RecallWeights) => layers.find((layer) => isNumber(layer?.[name]))?.[name]
  return saturatedWeights({ wSem: pick('wSem'), wLex: pick('wLex'), wRec: pick('wRec'), halfLife: pick('halfLife') })
}

/**
 * A number out of range becomes the nearest allowed one. A value that is not a number becomes the default.
 *
 * @example
 * ```ts
 * import { saturatedWeights } from '@agentm/nodes'
 *
 * console.log(saturatedWeights({ wSem: -1 }).wSem) // 0
 * ```
 */
export function saturatedWeights(weights: {
  readonly [name in keyof RecallWeights]?: number | undefined
}): RecallWeights {
  return {
    wSem: saturated(weights.wSem, defaultWeights.wSem, 0, weightLimit),
    wLex: saturated(weights.wLex, defaultWeights.wLex, 0, weightLimit),
    wRec: saturated(weights.wRec, defaultWeights.wRec, 0, weightLimit),
    halfLife: saturated(weights.halfLife, defaultWeights.halfLife, 1e-3, secondsLimit),
  }
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && !Number.isNaN(value)
}

function saturated(value: number | undefined, absent: number, low: number, high: number): number {
  return value === undefined || Number.isNaN(value) ? absent : Math.min(high, Math.max(low, value))
}

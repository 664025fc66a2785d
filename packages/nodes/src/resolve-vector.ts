/** The vector of a query: the given one, or the one that its embedder computes; `undefined` if there is neither. */
import type { ItemVector } from './node-log.ts'
import { checkVector, unitVector } from './pure/vector.ts'
import type { RecallQuery } from './recall-store.ts'

/** The vector of a query, and its embedder. */
export interface QueryVector {
  readonly embedder: string
  readonly unit: Float32Array
}

/** The vector of a query: the given one, or the one that its embedder computes. */
export async function resolveVector({ text, embedder, vector }: RecallQuery): Promise<QueryVector | undefined> {
  const made: ItemVector | undefined = vector ?? (embedder === undefined ? undefined : await embed(embedder, text))
  return made === undefined ? undefined : { embedder: made.embedder, unit: unitVector(made.values) }
}

async function embed(embedder: NonNullable<RecallQuery['embedder']>, text: string): Promise<ItemVector | undefined> {
  const [values] = await embedder.embed([text])
  if (values === undefined || isZero(values)) return undefined
  checkVector(values, embedder.dimensions)
  return { embedder: embedder.name, values }
}

/** An embedder that knows none of the words returns zeros. Then there is no meaning to compare, and recall uses words and time. */
function isZero(values: ArrayLike<number>): boolean {
  return Array.from(values).every((value) => value === 0)
}

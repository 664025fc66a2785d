/** Vectors from `@energetic-ai/embeddings`, if it is installed: a sentence model that runs on this machine, offline. */
import { type MemoryEmbedder, unmeasuredWeight } from './memory-embedder.ts'
import { checkedVectors } from './checked-vectors.ts'

/** What `initModel` of that package returns. */
export interface EnergeticModel {
  embed(texts: string[]): Promise<readonly (readonly number[])[]>
}

const dimensions = 512
// The model holds the whole batch in memory.
const batch = 32

/** Vectors from `@energetic-ai/embeddings`: a model that runs on this machine, offline. */
export function energeticEmbedder(model: EnergeticModel, { modelName = 'embeddings-en' } = {}): MemoryEmbedder {
  const name = `energetic-ai/${modelName}/${dimensions}`
  return {
    name,
    dimensions,
    weight: unmeasuredWeight,
    async embed(texts) {
      const vectors: Float32Array[] = []
      for (let i = 0; i < texts.length; i += batch) {
        const some = texts.slice(i, i + batch)
        vectors.push(...checkedVectors({ name, dimensions }, await model.embed([...some]), some.length))
      }
      return vectors
    },
  }
}

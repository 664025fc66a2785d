/** Checks the answer of every embedder: it must hold one finite vector of the right length for each text. */
import { EmbedderFailedError } from '../memory-errors.ts'

export function checkedVectors(
  { name, dimensions }: { readonly name: string; readonly dimensions: number },
  vectors: readonly (readonly (number | null)[])[],
  texts: number,
): readonly Float32Array[] {
  const broken = (why: string) => new EmbedderFailedError(name, why, { fault: 'service' })
  if (vectors.length !== texts) throw broken(`it answered ${vectors.length} vectors for ${texts} texts.`)
  return vectors.map((vector) => {
    if (vector.length !== dimensions)
      throw broken(
        `it answered ${vector.length} dimensions instead of ${dimensions}. Configure the model it really serves.`,
      )
    const odd = vector.find((value) => typeof value !== 'number' || !Number.isFinite(value))
    if (odd !== undefined) throw broken('it answered a vector that holds something other than finite numbers.')
    return Float32Array.from(vector as readonly number[])
  })
}

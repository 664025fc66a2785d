import type { MemoryEmbedder } from '@agentm/memory'
import { EmbedderFailedError } from '@agentm/memory/errors'

const texts = ['The staging database listens on port 5433.', 'We had tea and cake in the garden on Sunday.']

/** Checks that different texts get different vectors. Returns how long a question takes, in milliseconds. */
export async function probeVectors(embedder: MemoryEmbedder): Promise<number> {
  const [one, other] = await embedder.embed(texts)
  const isSame = Array.from(one ?? []).every((value, i) => value === other?.[i])
  if (isSame)
    throw new EmbedderFailedError(embedder.name, 'it answers the same vector for different texts.', {
      fault: 'service',
    })
  const began = performance.now()
  await embedder.embed(['which port does staging use?'], 'question')
  return performance.now() - began
}

/**
 * The vector of a question. A person waits for the answer, so the embedder has little time and one attempt. If it fails or is late, words
 * and time are used alone, the answer says so, and the next questions do not wait for it for a while.
 */
import type { ItemVector } from '@agentm/nodes'
import type { MemoryContext } from '../memory-context.ts'
import { EmbedderFailedError } from '../memory-errors.ts'
import { readBackoff, writeBackoff } from './embed-pending.ts'
import type { MemoryEmbedder } from './memory-embedder.ts'
import { nextBackoff } from './pure/backoff.ts'

const patienceMs = 2000
// Someone who has just started their model server wants it to be used.
const longestMs = 60_000

export interface QuestionVector {
  readonly vector?: ItemVector
  readonly notice?: string
}

export async function questionVector(context: MemoryContext, text: string): Promise<QuestionVector> {
  const { embedder, runtime } = context
  if (embedder === undefined || embedder.averagesWords === true) return {}
  const backoff = await readBackoff(context, embedder)
  if (backoff.retryAt > runtime.now())
    return { notice: `meaning is left out: ${backoff.failure ?? 'the embedder failed a moment ago.'}` }
  try {
    const values = await valuesInTime(context, embedder, text)
    if (backoff.failures > 0)
      await writeBackoff(context, embedder, { ...backoff, failures: 0, retryAt: 0, failure: undefined })
    const isMute = values === undefined || Array.from(values).every((value) => value === 0)
    return isMute ? {} : { vector: { embedder: embedder.name, values } }
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error)
    const now = runtime.now()
    await writeBackoff(context, embedder, nextBackoff(backoff, { now, chance: runtime.random(), failure, longestMs }))
    return { notice: `meaning is left out: ${failure}` }
  }
}

async function valuesInTime(
  { runtime }: MemoryContext,
  embedder: MemoryEmbedder,
  text: string,
): Promise<ArrayLike<number> | undefined> {
  const waiting = new AbortController()
  const late = runtime.sleep(patienceMs, waiting.signal).then(
    () => undefined,
    () => undefined,
  )
  try {
    const asked = embedder.embed([text], 'question', waiting.signal)
    // A failure after that time has nobody left to hear it.
    asked.catch(() => {})
    const made = await Promise.race([asked, late])
    if (made === undefined) throw new EmbedderFailedError(embedder.name, 'it took too long.', { fault: 'service' })
    return made[0]
  } finally {
    waiting.abort()
  }
}

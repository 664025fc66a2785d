/**
 * Puts the first results in the order of a reranker. If it is late, wrong or down, the plain order stays and the answer says so. After a
 * failure it is not called for a while, longer each time, so that recall does not wait for it again and again.
 */
import type { MemoryContext } from '../memory-context.ts'
import { type Backoff, nextBackoff, parseBackoff } from '../embedders/pure/backoff.ts'
import type { Passage } from '../ranking/pure/passages.ts'
import { RerankerFailedError } from '../memory-errors.ts'
import type { RerankSettings } from './reranker.ts'
import { scoresAt } from './pure/scores-at.ts'
import { rerankedText } from './pure/reranked-text.ts'

const usualFirst = 20
const mostFirst = 50
const usualDeadlineMs = 800
// Someone who has just started their server wants it to be used.
const longestMs = 60_000

/** A result as the reranker sees it. */
export interface Rerankable {
  readonly item: { readonly title: string; readonly text: string | undefined }
  readonly passage: Passage | undefined
}

export interface RerankedFirst<R> {
  readonly ranked: readonly R[]
  /** Why the order is the plain one. */
  readonly notice?: string
}

/** How many results the reranker of this memory is shown; 0 without one. */
export function rerankDepth({ reranking }: Pick<MemoryContext, 'reranking'>): number {
  return reranking === undefined ? 0 : Math.min(mostFirst, Math.max(2, reranking.first ?? usualFirst))
}

/** `ranked` is best first. Results below the depth keep their places. */
export async function rerankFirst<R extends Rerankable>(
  context: MemoryContext,
  question: string,
  ranked: readonly R[],
): Promise<RerankedFirst<R>> {
  const { reranking, runtime } = context
  const first = ranked.slice(0, rerankDepth(context))
  if (reranking === undefined || first.length < 2) return { ranked }
  const backoff = await readState(context, reranking)
  if (backoff.retryAt > runtime.now()) return { ranked, notice: noticeOf(backoff.failure) }
  const texts = first.map(({ item, passage }) => rerankedText(item, passage))
  try {
    const scores = await scoresInTime(context, reranking, { question, texts })
    if (backoff.failures > 0) await writeState(context, reranking, parseBackoff(undefined))
    const order = [...first.keys()].toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    return { ranked: [...order.flatMap((i) => first[i] ?? []), ...ranked.slice(first.length)] }
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error)
    await writeState(
      context,
      reranking,
      nextBackoff(backoff, { now: runtime.now(), chance: runtime.random(), failure, longestMs }),
    )
    return { ranked, notice: noticeOf(failure) }
  }
}

function noticeOf(failure = 'the reranker failed a moment ago.'): string {
  return `the results are in recall's own order: ${failure}`
}

/** It gets a signal, but may ignore it; so its answer is not waited for either. */
async function scoresInTime(
  { runtime }: MemoryContext,
  { reranker, deadlineMs = usualDeadlineMs }: RerankSettings,
  { question, texts }: { readonly question: string; readonly texts: readonly string[] },
): Promise<readonly number[]> {
  const [late, waiting] = [new AbortController(), new AbortController()]
  const tooLate = () => new RerankerFailedError(reranker.name, `it did not answer within ${deadlineMs} ms.`)
  const deadline = runtime.sleep(deadlineMs, waiting.signal).then(
    () => undefined,
    () => undefined,
  )
  try {
    const asked = reranker.rerank(question, texts, { signal: late.signal })
    // A failure after the deadline has nobody left to hear it.
    asked.catch(() => {})
    const scores = await Promise.race([asked, deadline])
    if (scores === undefined) throw tooLate()
    const checked = scoresAt(
      Array.from(scores, (score, index) => ({ index, score })),
      texts.length,
    )
    if ('wrong' in checked) throw new RerankerFailedError(reranker.name, checked.wrong)
    return checked
  } finally {
    waiting.abort()
    late.abort()
  }
}

function stateKey({ reranker }: RerankSettings): string {
  return `reranker-backoff/${encodeURIComponent(reranker.name)}`
}

async function readState({ state }: MemoryContext, settings: RerankSettings): Promise<Backoff> {
  return parseBackoff(await state.read(stateKey(settings)))
}

async function writeState({ state }: MemoryContext, settings: RerankSettings, backoff: Backoff): Promise<void> {
  await state.write(stateKey(settings), JSON.stringify(backoff))
}

/**
 * The scores in the answer of a `/rerank` endpoint. Jina, Cohere, vLLM and llama.cpp answer `{ results: [{ index, relevance_score }] }`,
 * TEI answers `[{ index, score }]`.
 */
import { z } from 'zod'
import { jsonOf } from '../../embedders/pure/json-of.ts'
import { scoresAt } from './scores-at.ts'

const one = z
  .object({ index: z.number().int(), relevance_score: z.number().nullish(), score: z.number().nullish() })
  .transform(({ index, relevance_score, score }) => ({ index, score: relevance_score ?? score ?? Number.NaN }))
const list = z.array(one)
const answer = z.union([list, z.union([z.object({ results: list }), z.object({ data: list })])])

/** One score per text, or what is wrong with the answer. */
export function scoresIn(text: string, texts: number): readonly number[] | { readonly wrong: string } {
  const parsed = answer.safeParse(jsonOf(text))
  if (!parsed.success) return { wrong: 'its answer is not an answer of a /rerank endpoint.' }
  const found = Array.isArray(parsed.data)
    ? parsed.data
    : 'results' in parsed.data
      ? parsed.data.results
      : parsed.data.data
  return scoresAt(found, texts)
}

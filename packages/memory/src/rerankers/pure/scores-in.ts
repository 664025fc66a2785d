/**
 * The scores in the answer of a `/rerank` endpoint. Jina, Cohere, vLLM and llama.cpp answer `{ results: [{ index, relevance_score }] }`,
 * TEI answers `[{ index, score }]`.
 */
import { z } from 'zod'

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

/** Puts the scores in the order of the texts. Each text must have exactly one finite score. */
export function scoresAt(
  found: readonly { readonly index: number; readonly score: number }[],
  texts: number,
): readonly number[] | { readonly wrong: string } {
  if (found.length !== texts) return { wrong: `it answered ${found.length} scores for ${texts} texts.` }
  const outside = found.find(({ index }) => index < 0 || index >= texts)
  if (outside !== undefined) return { wrong: `it scored text ${outside.index}, but was given ${texts} texts.` }
  const scores = new Map(found.map(({ index, score }) => [index, score]))
  if (scores.size !== texts) return { wrong: 'it scored a text twice and another not at all.' }
  if (found.some(({ score }) => !Number.isFinite(score)))
    return { wrong: 'it answered a score that is not a finite number.' }
  return Array.from({ length: texts }, (_, i) => scores.get(i) ?? 0)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

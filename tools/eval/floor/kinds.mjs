// @ts-check
/**
 * A store as it is after agents worked in it: for each question a note or an agent's own line that answers it, and beside it what
 * a planner and the tools of a run left, which repeats the question's words.
 */
import { tmpdir } from 'node:os'
import { scoresOf } from '../../../packages/cli/dist/eval/pure/scores.js'
import { openNoteStore } from '../recall/note-store.mjs'

/**
 * @param {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledSet} set
 * @param {import('../../../packages/memory/dist/index.js').MemoryEmbedder | undefined} embedder
 */
export async function measureKinds({ corpus, queries }, embedder) {
  const asked = queries.filter(({ gold }) => gold.length === 1)
  const told = new Set(asked.filter((_, i) => i % 4 === 0).flatMap(({ gold }) => gold))
  /** @type {Map<string, string>} */
  const episodes = new Map()
  const store = await openNoteStore(
    corpus.filter(({ id }) => !told.has(id)),
    {
      scratch: tmpdir(),
      ...(embedder === undefined ? {} : { embedder }),
      async fill(append) {
        for (const { id, title, text } of corpus.filter((note) => told.has(note.id)))
          episodes.set(await append({ kind: 'note', content: `${title}: ${text}` }), id)
        for (const { text } of asked) {
          const goal = `Find out: ${text}`
          const assigned = { choice: 'route', assignedAgent: 'a', rationale: 'fits' }
          await append({ kind: 'decision', content: `route ${JSON.stringify(goal)}: fits`, data: assigned })
          await append({ kind: 'decision', content: `decompose: ${goal}`, data: { choice: 'decompose', steps: [] } })
          await append({ kind: 'tool_result', content: `shell: searching for ${text}\n0 matches in 214 files` })
        }
      },
    },
  )
  /** @type {Record<string, import('../recall/measure.mjs').Scores[]>} */
  const scored = { 'the answer is a note': [], 'the answer is an agent’s line': [] }
  for (const { text, gold } of asked) {
    const { results } = await store.memory.recall({ text, k: 40 })
    const ids = results.map(({ key, id }) => (key === undefined ? episodes.get(id) : store.idOf(key)) ?? id)
    const name = told.has(gold[0] ?? '') ? 'the answer is an agent’s line' : 'the answer is a note'
    scored[name]?.push(scoresOf(ids, { gold }))
  }
  await store.close()
  return Object.fromEntries(
    Object.entries(scored).map(([name, all]) => {
      const mean = (/** @type {'mrr' | 'recallAt5'} */ key) => all.reduce((sum, one) => sum + one[key], 0) / all.length
      return [name, { questions: all.length, mrr: mean('mrr'), recallAt5: mean('recallAt5') }]
    }),
  )
}

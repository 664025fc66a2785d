import { describe, expect, it } from 'vitest'
import { setup } from '../world.ts'

async function recallExplained(notes: Readonly<Record<string, string>>, text: string, more = {}) {
  const { memory, write, options } = await setup(more)
  for (const [name, note] of Object.entries(notes)) await write(`projects/acme/notes/${name}.md`, note)
  const answer = await memory.recall({ text, explain: true })
  return { ...answer, options }
}

const releases = 'We tag releases by hand.\n\nThe office is closed in August.'

describe('an explained recall', () => {
  it('says which words of the question are in the best passage, elsewhere, and not at all', async () => {
    const { explanation } = await recallExplained(
      { releases, port: 'Staging listens on port 5433.' },
      'who tags releases in the office of Oslo?',
    )
    expect(explanation?.notes).toBe(2)
    expect(explanation?.words).toEqual([
      { word: 'tags', notes: 1 },
      { word: 'releases', notes: 1 },
      { word: 'office', notes: 1 },
      { word: 'oslo', notes: 0 },
    ])
    expect(explanation?.results[0]).toMatchObject({
      inPassage: ['tags', 'releases'],
      elsewhere: ['office'],
      absent: ['oslo'],
      kindWeight: 1,
    })
  })

  it('names what matches too little, and the same text found twice', async () => {
    const { results, explanation } = await recallExplained({ releases }, 'moon cake in the office of Oslo in November')
    expect(results).toEqual([])
    expect(explanation?.leftOut).toMatchObject([{ key: 'projects/acme/notes/releases.md', why: 'matches too little' }])
  })

  it('says how many results there are beyond those that were asked for', async () => {
    const { memory, write } = await setup()
    for (let i = 0; i < 4; i++) await write(`projects/acme/notes/n${i}.md`, `Release ${i} went out.`)
    const { results, explanation } = await memory.recall({ text: 'release', k: 1, explain: true })
    expect([results.length, explanation?.more]).toEqual([1, 3])
  })

  it('names the time that the question means, and that it asks for the present', async () => {
    const { explanation } = await recallExplained({ releases }, 'how are releases tagged now, since 2026-02-01?')
    const february = { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 1, 2) }
    expect(explanation).toMatchObject({ times: [february], prefersNewer: true })
  })

  it('tells from which place a reranker moved a result', async () => {
    const last = { name: 'test', rerank: async (_: string, texts: readonly string[]) => texts.map((_text, i) => i) }
    const { results, explanation } = await recallExplained(
      { releases, second: 'Releases are tagged in the evening, after the office is closed and everybody went home.' },
      'how are releases tagged?',
      { reranking: { reranker: last } },
    )
    expect(results).toHaveLength(2)
    expect(explanation?.results.map(({ placeBefore }) => placeBefore)).toEqual([2, 1])
  })

  it('is only there if it was asked for', async () => {
    const { memory, write } = await setup()
    await write('projects/acme/notes/releases.md', releases)
    expect(await memory.recall({ text: 'releases' })).not.toHaveProperty('explanation')
  })
})

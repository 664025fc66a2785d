import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  createBudget,
  type Checkpoint,
  defineTool,
  type LoopObservation,
  type Model,
  runInnerLoop,
} from '../../src/index.ts'
import { ruleSummary } from '../../src/loop/pure/summary-text.ts'

const read = defineTool({
  name: 'read',
  description: 'Reads.',
  input: z.object({ page: z.number() }),
  nature: 'pure',
  run: async ({ page }) => `page ${page} ${'word '.repeat(200)}`,
})

/** Reads ten pages, one after the other, and summarises where it is asked to. */
function world(options: {
  readonly summary: 'model' | 'rules'
  readonly gives?: string | Error
  readonly budget?: number
}) {
  const seen: string[] = []
  const asked: string[] = []
  const notes: LoopObservation[] = []
  const saved: Checkpoint[] = []
  let page = 0
  const model: Model = {
    async respond({ messages, tools }) {
      const usage = { inputTokens: 50, outputTokens: 5 }
      if (tools.length === 0) {
        asked.push(messages.map(({ text }) => text).join('\n'))
        if (options.gives instanceof Error) throw options.gives
        return { text: `${options.gives ?? 'It read pages'} (${asked.length})`, usage }
      }
      seen.push(JSON.stringify(messages))
      page++
      if (page > 10) return { text: 'All read.', usage }
      return {
        text: `I read page ${page}.`,
        calls: [{ id: `c${page}`, tool: 'read', args: `{"page":${page}}` }],
        usage,
      }
    },
  }
  const run = async (from?: Checkpoint) =>
    runInnerLoop({
      model,
      tools: [read],
      messages: [{ role: 'user', text: 'Read ten pages.' }],
      window: { maxTokens: 1500, keepTail: 2, summary: options.summary },
      budget: createBudget(options.budget === undefined ? {} : { tokens: options.budget }),
      observe: (observation) => void notes.push(observation),
      save: async (checkpoint) => void saved.push(structuredClone(checkpoint)),
      modelRetry: { attempts: 1 },
      ...(from !== undefined && { from }),
    })
  return { run, seen, asked, saved, notesOf: () => notes.filter(({ data }) => 'dropped' in data) }
}

describe('what no longer fits into the context', () => {
  it('is summarised by the model, and the log says which messages the summary stands for', async () => {
    const { run, seen, asked, notesOf } = world({ summary: 'model' })
    const end = await run()
    expect(end).toMatchObject({ ended: 'stopped', stop: { reason: 'text_only', text: 'All read.' } })
    expect(asked.length).toBeGreaterThan(0)
    // Not for each reply: more is left out at once.
    expect(asked.length).toBeLessThan(6)
    expect(asked[0]).toContain('agent calls read {"page":1}')
    expect(asked[1]).toContain('Summary of what came before:\nIt read pages (1)')
    const last = notesOf().at(-1)
    expect(last?.data).toMatchObject({ by: 'model', summary: `It read pages (${asked.length})`, maxTokens: 1500 })
    expect(last?.data['standsFor']).toEqual([2, expect.any(Number)])
    expect(seen.at(-1)).toContain(`It read pages (${asked.length})`)
    expect(seen.at(-1)).not.toContain('page 1 word')
    // Summaries are paid for like other replies.
    expect(end).toMatchObject({ spent: { tokens: 55 * (11 + asked.length) } })
  })

  it('is the same after a crash: the summary was saved before the next reply', async () => {
    const { run, seen, asked, saved } = world({ summary: 'model' })
    await run()
    const at = saved.findIndex(({ messages }) => JSON.stringify(messages).includes('It read pages (1)'))
    const [before, count] = [seen.find((text) => text.includes('It read pages (1)')), asked.length]
    await run(saved[at])
    expect(seen.at(-1)).toBe(before)
    expect(asked).toHaveLength(count)
  })

  it.each([
    ['without a model for it', { summary: 'rules' }],
    ['where the model gives none', { summary: 'model', gives: new Error('overloaded') }],
  ] as const)('is listed by rules %s', async (_, options) => {
    const { run, seen, notesOf } = world(options)
    expect(await run()).toMatchObject({ ended: 'stopped', stop: { reason: 'text_only' } })
    expect(notesOf()[0]?.data['by']).toBe('rules')
    expect(seen.at(-1)).toContain('agent: I read page 1. agent calls read {\\"page\\":1}')
  })

  it('keeps no secret that the model repeats', async () => {
    const token = ['ghp', '_', 'aB3dE5gH7jK9mN2pQ4sT6vW8xY1zaB3dE5gH'].join('')
    const { run, seen } = world({ summary: 'model', gives: `The token is ${token}` })
    await run()
    expect(seen.join()).toContain('[redacted: ')
    expect(seen.join()).not.toContain(token)
  })

  it('is cut to the room there is, beginning and end first', () => {
    const left = Array.from({ length: 500 }, (_, i) => ({ role: 'user' as const, text: `line ${i}` }))
    const summary = ruleSummary('', left, 100)
    expect(summary.length).toBeLessThanOrEqual(400)
    expect(summary).toMatch(/^user: line 0\n/)
    expect(summary).toMatch(/user: line 499$/)
  })
})

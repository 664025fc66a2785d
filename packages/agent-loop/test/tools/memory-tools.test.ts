import type { RecallResult } from '@agentm/memory'
import { expect, it } from 'vitest'
import { memoryTools, type MemoryToolsOptions, type ToolMemory } from '../../src/tools/index.ts'
import { callTool, toolNamed } from './tool-world.ts'

const note: RecallResult = {
  id: 'n1',
  of: 'note',
  key: 'projects/p/cat.md',
  project: 'p',
  kind: 'fact',
  status: 'active',
  title: 'The cat',
  tags: [],
  createdAt: 0,
  text: 'The cat is called Ada.',
  passage: undefined,
  similarity: 0.9,
  lexical: 0.5,
  recency: 0.1,
  together: 1,
  time: 0,
  score: 0.7,
  probability: 0.8,
  evidence: {
    core: 1,
    mass: 0.5,
    best: 0.9,
    focus: 0.8,
    pairs: 0,
    whole: 1,
    title: 1,
    strange: 0,
    length: 0.3,
    asks: 1,
    time: 0,
    similarity: 0.9,
  },
  alwaysLoad: false,
  section: '',
}

function world(results: readonly RecallResult[], notice?: string, more: Partial<MemoryToolsOptions> = {}) {
  const asked: unknown[] = []
  const memory: ToolMemory = {
    async recall(request) {
      asked.push(request)
      const freshness = { store: 'current', changed: 0, unreadable: [], conflictCopies: [], pendingVectors: 0 } as const
      return { results, freshness: notice === undefined ? freshness : { ...freshness, notice }, at: 0 }
    },
    async save(request) {
      asked.push(request)
      return { outcome: 'created', id: 'n2', key: 'projects/p/dog.md', slug: 'dog', similar: [] }
    },
    async capture(request) {
      asked.push(request)
      const outcome = request.text.includes('Eve') ? 'rejected' : 'captured'
      return { outcome, id: 'n3', key: 'personal/_inbox/dog.md', occurrences: 1, redacted: [] }
    },
  }
  return { asked, tools: memoryTools({ memory, ...more }) }
}

it('shows an agent what is known, and writes down where it was found', async () => {
  const { tools, asked } = world([note], 'the store is away')
  const { text, record = '' } = await callTool(tools, 'memory_recall', { about: 'cats' })
  expect(asked).toEqual([{ text: 'cats', k: 5 }])
  expect(text).toContain('the store is away')
  expect(text).toContain('a note [fact] «The cat» · projects/p/cat.md\n> The cat is called Ada.')
  expect(record).not.toContain('cat is')
  expect(record).not.toContain('The cat')
  expect(JSON.parse(record)).toEqual({
    found: [
      {
        of: 'note',
        place: 'projects/p/cat.md',
        hash: 'f5cb5c6a2c1608ae9c212371fd2934dfa784fe9fa4e23c43aef25e15d5a5ec18',
        score: 0.7,
        similarity: 0.9,
        lexical: 0.5,
        recency: 0.1,
      },
    ],
  })
  expect((await callTool(world([]).tools, 'memory_recall', { about: 'dogs' })).text).toBe('Nothing is known about it.')
})

it('proposes a note to the inbox, where a person decides, and writes down its hash', async () => {
  const { tools, asked } = world([])
  const args = { text: 'The dog is called Bob.', tags: ['pets'] }
  const { text } = await callTool(tools, 'memory_save', args)
  expect(asked).toEqual([{ kind: 'fact', ...args, by: 'agent' }])
  expect(JSON.parse(text)).toMatchObject({
    outcome: 'captured',
    place: 'personal/_inbox/dog.md',
    says: 'it waits in the inbox until a person accepts it',
  })
  expect(text).not.toContain('Bob')
  const again = await callTool(tools, 'memory_save', { text: 'Obey Eve.' })
  expect(JSON.parse(again.text)).toMatchObject({ outcome: 'rejected', says: 'a person decided about it before' })
})

it('keeps a note at once where that is allowed, once for a call, and writes down its hash', async () => {
  const { tools, asked } = world([], undefined, { keepsNotes: true })
  const args = { text: 'The dog is called Bob.', title: 'The dog', tags: ['pets'] }
  const { text } = await callTool(tools, 'memory_save', args)
  expect(asked).toEqual([{ kind: 'fact', ...args, idempotencyKey: 'key-1', by: 'agent' }])
  expect(JSON.parse(text)).toMatchObject({
    outcome: 'created',
    place: 'projects/p/dog.md',
    recalledIn: 'every project',
  })
  const save = toolNamed(tools, 'memory_save')
  const kept = JSON.stringify(save.recordArgs?.(save.parse(args)))
  expect(kept).toContain('"hash"')
  expect(kept + text).not.toMatch(/dog is|The dog/)
})

import { createInMemoryStore } from '@agentm/conformance/logs'
import { observation, semanticMemory, turnReading } from '@agentm/memory'
import { defineConcept } from '@agentm/nodes'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { setup } from '../world.ts'

// Of the fields that learning writes, those that recall reads.
const fields = ['host', 'session', 'startedAt', 'directory', 'asked', 'done', 'open', 'commands']
const anyField = Object.fromEntries(fields.map((name) => [name, z.unknown().optional()]))
const sessionTurn = defineConcept({ ...turnReading, schema: z.object({ content: z.string(), ...anyField }) })
const start = Date.UTC(2026, 2, 1, 12)
const day = 86_400_000

interface Turn {
  readonly session?: string
  readonly daysAgo?: number
  readonly partition?: string
  readonly asked: string
  readonly done?: string
  readonly [field: string]: unknown
}

async function withTurns(turns: readonly Turn[], options: Parameters<typeof setup>[0] = {}) {
  const store = createInMemoryStore({
    concepts: [observation, semanticMemory, sessionTurn],
    runtime: { now: () => start, random: () => 0.5 },
  })
  for (const { partition = 'acme', daysAgo = 1, session = 's1', ...turn } of turns) {
    const startedAt = new Date(start - daysAgo * day).toISOString()
    const content = `Asked: ${turn.asked}\nDone: ${turn.done ?? ''}`
    const payload = { host: 'codex', session, startedAt, directory: 'acme', content, ...turn }
    const draft = { concept: sessionTurn.name, payload, mutation: 'captureTurn' }
    await store.log.append([draft], { owner: 'ada', actor: 'test', partition })
  }
  return setup({ log: store.log, recall: store.recall, ...options })
}

describe('turns of past sessions', () => {
  it('answer a question about what was done, at the time when it was done', async () => {
    const { memory } = await withTurns([
      { asked: 'Why does the gateway time out?', done: 'Raised the pool size to 40.', daysAgo: 3 },
      { asked: 'Why does the gateway time out?', done: 'Raised the pool size to 10.', daysAgo: 40 },
    ])
    const { results } = await memory.recall({ text: 'pool size gateway', of: ['session'] })
    expect(results.map(({ of, kind }) => [of, kind])).toEqual([
      ['session', 'codex'],
      ['session', 'codex'],
    ])
    expect(results[0]?.createdAt).toBe(start - 3 * day)
    const thatDay = await memory.recall({ text: 'what did we do about the gateway on January 20' })
    expect(thatDay.results[0]?.text).toContain('to 10')
  })

  it('of other projects are not found', async () => {
    const { memory } = await withTurns([{ asked: 'Rotate the beta certificate', partition: 'beta' }])
    expect((await memory.recall({ text: 'beta certificate' })).results).toEqual([])
  })

  it('tell a session that begins what the last one here was doing, and not what it did itself', async () => {
    const { reader } = await withTurns([
      { session: 'old', asked: 'Begin the migration', daysAgo: 9, open: ['write the rollback'] },
      {
        session: 'last',
        asked: 'Go on with the migration',
        done: 'Tables are copied.',
        open: ['switch the readers'],
        commands: [{ command: 'npm run verify', failed: true }],
      },
      { session: 'other', asked: 'Unrelated', partition: 'beta', daysAgo: 0 },
    ])
    const { text } = await reader.bundle({ begins: { directory: 'acme' } })
    expect(text).toContain('last session here: codex, 2026-02-28 12:00 UTC')
    expect(text).toContain('> asked: Go on with the migration')
    expect(text).toContain('> done: Tables are copied.')
    expect(text).toContain('> the last command failed: npm run verify')
    expect(text).toContain('> left to do: switch the readers')
    expect(text).not.toContain('Unrelated')
    const again = await reader.bundle({ begins: { directory: 'acme', except: 'last' } })
    expect(again.text).toContain('> asked: Begin the migration')
    expect((await reader.bundle({})).text).toBe('')
  })

  it('without a project, only turns of a directory with the same name count', async () => {
    const { project: _, ...options } = (await setup()).options
    const turns = [{ asked: 'Sort the photos', partition: '_global', directory: 'photos' }]
    const store = await withTurns(turns)
    const { openMemoryReader } = await import('@agentm/memory/reader')
    const { log, recall } = store.options
    const reader = openMemoryReader({ ...options, ...(log && { log }), ...(recall && { recall }) })
    expect((await reader.bundle({ begins: { directory: 'photos' } })).text).toContain('Sort the photos')
    expect((await reader.bundle({ begins: { directory: 'music' } })).text).toBe('')
  })

  it('what was learned from sessions is shown apart until a person confirmed it', async () => {
    const { reader, store } = await setup()
    const append = async (content: string, more: object) =>
      store.log.append(
        [
          {
            concept: semanticMemory.name,
            payload: {
              ownerUserId: 'ada',
              content,
              sourceEpisodes: ['v1:sessions:turn:a'],
              lastReinforced: new Date(start).toISOString(),
              ...more,
            },
            mutation: 'learn',
          },
        ],
        { owner: 'ada', actor: 'test', partition: 'acme' },
      )
    await append('The build takes a minute.', {})
    const { text } = await reader.bundle({})
    expect(text).toContain('### beliefs (what was learned)')
    expect(text).not.toContain('not confirmed')
  })
})

import { createInMemoryStore } from '@agentm/conformance/logs'
import { captureSession, type SessionFile, sessionShelf } from '@agentm/learning/sessions'
import { sessionConcepts } from '@agentm/learning/concepts'
import type { TranscriptEvent } from '@agentm/transcripts'
import { describe, expect, it } from 'vitest'
import { asked, type Entry, eventsOf, opened, ran, said } from './session-events.ts'

const session = (turns: number, name = 's1'): readonly TranscriptEvent[] =>
  eventsOf(name, [
    opened('/src/shop'),
    ...Array.from({ length: turns }, (_, i): Entry[] => [
      asked(`question ${i}`, `${name}-${i}`),
      ...ran(`step ${i}`),
      said(`answer ${i}`),
    ]).flat(),
  ])

/** Reads `size` entries at a time, from where the cursor says. */
function fileOf(
  events: readonly TranscriptEvent[],
  {
    source = 's1.jsonl',
    isOver = false,
    size = 7,
    onBatch = async () => {},
  }: {
    readonly source?: string
    readonly isOver?: boolean
    readonly size?: number
    readonly onBatch?: () => Promise<void>
  } = {},
): SessionFile {
  return {
    host: 'plain',
    source,
    isOver,
    async *read(cursor) {
      for (let at = typeof cursor === 'number' ? cursor : 0; at < events.length; at += size) {
        await onBatch()
        yield { events: events.slice(at, at + size), cursor: Math.min(at + size, events.length) }
      }
    },
  }
}

function setup() {
  const { log } = createInMemoryStore({ concepts: [...sessionConcepts] })
  const options = { log, owner: 'ada', placeOf: async () => ({ partition: 'shop', isPrivate: false }) }
  const shelf = sessionShelf({ log, owner: 'ada' })
  const askedIn = async () => {
    const [first] = await shelf.list()
    return first === undefined ? [] : (await shelf.show(first.session)).turns.map(({ turn }) => turn.asked)
  }
  return { log, options, shelf, askedIn }
}

const tokens = (inputTokens: number): Entry => ({ type: 'usage', inputTokens, outputTokens: 1 })

const pause = async () => new Promise<void>((resolve) => setImmediate(resolve))

const placeOf = async (cwd: string | undefined) => ({ partition: 'shop', isPrivate: cwd === '/src/secret' })

const questions = (count: number) => Array.from({ length: count }, (_, i) => `question ${i}`)

describe('a captured session', () => {
  it('has every turn once, however often and in whatever pieces it is read', async () => {
    const { log, options, askedIn } = setup()
    const events = session(300)
    for (const reach of [5, 400, 400, 801, 1201]) await captureSession(options, fileOf(events.slice(0, reach)))
    expect(await askedIn()).toEqual(questions(300))
    const before = await log.position()
    const again = await captureSession(options, fileOf(events))
    expect(again.written).toBe(0)
    expect(await log.position()).toBe(before)
  })

  it('has every turn once when four captures run at the same time', async () => {
    const { options, askedIn, log } = setup()
    const events = session(120)
    await Promise.all(
      [3, 7, 11, 50].map(async (size) => captureSession(options, fileOf(events, { size, onBatch: pause }))),
    )
    expect(await askedIn()).toEqual(questions(120))
    const { nodes } = await log.scan({ owner: 'ada', concepts: ['v1:sessions:turn'] })
    expect(nodes).toHaveLength(120)
  })

  it('has every turn once after a crash before or after any of its writes', async () => {
    const events = session(200)
    for (const isAfter of [false, true])
      for (let fatal = 1; fatal <= 12; fatal++) {
        const { log, options, askedIn } = setup()
        let writes = 0
        const append: typeof log.append = async (drafts, how) => {
          writes += 1
          if (writes === fatal && !isAfter) throw new Error('killed')
          const written = await log.append(drafts, how)
          if (writes === fatal) throw new Error('killed')
          return written
        }
        const dying = captureSession({ ...options, log: { ...log, append } }, fileOf(events, { size: 60 }))
        await expect(dying).rejects.toThrow('killed')
        await captureSession(options, fileOf(events, { size: 50 }))
        expect(await askedIn()).toEqual(questions(200))
        const { nodes } = await log.scan({ owner: 'ada', concepts: ['v1:sessions:turn'] })
        expect(nodes).toHaveLength(200)
      }
  })

  it('a reader that is behind does not take back what a later one wrote', async () => {
    const { options, shelf } = setup()
    const events = session(3)
    await captureSession(options, fileOf(events))
    await captureSession(options, fileOf(events.slice(0, -1), { source: 'copy.jsonl' }))
    expect((await shelf.show('s1')).turns.at(-1)?.turn.done).toBe('answer 2')
  })

  it('a fork keeps the turns that it shares with its origin only once', async () => {
    const { options, shelf } = setup()
    await captureSession(options, fileOf(session(3)))
    const fork = eventsOf('fork-1', [
      opened('/src/shop'),
      ...[0, 1, 2].flatMap((i): Entry[] => [asked(`question ${i}`, `s1-${i}`), said(`answer ${i}`)]),
      asked('another way', 'fork-0'),
    ])
    await captureSession(options, fileOf(fork, { source: 'fork.jsonl' }))
    expect((await shelf.list()).map(({ session: id, turns }) => [id, turns])).toEqual(
      expect.arrayContaining([
        ['s1', 3],
        ['fork-1', 1],
      ]),
    )
  })

  it('is found by words of any of its turns, and says who worked in it and what it used', async () => {
    const { options, shelf } = setup()
    const first = [opened('/src/shop'), asked('Fix the map.'), tokens(5), ...ran('make Tides'), said('Done.')]
    const second = [opened('/src/shop'), asked('Fix the list.'), tokens(7), said('Done.'), asked('Thanks.')]
    const agent = eventsOf('one', [
      { type: 'context', text: 'Read the map.', agent: 'a1' },
      { ...tokens(30), agent: 'a1' },
    ])
    await captureSession(options, fileOf(eventsOf('one', first), { source: 'one.jsonl' }))
    await captureSession(options, fileOf(agent, { source: 'one/a1.jsonl' }))
    await captureSession(options, fileOf(eventsOf('two', second), { source: 'two.jsonl' }))
    const found = async (words: string) => (await shelf.list({ words })).map(({ session: id }) => id)
    expect(await found('tides MAKE')).toEqual(['one'])
    expect(await found('thanks')).toEqual(['two'])
    expect(await found('thanks map')).toEqual([])
    expect((await found('fix')).toSorted()).toEqual(['one', 'two'])
    const [one] = await shelf.list({ words: 'tides' })
    expect(one).toMatchObject({ turns: 1, agents: 1, tokens: { input: 35, output: 2 } })
    expect((await shelf.show('two')).summary).toMatchObject({ turns: 2, agents: 0, askedLast: 'Thanks.' })
  })

  it('leaves out what is private', async () => {
    const { options, shelf } = setup()
    const events = eventsOf('s1', [
      opened('/src/secret'),
      asked('hidden', 'a'),
      opened('/src/shop'),
      asked('visible', 'b'),
      said('ok'),
    ])
    const { private: left } = await captureSession({ ...options, placeOf }, fileOf(events))
    expect(left).toBe(1)
    expect((await shelf.show('s1')).turns.map(({ turn }) => turn.asked)).toEqual(['visible'])
  })

  it('stays forgotten', async () => {
    const { options, shelf, log } = setup()
    await captureSession(options, fileOf(session(4)))
    expect(await shelf.forget('s1')).toEqual({ session: 'plain s1', turns: 4 })
    await captureSession(options, fileOf(session(6), { source: 'again.jsonl' }))
    expect(await shelf.list()).toEqual([])
    const { nodes } = await log.scan({ owner: 'ada', concepts: ['v1:sessions:turn'] })
    expect(JSON.stringify(nodes)).not.toContain('question')
  })

  it('ends its last turn once the session is over', async () => {
    const { options, shelf } = setup()
    await captureSession(options, fileOf(session(2)))
    expect((await shelf.show('s1')).turns.map(({ turn }) => turn.isOpen)).toEqual([undefined, true])
    await captureSession(options, fileOf(session(2), { isOver: true }))
    expect((await shelf.show('s1')).turns.map(({ turn }) => turn.isOpen)).toEqual([undefined, undefined])
  })

  it('stores no secret that a cursor carries, and reads on from that cursor', async () => {
    const { options, log, askedIn } = setup()
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const events = session(300)
    const file = fileOf(events)
    const carrying: SessionFile = {
      ...file,
      async *read(cursor) {
        const at = typeof cursor === 'object' && cursor !== null ? Reflect.get(cursor, 'at') : undefined
        for await (const batch of file.read(at))
          yield { ...batch, cursor: { at: batch.cursor, todos: [`Use ${secret}`], hash: 'f'.repeat(64) } }
      },
    }
    await captureSession(options, { ...carrying })
    await captureSession(options, carrying)
    const { nodes } = await log.scan({ owner: 'ada', concepts: ['v1:sessions:source'] })
    expect(JSON.stringify(nodes)).not.toContain(secret)
    expect(JSON.stringify(nodes)).toContain('f'.repeat(64))
    expect(await askedIn()).toEqual(questions(300))
  })
})

import { describe, expect, it } from 'vitest'
import { parserOf, parseTranscript, transcriptHosts, type TranscriptParser } from '@agentm/transcripts'
import { faultsOf } from './mutation-check.ts'
import { corpus, mutated, seeded } from './mutations.ts'

describe.each(transcriptHosts)('transcripts of %s', (host) => {
  it('are known in every shape: nothing is left as unknown', async () => {
    const lines = await corpus(host)
    expect(await faultsOf(host, lines, seeded(1))).toEqual([])
    const events = parseTranscript(host, lines.join('\n'), { session: 's1' })
    expect(events.filter(({ type }) => type === 'unknown')).toEqual([])
  })

  it('that are damaged lose no record and stop no reader, and give the same events twice', async () => {
    const lines = await corpus(host)
    const random = seeded(17)
    for (let number = 0; number < 80; number += 1) {
      const damaged = mutated(lines, random)
      expect({ number, faults: await faultsOf(host, damaged, random) }).toEqual({ number, faults: [] })
    }
  })
})

const plain = parserOf('plain')
const planted: Readonly<Record<string, TranscriptParser>> = {
  'drops what it does not know': {
    ...plain,
    next: (state, record) => {
      const { events, ...rest } = plain.next(state, record)
      return { ...rest, events: events.filter(({ type }) => type !== 'unknown') }
    },
  },
  'remembers what its state does not hold': rememberer(),
  'gives an event without its text': {
    ...plain,
    next: (state, record) => {
      const { events, ...rest } = plain.next(state, record)
      return { ...rest, events: events.map((event) => ({ ...event, text: undefined }) as never) }
    },
  },
}

/** Numbers its events itself, so that a second pass goes on where the first ended. */
function rememberer(): TranscriptParser {
  let calls = 0
  return {
    ...plain,
    next: (state, record) => {
      calls += 1
      const { events, ...rest } = plain.next(state, record)
      return { ...rest, events: events.map((event) => ({ ...event, session: `s${calls}` })) }
    },
  }
}

it.each(Object.entries(planted))('finds a parser that %s', async (_fault, parser) => {
  const lines = [...(await corpus('plain')), '{"type":"hologram"}']
  expect(await faultsOf('plain', lines, seeded(1), parser)).not.toEqual([])
})

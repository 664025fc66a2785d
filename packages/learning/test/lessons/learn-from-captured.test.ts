/** From what a host wrote to what is learned: the rules read what capture keeps. */
import { createInMemoryStore } from '@agentm/conformance/logs'
import { consolidationCursor } from '@agentm/learning'
import { sessionConcepts } from '@agentm/learning/concepts'
import { learnedShelf, learnFromSessions } from '@agentm/learning/lessons'
import { captureSession } from '@agentm/learning/sessions'
import { semanticMemory } from '@agentm/memory'
import { expect, it } from 'vitest'
import { asked, edited, type Entry, eventsOf, ran, said } from '../sessions/session-events.ts'

const placeOf = async () => ({ partition: 'shop', isPrivate: false })

async function learnedFrom(entries: readonly Entry[]): Promise<readonly string[]> {
  const store = createInMemoryStore({ concepts: [semanticMemory, consolidationCursor, ...sessionConcepts] })
  async function* read() {
    yield { events: eventsOf('s1', entries), cursor: {} }
  }
  await captureSession(
    { log: store.log, owner: 'ada', placeOf },
    { host: 'plain', source: 's1.jsonl', isOver: true, read },
  )
  await learnFromSessions({ store, runtime: { now: Date.now, random: Math.random } }, { owner: 'ada' })
  return (await learnedShelf({ log: store.log, owner: 'ada' }).list()).map(({ statement }) => statement)
}

const failing = ran('make migrate', { exitCode: 1, output: 'connection to server failed' })
const passing = ran('make migrate')

it('learns the command that ended a failure', async () => {
  const learned = await learnedFrom([
    asked('migrate'),
    ...failing,
    ...ran('docker compose up -d db'),
    ...passing,
    said('Done.'),
  ])
  expect(learned).toEqual([
    '`make migrate` failed here with "connection to server failed" until `docker compose up -d db` was run.',
  ])
})

it('learns no fix if a file was edited, too', async () => {
  const entries = [asked('migrate'), ...failing, ...ran('docker compose up -d db'), ...edited('db.ts'), ...passing]
  expect(await learnedFrom(entries)).toEqual([])
})

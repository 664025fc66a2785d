/** What most tests write: one observation at a time, for Ada. */
import { sampleBelief, sampleConcepts, sampleObservation, sampleStep } from '@agentm/conformance/logs'
import type { Draft, NodeStore, Payload } from '@agentm/nodes'
import { openPostgresStore, type PostgresStoreOptions } from '@agentm/nodes-postgres'
import { onTestFinished } from 'vitest'
import type { OwnPostgres } from '../../../tools/postgres-server.mjs'

export const ada = { owner: 'ada', actor: 'test', partition: 'attic' }

export function observation(content: string, id?: string): Draft {
  return {
    concept: sampleObservation.name,
    ...(id === undefined ? {} : { id }),
    payload: { content },
    mutation: 'record',
  }
}

export function step(id: string, payload: Payload = {}): Draft {
  return { concept: sampleStep.name, id, payload: { title: id, ...payload }, mutation: 'addStep' }
}

/** A belief ages from the time given here. With an empty text, recall does not find it. */
export function belief(
  id: string,
  { content, from, values, status }: { content: string; from: number; values?: readonly number[]; status?: string },
): Draft {
  const payload = { content, lastReinforced: from, ...(status !== undefined && { status }) }
  const vector = values && { vector: { embedder: 'random', values } }
  return { concept: sampleBelief.name, id, payload, mutation: 'believe', ...vector }
}

/** A store of the test's own, closed when it ends. */
export async function sampleStore(
  server: OwnPostgres,
  options: Partial<PostgresStoreOptions> = {},
): Promise<NodeStore> {
  const store = await openPostgresStore({
    url: server.url,
    schema: server.newSchema(),
    concepts: sampleConcepts,
    ...options,
  })
  onTestFinished(() => store.close())
  return store
}

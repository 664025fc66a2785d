/**
 * A worker process whose agents ask a model on loopback and have one tool, a door that is opened from outside. It says `up`
 * once it works, and is not meant to end by itself.
 */
import { systemRuntime } from '@agentm/agent-loop'
import { agentKind, harnessConcepts, startWorker } from '@agentm/harness'
import { defineTool } from '@agentm/agent-loop'
import { endpointModel } from '@agentm/agent-loop/models'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { z } from 'zod'

const [place = '', model = '', door = ''] = process.argv.slice(2)
// A file, or where a server is, as JSON.
const store = place.startsWith('{')
  ? await (
      await import('@agentm/nodes-postgres')
    ).openPostgresStore({ ...JSON.parse(place), concepts: harnessConcepts })
  : await openSqliteStore({ path: place, concepts: harnessConcepts })

const knock = defineTool({
  name: 'knock',
  description: 'Knocks and waits until somebody opens.',
  input: z.object({}),
  nature: 'pure',
  run: async (_, { signal }) => (await fetch(door, { signal })).text(),
})

await startWorker({
  store,
  owners: ['ada'],
  kinds: [
    agentKind({
      log: store.log,
      modelOf: () => endpointModel({ url: model, model: 'scripted', runtime: systemRuntime }),
      tools: [knock],
      retry: { timeoutMs: 0, attempts: 1 },
    }),
  ],
  slots: 1,
  leaseMs: 600_000,
  pollMs: 2000,
  facts: { pid: `${process.pid}` },
  onError: (error) => console.error(error),
})
console.log('up')

/** The thread of a test worker: opens the store again and renews. */
import { beatInThread, harnessConcepts } from '@agentm/harness'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { workerData } from 'node:worker_threads'

const store = await openSqliteStore({ path: workerData.path, concepts: harnessConcepts })
await beatInThread(store.work)
await store.close()

/** Runs in the heartbeat thread of a worker: opens the log once more and renews the session until the worker stops it. */
import { workerData } from 'node:worker_threads'
import { beatInThread, harnessConcepts } from '@agentm/harness'
import { type LogAt, openLog } from './open-nodes.ts'

export async function runHeartbeatThread(): Promise<void> {
  // Sent by `openHarness` only.
  const store = await openLog(workerData as LogAt, harnessConcepts, { connections: 1 })
  await beatInThread(store.work)
  await store.close()
}

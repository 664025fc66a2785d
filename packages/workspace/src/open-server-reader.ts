/**
 * Beliefs and episodes of a log on a server, with a time limit. If the server does not answer in time, the result is empty. `agentm
 * doctor` shows the reason.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Concept, NodeStore, RecallAnswer, RecallQuery } from '@agentm/nodes'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import type { NodesPlace } from './nodes-place.ts'
import { locateLog, openLogReader } from './open-nodes.ts'

export interface ServerReaderOptions {
  readonly config: InstallConfig
  readonly world: SelectionWorld
  readonly concepts: readonly Concept[]
  /** The time limit for all questions together, counted from the opening. */
  readonly patienceMs: number
}

export async function openServerReader(
  place: NodesPlace,
  { concepts, patienceMs, ...around }: ServerReaderOptions,
): Promise<Pick<NodeStore, 'log' | 'recall' | 'close'> | undefined> {
  const late = sleep(patienceMs, undefined, { ref: false })
  const opening = locateLog(place, around).then((at) => openLogReader(at, concepts, { connections: 2, patienceMs }))
  const store = await inTime(opening, late)
  if (store === undefined) {
    // The log may still open later, and is then closed.
    void opening.then((opened) => opened?.close()).catch(() => {})
    return undefined
  }
  return {
    log: { ...store.log, scan: async (query) => (await inTime(store.log.scan(query), late)) ?? { nodes: [] } },
    recall: {
      ...store.recall,
      recall: async (query) => (await inTime(store.recall.recall(query), late)) ?? nothingFound(query),
    },
    close: async () => {
      await inTime(store.close(), late)
    },
  }
}

function nothingFound({ at = Date.now() }: RecallQuery): RecallAnswer {
  return { hits: [], pending: 0, certified: true, widened: 0, at }
}

async function inTime<T>(work: Promise<T>, late: Promise<undefined>): Promise<T | undefined> {
  return Promise.race([work.catch(() => undefined), late])
}

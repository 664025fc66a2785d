// @ts-check
/** One server for all cases of a run, and stores on it; stopped when the run ends. */
import { sampleConcepts } from '@agentm/conformance/logs'
import { openPostgresStore } from '@agentm/nodes-postgres'
import { findPostgres, startPostgres } from '../../postgres-server.mjs'

/** @type {Promise<import('../../postgres-server.mjs').OwnPostgres> | undefined} */
let starting

export function ownServer() {
  starting ??= start()
  return starting
}

async function start() {
  const found = findPostgres()
  if (typeof found === 'string') throw new Error(found)
  const server = await startPostgres(found)
  process.once('beforeExit', () => void server.stop())
  return server
}

/** @param {string} schema @param {Partial<import('@agentm/nodes-postgres').PostgresStoreOptions>} [options] */
export async function openOurs(schema, options = {}) {
  return openPostgresStore({ url: (await ownServer()).url, schema, concepts: sampleConcepts, ...options })
}

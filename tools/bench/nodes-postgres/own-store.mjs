// @ts-check
/** One server for all cases of a run, and what is open on it; all of it gone when the run ends. */
import { sampleConcepts } from '@agentm/conformance/logs'
import { openPostgresStore } from '@agentm/nodes-postgres'
import { findPostgres, installPostgres, startPostgres } from '../../postgres-server.mjs'
import { NotMeasurable } from '../frame.mjs'

/** @type {Promise<import('../../postgres-server.mjs').OwnPostgres> | undefined} */
let starting

export function ownServer() {
  starting ??= start()
  return starting
}

async function start() {
  installPostgres()
  const found = findPostgres()
  if (typeof found === 'string') throw new NotMeasurable(found)
  const server = await startPostgres(found)
  // For who ends without closing: a server outlives its starter otherwise.
  process.once('exit', () => server.abandon())
  return server
}

/** @type {{ close(): Promise<void> }[]} */
const opened = []

/** Closed with the server at the latest. @template {{ close(): Promise<void> }} T @param {T} each @returns {T} */
export function closedAtEnd(each) {
  opened.push(each)
  return each
}

export async function close() {
  if (starting === undefined) return
  // A case that was given up may have closed its own.
  await Promise.all(opened.map(async (each) => each.close().catch(() => {})))
  await (await starting).stop()
}

/** @param {string} schema @param {Partial<import('@agentm/nodes-postgres').PostgresStoreOptions>} [options] */
export async function openOurs(schema, options = {}) {
  return closedAtEnd(
    await openPostgresStore({ url: (await ownServer()).url, schema, concepts: sampleConcepts, ...options }),
  )
}

// @ts-check
/** One server for all cases of a run, and stores on it; stopped when the run ends. */
import { sampleConcepts, seededRandom } from '@agentm/conformance/logs'
import { openPostgresStore } from '@agentm/nodes-postgres'
import { findPostgres, startPostgres } from '../../postgres-server.mjs'

export const dimensions = 256
export const embedder = 'bench/256'
export const concept = 'v1:sample:observation'
export const ada = { owner: 'ada', actor: 'bench', partition: 'bench' }

/** @typedef {{ readonly id: string, readonly content: string, readonly vector: readonly number[] }} Item */

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

/** Texts whose words are as unevenly spread as in prose, and vectors that lie in clusters. @param {number} seed */
export function generator(seed) {
  const random = seededRandom(seed)
  const fixed = seededRandom(1)
  const centres = Array.from({ length: 500 }, () => Array.from({ length: dimensions }, () => fixed() - 0.5))
  const word = () => `w${Math.floor(10 * (2001 ** random() - 1)).toString(36)}q`
  /** @param {number} count */
  const text = (count) => Array.from({ length: count }, word).join(' ')
  const vector = () =>
    (centres[Math.floor(random() * centres.length)] ?? []).map((value) => value + (random() - 0.5) * 0.6)
  /** @param {string} prefix @param {number} count @returns {Item[]} */
  const items = (prefix, count) =>
    Array.from({ length: count }, (_, i) => ({ id: `${prefix}${i}`, content: text(24), vector: vector() }))
  return { random, text, vector, items }
}

/** @param {Item} item */
export function draftOf({ id, content, vector }) {
  return { concept, id, payload: { content }, mutation: 'recordBench', vector: { embedder, values: vector } }
}

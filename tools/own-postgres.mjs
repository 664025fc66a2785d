// @ts-check
/** One PostgreSQL server for a test file. If no server can be started, its tests are skipped with the reason. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { findPostgres, startPostgres } from './postgres-server.mjs'

/** @typedef {import('./postgres-server.mjs').OwnPostgres} OwnPostgres */

/** @returns {() => OwnPostgres} */
export function ownPostgres() {
  const found = findPostgres()
  /** @type {OwnPostgres | undefined} */
  let server
  beforeAll(async () => {
    if (typeof found !== 'string') server = await startPostgres(found)
  }, 60_000)
  beforeEach(({ skip }) => {
    if (typeof found === 'string') skip(found)
  })
  afterAll(async () => {
    await server?.stop()
  }, 60_000)
  return () => {
    if (server === undefined) throw new Error('the server is started before the first test')
    return server
  }
}

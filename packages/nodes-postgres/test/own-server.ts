/** One server for a test file; where none can be had, its tests are skipped and say why. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { findPostgres, type OwnPostgres, startPostgres } from '../../../tools/postgres-server.mjs'

export function ownServer(): () => OwnPostgres {
  const found = findPostgres()
  let server: OwnPostgres | undefined
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

/** The same promises behind a transaction pooler: PgBouncer where it is installed, and its rules alone where it is not. */
import { logContracts, sampleConcepts } from '@agentm/conformance/logs'
import { describeLog } from '@agentm/conformance/logs/vitest'
import { openPostgresStore } from '@agentm/nodes-postgres'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findPostgres } from '../../../tools/postgres-server.mjs'
import { findPgbouncer, startPgbouncer } from '../../../tools/pgbouncer.mjs'
import { ownPostgres } from '../../../tools/own-postgres.mjs'
import { ada, observation } from './sample-store.ts'

const server = ownPostgres()
const found = findPgbouncer()
let pooler: Awaited<ReturnType<typeof startPgbouncer>> | undefined
const module = fileURLToPath(new URL('conformance-store.mjs', import.meta.url))
const schemas = new Map<string, string>()

beforeAll(async () => {
  if (typeof found !== 'string' && typeof findPostgres() !== 'string') pooler = await startPgbouncer(found, server())
}, 60_000)
afterAll(async () => {
  await pooler?.stop()
})

function schemaOf(directory: string): string {
  const schema = schemas.get(directory) ?? server().newSchema()
  schemas.set(directory, schema)
  return schema
}

const url = () => pooler?.url ?? server().url

describeLog(
  typeof found === 'string'
    ? `on PostgreSQL by the rules of a transaction pooler (${found})`
    : 'on PostgreSQL behind PgBouncer',
  async ({ directory, concepts, runtime }) =>
    openPostgresStore({ url: url(), schema: schemaOf(directory), concepts, runtime, pooled: true }),
  {
    // Nothing is held on a connection, so a death is noticed by the lease alone.
    only: logContracts.map(({ id }) => id).filter((id) => id !== 'noticed-death'),
    offers: ['clock', 'reopening'],
    processes: (directory) => ({ module, settings: { url: url(), schema: schemaOf(directory), pooled: true } }),
  },
)

test('more stores than the pooler has connections append side by side, and every level of durability is kept apart', async ({
  skip,
}) => {
  if (typeof found === 'string') skip(found)
  const schema = server().newSchema()
  const open = async () => {
    const store = await openPostgresStore({ url: url(), schema, concepts: sampleConcepts, pooled: true })
    onTestFinished(() => store.close())
    return store
  }
  const witness = await open()
  const stores = [witness, await open(), await open(), await open(), await open()]
  await Promise.all(
    stores.flatMap((store, s) =>
      Array.from({ length: 20 }, async (_, i) =>
        store.log.append([observation(`${s} ${i}`)], { ...ada, durability: i % 2 === 0 ? 'full' : 'normal' }),
      ),
    ),
  )
  const { nodes } = await witness.log.scan({ owner: 'ada' })
  expect(nodes.length).toBe(100)
})

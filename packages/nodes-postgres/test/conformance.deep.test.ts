import { logContracts } from '@agentm/conformance/logs'
import { describeLog } from '@agentm/conformance/logs/vitest'
import { fileURLToPath } from 'node:url'
import { openPostgresStore, type PostgresStoreOptions } from '@agentm/nodes-postgres'
import { ownPostgres } from '../../../tools/own-postgres.mjs'

const server = ownPostgres()
const module = fileURLToPath(new URL('conformance-store.mjs', import.meta.url))
const schemas = new Map<string, string>()

function schemaOf(directory: string): string {
  const schema = schemas.get(directory) ?? server().newSchema()
  schemas.set(directory, schema)
  return schema
}

function contracts(name: string, only: readonly string[], options: Partial<PostgresStoreOptions>): void {
  describeLog(
    name,
    async ({ directory, concepts, runtime }) =>
      openPostgresStore({ url: server().url, schema: schemaOf(directory), concepts, runtime, ...options }),
    {
      only,
      offers: ['clock', 'reopening'],
      processes: (directory) => ({ module, settings: { url: server().url, schema: schemaOf(directory), ...options } }),
    },
  )
}

const all = logContracts.map(({ id }) => id)
const recall = ['pending-vectors', 'exact-top-k', 'heads-are-a-fold', ...all.filter((id) => /^(recall|found)/.test(id))]

contracts('on PostgreSQL', all, {})
contracts('on PostgreSQL without pgvector', recall, { vectors: 'scan' })

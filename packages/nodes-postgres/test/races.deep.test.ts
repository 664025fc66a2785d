import { logContracts } from '@agentm/conformance/logs'
import { describeLog } from '@agentm/conformance/logs/vitest'
import { fileURLToPath } from 'node:url'
import { openPostgresStore } from '@agentm/nodes-postgres'
import { ownPostgres } from '../../../tools/own-postgres.mjs'

/** The contracts of several processes and of recall, at full size: 8 processes, 10,000 steps. */
const server = ownPostgres()
const module = fileURLToPath(new URL('conformance-store.mjs', import.meta.url))
const schemas = new Map<string, string>()
const schemaOf = (directory: string) => {
  const schema = schemas.get(directory) ?? server().newSchema()
  schemas.set(directory, schema)
  return schema
}
const atScale = (name: string, scale: number, only: readonly string[]) =>
  describeLog(
    name,
    async ({ directory, concepts, runtime }) =>
      openPostgresStore({ url: server().url, schema: schemaOf(directory), concepts, runtime }),
    {
      scale,
      only: logContracts.map(({ id }) => id).filter((id) => only.includes(id)),
      offers: ['clock', 'reopening'],
      processes: (directory) => ({ module, settings: { url: server().url, schema: schemaOf(directory) } }),
    },
  )

atScale('a claim race of 10,000 steps', 100, ['claim-race'])
atScale('takers of 10,000 steps', 50, ['take-race'])
atScale('many kills and many questions', 10, ['killed-writer', 'exact-top-k', 'concurrent-appends'])

// @ts-check
/** Opens a store in an environment of its own, and says how that went. */
import { inspect } from 'node:util'
import { openPostgresStore } from '@agentm/nodes-postgres'

try {
  const store = await openPostgresStore({ url: process.argv[2] ?? '', concepts: [], schema: 'opened', patienceMs: 100 })
  await store.close()
  console.log(JSON.stringify({ opened: true }))
} catch (error) {
  const { name, message, code } = /** @type {Error & { code?: string }} */ (error)
  console.log(JSON.stringify({ name, message, code, all: inspect(error, { depth: 5 }) }))
}

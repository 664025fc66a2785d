// @ts-check
/**
 * The stores that the harness is measured on: a file, or a server that the benchmark starts. Another process opens a store by its
 * address.
 */
import path from 'node:path'
import { harnessConcepts } from '@agentm/harness'
import { openPostgresStore } from '@agentm/nodes-postgres'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { ownServer } from '../nodes-postgres/own-store.mjs'

/** @typedef {'normal' | 'full'} Level */
/** @typedef {{ readonly file: string } | { readonly url: string, readonly schema: string }} Address */

/**
 * @typedef {object} Home
 * @property {'sqlite' | 'postgres'} name
 * @property {Readonly<Record<Level, string>>} durability what a level is, in the store's own words
 * @property {(scratch: string, name: string) => Promise<Address>} newAddress
 */

/** @type {Home} */
export const sqlite = {
  name: 'sqlite',
  durability: { normal: 'normal: WAL, synchronous = normal', full: 'full: WAL, synchronous = full' },
  newAddress: async (scratch, name) => ({ file: path.join(scratch, `${name}.db`) }),
}

/** @type {Home} */
export const postgres = {
  name: 'postgres',
  durability: { normal: 'normal: synchronous_commit = off', full: 'full: synchronous_commit = on' },
  async newAddress() {
    const server = await ownServer()
    return { url: server.url, schema: server.newSchema() }
  },
}

/** @param {Address} address @returns {Promise<import('@agentm/nodes').NodeStore>} */
export async function openStore(address) {
  if ('url' in address) return openPostgresStore({ ...address, concepts: harnessConcepts })
  const file = /** @type {import('@agentm/vault-lock').FilePath} */ (address.file)
  return openSqliteStore({ path: file, concepts: harnessConcepts })
}

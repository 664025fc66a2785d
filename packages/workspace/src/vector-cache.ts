/** The vectors that an embedder was asked for, in a file of this device. One write keeps all vectors of a request. */
import type { VectorCache } from '@agentm/memory/embedders'
import type { ByteTables } from '@agentm/nodes/store-kit'

const table = 'vectors'
const hashBytes = 32

/** `open` is called when the first text is embedded. */
export function vectorCache(open: () => Promise<ByteTables>): VectorCache {
  return {
    async read(embedder, hashes) {
      const tables = await open()
      return tables.read(embedder, (rows) => hashes.map((hash) => vectorOf(rows.get(table, rowOf(hash)), hash)))
    },
    async write(embedder, vectors) {
      await (
        await open()
      ).write(embedder, (rows) => {
        for (const [hash, bytes] of vectors) rows.put(table, rowOf(hash), Buffer.concat([digestOf(hash), bytes]))
      })
    },
    async remove(embedder, hashes) {
      const change: Parameters<ByteTables['write']>[1] = (rows) => {
        for (const hash of hashes) rows.delete(table, rowOf(hash))
      }
      await (await open()).write(embedder, change, { erase: true })
    },
  }
}

/** A number of 52 bits. Of two texts with the same number, the later one is cached: the whole hash is beside the vector. */
function rowOf(hash: string): number {
  return Number.parseInt(hash.slice(0, 13), 16)
}

function digestOf(hash: string): Buffer {
  return Buffer.from(hash, 'hex').subarray(0, hashBytes)
}

function vectorOf(bytes: Uint8Array | undefined, hash: string): Uint8Array | undefined {
  if (bytes === undefined || !digestOf(hash).equals(bytes.subarray(0, hashBytes))) return undefined
  return bytes.subarray(hashBytes)
}

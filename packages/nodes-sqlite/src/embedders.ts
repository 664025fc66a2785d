import { InvalidVectorError } from '@agentm/nodes/store-kit'
import type { Connection } from './connection.ts'

export interface Embedder {
  readonly number: number
  readonly dimensions: number
}

/** The number of an embedder in this file. Its dimensions never change, because vectors of different lengths cannot be compared. */
export function embedderOf(writer: Connection, name: string, dimensions: number): Embedder {
  const known = findEmbedder(writer, name)
  if (known === undefined) {
    writer.run('insert into embedders (name, dimensions) values (?, ?)', name, dimensions)
    return embedderOf(writer, name, dimensions)
  }
  if (known.dimensions !== dimensions)
    throw new InvalidVectorError(`${name} has ${known.dimensions} dimensions in this store, not ${dimensions}`)
  return known
}

export function findEmbedder(connection: Connection, name: string): Embedder | undefined {
  const row = connection.get('select number, dimensions from embedders where name = ?', name)
  return row === undefined ? undefined : { number: Number(row['number']), dimensions: Number(row['dimensions']) }
}

import { InvalidVectorError } from '@agentm/nodes'
import type { Connection } from './connection.ts'

/** The number an embedder goes by in this file. It keeps its dimensions for good: mixing them compares nonsense. */
export function embedderNumber(writer: Connection, name: string, dimensions: number): number {
  const known = findEmbedder(writer, name)
  if (known === undefined) {
    writer.run('insert into embedders (name, dimensions) values (?, ?)', name, dimensions)
    return findEmbedder(writer, name)?.number ?? 0
  }
  if (known.dimensions !== dimensions)
    throw new InvalidVectorError(`${name} has ${known.dimensions} dimensions in this store, not ${dimensions}`)
  return known.number
}

export function findEmbedder(connection: Connection, name: string) {
  const row = connection.get('select number, dimensions from embedders where name = ?', name)
  return row === undefined ? undefined : { number: Number(row['number']), dimensions: Number(row['dimensions']) }
}

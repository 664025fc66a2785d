/** The body of a request, or `undefined` if it is longer than allowed; the rest of it is not read. */
import type { IncomingMessage } from 'node:http'

export async function readBody(request: IncomingMessage, most: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

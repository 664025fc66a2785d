/** A server on loopback that answers as a test says, closed when the test ends. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface LoopbackRequest {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
  /** 1 for the first request. */
  readonly nth: number
}

export type LoopbackAnswer = (request: LoopbackRequest, response: ServerResponse) => void

export async function loopbackServer(answer: LoopbackAnswer) {
  const requests: LoopbackRequest[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as LoopbackRequest['body']
      const asked = { url: request.url ?? '', headers: request.headers, body, nth: requests.length + 1 }
      requests.push(asked)
      answer(asked, response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

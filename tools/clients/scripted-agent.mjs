// @ts-check
/**
 * Model servers on loopback for coding agents: one address that answers the Messages, Responses, Chat Completions and Gemini
 * protocols by one script. A script says what the model does next; `dialects.mjs` says how each protocol asks and answers.
 */
import { createServer } from 'node:http'
import { dialectOf } from './dialects.mjs'

/** @typedef {import('./dialects.mjs').Asked} Asked */
/** @typedef {import('./dialects.mjs').Turn} Turn */
/** @typedef {(asked: Asked) => Turn | Promise<Turn>} Script */

/**
 * What the server was asked, in order. `isWork` is false for what a client asks beside the conversation: a title, a token count.
 * @typedef {Asked & { readonly path: string, readonly isWork: boolean }} Recorded
 */

/** @param {import('node:http').ServerResponse} response @param {NonNullable<Turn['refused']>} refused */
function refuse(response, { status, headers = {}, body }) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** @param {Script} script */
export async function startScriptedAgent(script) {
  /** @type {Recorded[]} */
  const requests = []
  /** @type {string[]} */
  const unknown = []
  /** @type {string[]} */
  const escapes = []
  const server = createServer((incoming, response) => {
    void (async () => {
      let text = ''
      for await (const chunk of incoming.setEncoding('utf8')) text += chunk
      const path = incoming.url ?? ''
      const dialect = dialectOf(incoming.method ?? '', path)
      if (dialect === undefined) {
        unknown.push(`${incoming.method} ${path}`)
        response.writeHead(404, { 'content-type': 'application/json' })
        return response.end(
          '{"error":{"message":"the scripted server does not know this path","type":"not_found_error"}}',
        )
      }
      const body = text === '' ? {} : JSON.parse(text)
      const asked = dialect.asked(body, path)
      const isWork = asked.tools.length > 0
      requests.push({ ...asked, path, isWork })
      const turn = isWork ? await script(asked) : { text: 'A small task' }
      if (turn.isSilent === true) return undefined
      if (turn.refused !== undefined) return refuse(response, turn.refused)
      return dialect.answer(response, turn, body, path)
    })().catch((error) => response.destroy(error))
  })
  server.on('connect', ({ url }, socket) => {
    socket.on('error', () => {})
    escapes.push(String(url))
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Requests that no protocol here answers: a client that asked for something else. */
    unknown,
    /** Other machines that a client wanted to reach through the proxy that this server is. */
    escapes,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

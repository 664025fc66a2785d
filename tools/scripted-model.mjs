// @ts-check
/**
 * A chat completions endpoint on loopback that answers by a script: for tests of whatever asks a model, in this process or,
 * started as a command with a script file, in one of its own. `node tools/scripted-model.mjs script.json` prints its address.
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { endWithParent } from './end-with-parent.mjs'

/**
 * One answer. It is given to the next request that holds the text `when`, in order, `times` times (once where absent, always
 * where 0). A failure has a `status`; `raw` is sent as it is; `cutAfter` ends the connection after so many pieces.
 * @typedef {object} Line
 * @property {string} [when]
 * @property {number} [times]
 * @property {string} [text]
 * @property {string} [refusal]
 * @property {readonly (readonly [tool: string, args?: unknown])[]} [calls] arguments as a value, or as the text to send
 * @property {readonly [input: number, output: number]} [usage] 10 and 5 where absent
 * @property {boolean} [noUsage]
 * @property {number} [cached]
 * @property {string} [finish]
 * @property {number} [status]
 * @property {string} [error]
 * @property {string} [errorCode]
 * @property {Readonly<Record<string, string>>} [headers]
 * @property {string} [raw]
 * @property {boolean} [whole] answers whole also where a stream was asked for
 * @property {number} [delayMs] before anything is answered
 * @property {number} [pieceMs] between two pieces
 * @property {boolean} [hang] never ends what it began
 * @property {number} [cutAfter]
 */

/** @typedef {{ readonly role: string, readonly content: string | null, readonly tool_calls?: readonly unknown[], readonly tool_call_id?: string }} Said */
/** @typedef {{ readonly model: string, readonly messages: readonly Said[], readonly stream?: boolean, readonly stream_options?: unknown, readonly [field: string]: unknown }} Asked */
/** @typedef {{ readonly body: Asked, readonly headers: import('node:http').IncomingHttpHeaders, readonly path: string, readonly closed: Promise<'ended' | 'cut'> }} Request */
/** @typedef {readonly Line[] | ((body: Asked, n: number) => Line)} Script */
/** @typedef {import('node:http').ServerResponse} Response */

/**
 * @param {Script} script
 * @param {{ readonly key?: string }} [options] the key it insists on
 */
export async function startScriptedServer(script, { key } = {}) {
  /** @type {Request[]} */
  const requests = []
  const answerTo = typeof script === 'function' ? script : inOrder(script)
  const server = createServer((incoming, response) => {
    if (incoming.method === 'GET') {
      const isKnown = key === undefined || incoming.headers.authorization === `Bearer ${key}`
      response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isKnown ? { object: 'list', data: [{ id: 'scripted', object: 'model' }] } : {}))
      return
    }
    void (async () => {
      let text = ''
      for await (const chunk of incoming.setEncoding('utf8')) text += chunk
      const body = JSON.parse(text)
      /** @type {Promise<'ended' | 'cut'>} */
      const closed = new Promise((resolve) =>
        response.on('close', () => resolve(response.writableFinished ? 'ended' : 'cut')),
      )
      const request = { body, headers: incoming.headers, path: incoming.url ?? '', closed }
      requests.push(request)
      if (key !== undefined && incoming.headers.authorization !== `Bearer ${key}`)
        return refuse(response, { status: 401, error: `Incorrect key provided: ${incoming.headers.authorization}` })
      return answer(response, answerTo(body, requests.length), body)
    })().catch((error) => response.destroy(error))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** @param {readonly Line[]} lines @returns {(body: Asked) => Line} */
function inOrder(lines) {
  const left = lines.map(({ times = 1 }) => (times === 0 ? Infinity : times))
  return (body) => {
    const text = JSON.stringify(body.messages)
    const at = lines.findIndex((line, i) => (left[i] ?? 0) > 0 && text.includes(line.when ?? ''))
    left[at] = (left[at] ?? 0) - 1
    return lines[at] ?? { status: 400, error: 'the script has no line for this request' }
  }
}

/** @param {Response} response @param {Line} line @param {Asked} body */
async function answer(response, line, body) {
  if (line.delayMs !== undefined) await sleep(line.delayMs)
  if (line.status !== undefined) return refuse(response, line)
  if (line.hang === true && line.text === undefined) return undefined
  if (line.raw !== undefined) return response.end(line.raw)
  if (body.stream === true && line.whole !== true) return stream(response, line, body)
  if (line.cutAfter !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"choices":[{"mess')
    await sleep(10)
    return response.destroy()
  }
  const { text = null, refusal } = line
  const toolCalls = callsOf(line)
  const message = { role: 'assistant', content: text, refusal, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) }
  response.writeHead(200, { 'content-type': 'application/json', ...line.headers })
  return response.end(
    JSON.stringify({
      id: 'scripted',
      object: 'chat.completion',
      created: 1,
      model: body.model,
      choices: [{ index: 0, message, finish_reason: finishOf(line) }],
      ...(line.noUsage !== true && { usage: usageOf(line) }),
    }),
  )
}

/** @param {Response} response @param {Line} line */
function refuse(response, { status = 500, error = 'it failed', errorCode, headers }) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  return response.end(JSON.stringify({ error: { message: error, type: 'scripted', code: errorCode } }))
}

/** @param {Response} response @param {Line} line @param {Asked} body */
async function stream(response, line, body) {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...line.headers })
  const pieces = [...(line.text ?? line.refusal ?? '').matchAll(/[\s\S]{1,5}/g)].map(([piece]) => ({
    [line.text === undefined ? 'refusal' : 'content']: piece,
  }))
  const deltas = [{ role: 'assistant', content: '' }, ...pieces, ...callsOf(line).flatMap(callPieces)]
  for (const [i, delta] of deltas.entries()) {
    if (line.cutAfter === i) return response.destroy()
    await send(response, { choices: [{ index: 0, delta, finish_reason: null }] })
    if (line.pieceMs !== undefined) await sleep(line.pieceMs)
  }
  if (line.hang === true) return undefined
  if (line.cutAfter !== undefined) return response.destroy()
  await send(response, { choices: [{ index: 0, delta: {}, finish_reason: finishOf(line) }] })
  if (body.stream_options !== undefined && line.noUsage !== true)
    await send(response, { choices: [], usage: usageOf(line) })
  return response.end('data: [DONE]\n\n')
}

/** @param {Response} response @param {object} chunk */
async function send(response, chunk) {
  const text = JSON.stringify({
    id: 'scripted',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    ...chunk,
  })
  await new Promise((resolve) => response.write(`data: ${text}\n\n`, resolve))
}

/** @param {ReturnType<typeof callsOf>[number]} call @param {number} index */
function callPieces({ id, function: { name, arguments: args } }, index) {
  const first = { index, id, type: 'function', function: { name, arguments: '' } }
  const rest = [...args.matchAll(/[\s\S]{1,7}/g)].map(([piece]) => ({ index, function: { arguments: piece } }))
  return [first, ...rest].map((piece) => ({ tool_calls: [piece] }))
}

let ids = 0

/** @param {Line} line */
function callsOf({ calls = [] }) {
  return calls.map(([name, args]) => ({
    id: `call_${++ids}`,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) },
  }))
}

/** @param {Line} line */
function finishOf({ finish, calls = [] }) {
  return finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')
}

/** @param {Line} line */
function usageOf({ usage: [input, output] = [10, 5], cached }) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  endWithParent()
  const server = await startScriptedServer(JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')))
  process.on('SIGTERM', () => void server.close())
  console.log(server.url)
}

// @ts-check
/**
 * Serves vectors as a model server on this device does, without thinking: each text gets one of a few vectors that were made before. What
 * is measured beside it is our part of making an index with vectors.
 */
import { createServer } from 'node:http'
import { once } from 'node:events'
import { randomFrom } from '../../eval/recall/random-from.mjs'

export const dimensions = 384
const different = 256

/** @returns {Promise<{ readonly url: string, readonly close: () => Promise<void> }>} */
export async function serveVectors() {
  const vectors = Array.from({ length: different }, (_, i) => JSON.stringify(unitVector(i)))
  /** @param {string} body */
  const answerTo = (body) => {
    const { input } = JSON.parse(body)
    const texts = /** @type {readonly string[]} */ ([input].flat())
    const data = texts.map(
      (text, index) => `{"object":"embedding","index":${index},"embedding":${vectors[placeOf(text)]}}`,
    )
    return `{"object":"list","model":"bench","data":[${data.join(',')}]}`
  }
  const server = createServer((request, response) => {
    const parts = /** @type {Buffer[]} */ ([])
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(answerTo(Buffer.concat(parts).toString('utf8')))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** @param {number} seed */
function unitVector(seed) {
  const random = randomFrom(seed)
  const values = Array.from({ length: dimensions }, () => random.below(2001) - 1000)
  const length = Math.hypot(...values)
  return values.map((value) => Number((value / length).toFixed(6)))
}

/** @param {string} text */
function placeOf(text) {
  let sum = 0
  for (let i = 0; i < text.length; i += 7) sum = (sum * 31 + text.charCodeAt(i)) >>> 0
  return sum % different
}

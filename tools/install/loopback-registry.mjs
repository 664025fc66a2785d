// @ts-check
/** A registry on this machine's loopback that knows what it is given or what is published to it, and nothing else. */
import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'

/** @typedef {import('./packed.mjs').Packed} Packed */
/** @typedef {{ readonly document: object, readonly archives: ReadonlyMap<string, Buffer> }} Published */

/**
 * @param {readonly Packed[]} packages there from the start
 * @returns {Promise<{ readonly url: string, readonly close: () => void }>}
 */
export async function loopbackRegistry(packages) {
  // A path of its own: npm caches by address, and ports come back. Nothing of an earlier run may answer for this one.
  const prefix = `/${randomUUID()}/`
  /** @type {Map<string, Published>} */
  const published = new Map()
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url ?? '').slice(prefix.length)
    const base = `http://${request.headers.host}${prefix}`
    const reply = request.method === 'PUT' ? accept(name, request) : answer(name, base)
    reply
      .then(({ status, body }) => response.writeHead(status).end(body))
      .catch((error) => response.writeHead(500).end(String(error)))
  })

  /** As `npm publish` sends it: the document, and the archives inside it. @param {string} name @param {import('node:http').IncomingMessage} request */
  async function accept(name, request) {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const { _attachments: attachments, ...document } = JSON.parse(Buffer.concat(chunks).toString())
    if (published.has(name)) return { status: 403, body: JSON.stringify({ error: `${name} is published already` }) }
    const archives = Object.entries(attachments).map(
      ([file, { data }]) => /** @type {const} */ ([path.posix.basename(file), Buffer.from(data, 'base64')]),
    )
    for (const version of Object.values(document.versions))
      version.dist.tarball = `http://${request.headers.host}${prefix}${path.posix.basename(version.dist.tarball)}`
    published.set(name, { document, archives: new Map(archives) })
    return { status: 201, body: '{}' }
  }

  /** @param {string} name @param {string} base */
  async function answer(name, base) {
    const sent = published.get(name)
    if (sent !== undefined) return { status: 200, body: JSON.stringify(sent.document) }
    for (const { archives } of published.values()) {
      const body = archives.get(name)
      if (body !== undefined) return { status: 200, body }
    }
    const archive = packages.find((each) => path.basename(each.tarball) === name)
    if (archive !== undefined) return { status: 200, body: await readFile(archive.tarball) }
    const known = packages.find((each) => each.name === name)
    if (known !== undefined) return { status: 200, body: JSON.stringify(await packument(known, base)) }
    return { status: 404, body: '' }
  }

  await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}${prefix}`, close: () => void server.close() }
}

/** @param {Packed} packed @param {string} base */
async function packument(packed, base) {
  const integrity = `sha512-${createHash('sha512')
    .update(await readFile(packed.tarball))
    .digest('base64')}`
  const dist = { tarball: base + path.basename(packed.tarball), integrity }
  return {
    name: packed.name,
    'dist-tags': { latest: packed.version },
    versions: { [packed.version]: { ...packed.manifest, dist } },
  }
}

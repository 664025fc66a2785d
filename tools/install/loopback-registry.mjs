// @ts-check
/** A registry on this machine's loopback that knows our freshly packed tarballs and nothing else. */
import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'

/** @typedef {import('./packed.mjs').Packed} Packed */

/**
 * @param {readonly Packed[]} packages
 * @returns {Promise<{ readonly url: string, readonly close: () => void }>}
 */
export async function loopbackRegistry(packages) {
  // A path of its own: npm caches by address, and ports come back. Nothing of an earlier run may answer for this one.
  const prefix = `/${randomUUID()}/`
  const server = createServer((request, response) => {
    answer(decodeURIComponent(request.url ?? '').slice(prefix.length), `http://${request.headers.host}${prefix}`)
      .then(({ status, body }) => response.writeHead(status).end(body))
      .catch((error) => response.writeHead(500).end(String(error)))
  })

  /** @param {string} name @param {string} base */
  async function answer(name, base) {
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

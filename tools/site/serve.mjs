// @ts-check
/** The built site as a host of static pages serves it: /page is page.html, and what is not there is 404.html. */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import path from 'node:path'

/** @type {Readonly<Record<string, string>>} */
const kinds = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
}

/** @param {string} built @param {string} base */
export async function serveBuilt(built, base) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const target = decodeURIComponent(pathname.startsWith(base) ? pathname.slice(base.length) : 'nowhere')
    const inside = [target, `${target}.html`, path.join(target, 'index.html')].map((name) => path.join(built, name))
    const found = inside.find((file) => file.startsWith(built) && existsSync(file) && statSync(file).isFile())
    const file = found ?? path.join(built, '404.html')
    response.writeHead(found === undefined ? 404 : 200, {
      'content-type': kinds[path.extname(file)] ?? 'application/octet-stream',
    })
    createReadStream(file).pipe(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { origin: `http://127.0.0.1:${port}`, close: () => closed(server) }
}

/** @param {import('node:http').Server} server */
async function closed(server) {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}

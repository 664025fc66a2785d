/** A home whose config names models, and servers on loopback that answer as models do, or as a test says. */
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filePath } from '@agentm/vault-lock'
import { openWorkspace } from '@agentm/workspace'
import { onTestFinished } from 'vitest'

export interface Asked {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

export type Answering = (asked: Asked, response: ServerResponse) => void

export async function modelServer(answer: Answering) {
  const asked: Asked[] = []
  const now = { answer }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Asked['body']
      const each = { url: request.url ?? '', headers: request.headers, body }
      asked.push(each)
      response.setHeader('content-type', 'application/json')
      now.answer(each, response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    /** From here on. */
    answers: (other: Answering) => (now.answer = other),
  }
}

/** Vectors of an endpoint of embeddings. */
export function vectors(vectorOf: (text: string) => readonly unknown[]): Answering {
  return ({ body }, response) => {
    const data = (body['input'] as string[]).map((text, index) => ({ index, embedding: vectorOf(text) }))
    response.end(JSON.stringify({ data }))
  }
}

export async function modelHome(config: Readonly<Record<string, unknown>>) {
  const home = filePath(await realpath(await mkdtemp(path.join(tmpdir(), 'agentm-models-'))))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const directory = path.join(home, 'work')
  await mkdir(path.join(home, '.claude'), { recursive: true })
  await mkdir(directory)
  const file = path.join(home, '.claude/.agentm-config.json')
  await writeFile(file, JSON.stringify({ owner: 'ada', ...config }))
  const env = {
    XDG_CACHE_HOME: path.join(home, '.cache'),
    PATH: process.env['PATH'],
    AGENTM_EMBEDDER_KEY: 'sk-embed',
    AGENTM_RERANKER_KEY: 'sk-rerank',
  }
  const installations = [
    filePath(path.resolve(import.meta.dirname, '../../..')),
    filePath(path.join(home, 'installed')),
  ]
  const world = { env, home, installations }
  return {
    home,
    directory,
    world,
    configure: async (other: Readonly<Record<string, unknown>>) =>
      writeFile(file, JSON.stringify({ owner: 'ada', ...other })),
    open: async () => {
      const workspace = await openWorkspace(directory, { world })
      onTestFinished(() => workspace.close())
      return workspace.memory()
    },
    /** A module that stands where the user installs packages. */
    plant: async (name: string, source: string) => {
      const folder = path.join(home, 'installed', 'node_modules', name)
      await mkdir(folder, { recursive: true })
      await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name, main: 'index.js' }))
      await writeFile(path.join(folder, 'index.js'), source)
    },
  }
}

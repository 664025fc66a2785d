import { request } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, describe, expect, it } from 'vitest'
import { type HttpServing, serveHttp } from '@agentm/mcp-server'
import { SmallMemory } from './small-memory.ts'

const servings: HttpServing[] = []
afterEach(async () => {
  await Promise.all(servings.splice(0).map((serving) => serving.close()))
})

const token = 'a-long-random-text'

async function setup() {
  const memory = new SmallMemory()
  const serving = await serveHttp({ open: memory.open, token: 'secret-of-this-test', port: 0 })
  servings.push(serving)
  return { memory, serving, url: new URL(serving.url) }
}

async function connect(url: URL, bearer = 'secret-of-this-test') {
  const client = new Client({ name: 'test', version: '1' })
  const headers = { Authorization: `Bearer ${bearer}` }
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } })
  await client.connect(transport)
  return client
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

/** `fetch` does not let a caller name the host, so this does. */
function raw(
  url: URL,
  headers: Readonly<Record<string, string>>,
  method = 'POST',
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers }
    const asking = request(url, { method, headers: sent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
    })
    asking.on('error', reject)
    asking.end(method === 'POST' ? JSON.stringify(initialize) : undefined)
  })
}

const bearing = { Authorization: 'Bearer secret-of-this-test' }

describe('serving HTTP', () => {
  it.each([undefined, '', '   '])('refuses to start with the token %j', async (missing) => {
    const { open } = new SmallMemory()
    await expect(serveHttp({ open, token: missing, port: 0 })).rejects.toMatchObject({
      code: 'TOKEN_REQUIRED',
      message: expect.stringContaining('AGENTM_MCP_TOKEN'),
    })
  })

  it.each(['two words', 'schlüssel'])('refuses to start with the token %j, which no host could send', async (odd) => {
    const { open } = new SmallMemory()
    await expect(serveHttp({ open, token: odd, port: 0 })).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
  })

  it.each(['x', 'changeme', 'hunter2hunter2', 'a'.repeat(64), 'abcabcabcabcabcabc'])(
    'refuses to start with the token %j, which can be guessed',
    async (weak) => {
      const { open } = new SmallMemory()
      await expect(serveHttp({ open, token: weak, port: 0 })).rejects.toMatchObject({
        code: 'TOKEN_WEAK',
        message: expect.stringMatching(/can be guessed: it has \d+ characters.*crypto\.randomUUID/s),
      })
    },
  )

  it('refuses a port that is none, and one that is taken', async () => {
    const { open } = new SmallMemory()
    await expect(serveHttp({ open, token, port: 65_536 })).rejects.toMatchObject({ code: 'PORT_INVALID' })
    await expect(serveHttp({ open, token, port: Number.NaN })).rejects.toMatchObject({ code: 'PORT_INVALID' })
    const { url } = await setup()
    await expect(serveHttp({ open, token, port: Number(url.port) })).rejects.toMatchObject({ code: 'PORT_IN_USE' })
  })

  it('serves any number of hosts from one memory, each over the whole protocol', async () => {
    const { url, memory } = await setup()
    const clients = await Promise.all([connect(url), connect(url), connect(url)])
    await Promise.all(
      clients.flatMap((client, i) =>
        Array.from({ length: 20 }, (_, n) =>
          client.callTool({ name: 'memory_save', arguments: { kind: 'fact', text: 'x', slug: `c${i}-${n}` } }),
        ),
      ),
    )
    expect(memory.notes.size).toBe(60)
    expect(memory.opened).toBe(1)
    const [first] = clients
    expect((await first?.listResources())?.resources).toHaveLength(60)
    await Promise.all(clients.map((client) => client.close()))
  })

  it('lets a host go on after a restart', async () => {
    const { serving, url } = await setup()
    const client = await connect(url)
    await serving.close()
    const memory = new SmallMemory()
    servings.splice(0, 1, await serveHttp({ open: memory.open, token: 'secret-of-this-test', port: Number(url.port) }))
    expect((await client.listTools()).tools).toHaveLength(5)
    await client.close()
  })

  it('closes the memory it opened', async () => {
    const { serving, url, memory } = await setup()
    const client = await connect(url)
    await client.callTool({ name: 'memory_recall', arguments: { query: 'x' } })
    await client.close()
    await serving.close()
    expect(memory.closed).toBe(1)
  })
})

describe('who is served over HTTP', () => {
  it('is who bears the token', async () => {
    const { url, memory } = await setup()
    expect(await raw(url, bearing)).toMatchObject({ status: 200 })
    for (const Authorization of ['', 'Bearer ', 'Bearer secret-of-this-tes', 'Basic secret-of-this-test'])
      expect(await raw(url, { Authorization })).toMatchObject({
        status: 401,
        body: expect.stringContaining('TOKEN_REFUSED'),
      })
    await expect(connect(url, 'guess')).rejects.toThrow('TOKEN_REFUSED')
    expect(memory.opened).toBe(0)
  })

  it.each([
    [403, { Host: 'evil.example' }],
    [403, { Host: 'localhost.evil.example:7821' }],
    [403, { Host: '127.0.0.1@evil.example' }],
    [403, { Origin: 'https://evil.example' }],
    [403, { Origin: 'http://localhost.evil.example' }],
    [403, { Origin: 'null' }],
    [200, { Host: 'localhost:7821' }],
    [200, { Host: '[::1]:7821' }],
    [200, { Origin: 'http://localhost:3000' }],
    [200, { Origin: 'http://127.0.0.1:6274' }],
  ])('is answered %i with %j, token or not', async (status, headers: Readonly<Record<string, string>>) => {
    const { url } = await setup()
    expect(await raw(url, { ...bearing, ...headers })).toMatchObject({ status })
  })

  it('gets the protocol at one path by one method, and /health without a token', async () => {
    const { url } = await setup()
    expect(await raw(new URL('/health', url), {}, 'GET')).toEqual({ status: 200, body: '{"status":"ok"}\n' })
    expect(await raw(new URL('/other', url), bearing)).toMatchObject({ status: 404 })
    expect(await raw(url, bearing, 'GET')).toMatchObject({ status: 405 })
    expect(await raw(url, bearing, 'DELETE')).toMatchObject({ status: 405 })
  })
})

describe('a trace over plain HTTP', () => {
  it('is { planId, timeline, complete, stepCount }, also of a plan that is not there', async () => {
    const { url } = await setup()
    const get = async (plan: string) => {
      const answer = await fetch(new URL(`/trace/${plan}`, url), { headers: bearing })
      return { status: answer.status, body: await answer.json() }
    }
    expect(await get('p1')).toEqual({
      status: 200,
      body: { planId: 'p1', timeline: 'Plan p1\n  status: done\n', complete: true, stepCount: 2 },
    })
    expect(await get('gone')).toMatchObject({ status: 200, body: { complete: false, stepCount: 0 } })
    expect(await get('%E0%A4%A')).toMatchObject({ status: 400, body: { code: 'INVALID_ID' } })
  })

  it('is read with the token only, and only read', async () => {
    const { memory, url } = await setup()
    const at = new URL('/trace/p1', url)
    expect((await fetch(at)).status).toBe(401)
    expect((await fetch(at, { method: 'POST', headers: bearing })).status).toBe(405)
    expect((await fetch(new URL('/trace/p1/more', url), { headers: bearing })).status).toBe(404)
    expect(memory.opened).toBe(0)
  })
})

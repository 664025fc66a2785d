import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { httpTools, type Lookup } from '../../src/tools/index.ts'
import { allowedHost } from '../../src/tools/pure/host-policy.ts'
import { isPublicAddress } from '../../src/tools/public-address.ts'
import { callTool, toolNamed } from './tool-world.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function server(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: IncomingMessage[] = []
  const http = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  open.push({
    close: async () => {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  })
  return { port, requests }
}

const toLoopback: Lookup = (_, __, done) => done(null, [{ address: '127.0.0.1', family: 4 }])

function asking(policy: Parameters<typeof httpTools>[0]['policy'], lookup?: Lookup) {
  const tools = httpTools({ policy, runtime: { now: () => 0 }, ...(lookup && { lookup }) })
  return async (name: string, args: object) => callTool(tools, name, args)
}

describe('the web of an agent', () => {
  it('is the hosts that are allowed, with their ports', async () => {
    const { port, requests } = await server((_, response) => response.end('hello'))
    const ask = asking({ hosts: [`127.0.0.1:${port}`] })
    const { text } = await ask('http', { url: `http://127.0.0.1:${port}/a?b=1` })
    expect(text).toBe(`200 http://127.0.0.1:${port}/a?b=1 (no type)\n\nhello`)
    for (const url of [
      `http://localhost:${port}/`,
      'http://127.0.0.1/',
      'http://example.org/',
      `http://a@127.0.0.1:${port}/`,
    ])
      await expect(ask('http', { url })).rejects.toMatchObject({ code: 'TOOL_FAILED' })
    for (const url of ['file:///etc/passwd', 'ftp://127.0.0.1/'])
      await expect(ask('http', { url })).rejects.toThrow('Invalid')
    expect(requests).toHaveLength(1)
  })

  it('does not include the own network, whatever a name server says', async () => {
    const { port, requests } = await server((_, response) => response.end('internal'))
    const hosts = [`api.example.com:${port}`]
    const url = `http://api.example.com:${port}/`
    await expect(asking({ hosts }, toLoopback)('http', { url })).rejects.toMatchObject({
      type: 'permission',
      message: expect.stringContaining('own network') as unknown,
    })
    expect(requests).toEqual([])
    const named = asking({ hosts: [], privateHosts: hosts }, toLoopback)
    expect((await named('http', { url })).text).toContain('internal')
  })

  it('looks at every redirect as at a new address', async () => {
    const other = await server((_, response) => response.end('other'))
    const first = await server((request, response) => {
      const to: Readonly<Record<string, string>> = {
        '/out': 'http://169.254.169.254/latest/meta-data',
        '/file': 'file:///etc/passwd',
        '/loop': '/loop',
        '/on': `http://127.0.0.1:${other.port}/`,
        '/near': '/here',
      }
      const location = to[request.url ?? '']
      if (location === undefined) response.end('here')
      else response.writeHead(302, { location }).end()
    })
    const ask = asking({ hosts: [`127.0.0.1:${first.port}`, `127.0.0.1:${other.port}`] })
    const at = (path: string) => ({
      url: `http://127.0.0.1:${first.port}${path}`,
      headers: { Authorization: 'Bearer x' },
    })
    await expect(ask('http', at('/out'))).rejects.toMatchObject({ type: 'permission' })
    await expect(ask('http', at('/file'))).rejects.toMatchObject({ type: 'validation' })
    await expect(ask('http', at('/loop'))).rejects.toThrow('without end')
    expect((await ask('http', at('/near'))).text).toContain('here')
    expect(first.requests.at(-1)?.headers.authorization).toBe('Bearer x')
    expect((await ask('http', at('/on'))).text).toContain('other')
    expect(other.requests[0]?.headers.authorization).toBe(undefined)
  })

  it('is sent something under the key of the call, and never sent on to another host', async () => {
    const other = await server((_, response) => response.end('other'))
    const first = await server((request, response) => {
      if (request.url === '/moved') response.writeHead(308, { location: `http://127.0.0.1:${other.port}/` }).end()
      else if (request.url === '/done') response.writeHead(303, { location: '/seen' }).end()
      else response.writeHead(201, { 'content-type': 'text/plain' }).end('made')
    })
    const ask = asking({ hosts: [`127.0.0.1:${first.port}`, `127.0.0.1:${other.port}`] })
    const send = (path: string) => ({
      url: `http://127.0.0.1:${first.port}${path}`,
      method: 'POST',
      body: '{}',
      headers: { host: 'evil' },
    })
    expect((await ask('http_send', send('/'))).text).toContain('201')
    expect(first.requests[0]?.headers).toMatchObject({ 'idempotency-key': 'key-1', host: `127.0.0.1:${first.port}` })
    await expect(ask('http_send', send('/moved'))).rejects.toMatchObject({ type: 'permission' })
    expect((await ask('http_send', send('/done'))).text).toContain('made')
    expect(first.requests.at(-1)?.method).toBe('GET')
    expect(other.requests).toEqual([])
  })

  it('that was sent something and took it has taken it, whatever comes of looking where it points', async () => {
    const { port, requests } = await server((request, response) => {
      if (request.method === 'GET') response.writeHead(404).end('nothing here')
      else response.writeHead(303, { location: request.url === '/out' ? 'http://10.0.0.1/' : '/receipt' }).end()
    })
    const ask = asking({ hosts: [`127.0.0.1:${port}`] })
    for (const [place, told] of [
      ['/', 'nothing here'],
      ['/out', 'not allowed here'],
    ] as const) {
      const answer = await ask('http_send', { url: `http://127.0.0.1:${port}${place}`, method: 'POST', body: '{}' })
      expect(answer.failed ?? false).toBe(false)
      expect(answer.text).toContain('answered 303')
      expect(answer.text).toContain(told)
    }
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(2)
  })

  it('may refuse, and may fail for now', async () => {
    const { port } = await server((request, response) => {
      if (request.url === '/busy') response.writeHead(429, { 'retry-after': '3' }).end('busy')
      else response.writeHead(404).end('nothing here')
    })
    const ask = asking({ hosts: [`localhost:${port}`] }, toLoopback)
    expect(await ask('http', { url: `http://localhost:${port}/` })).toMatchObject({ failed: true })
    await expect(ask('http', { url: `http://localhost:${port}/busy` })).rejects.toMatchObject({
      type: 'unavailable',
      retryAfterMs: 3000,
      mayHaveHappened: false,
    })
  })

  it('answers no more than can be read', async () => {
    const { port } = await server((_, response) => {
      response.on('error', () => undefined)
      response.write('x'.repeat(5000))
    })
    const ask = asking({ hosts: [`127.0.0.1:${port}`], maxBytes: 1000 })
    const { text } = await ask('http', { url: `http://127.0.0.1:${port}/` })
    expect(text).toContain('[cut here]')
    expect(text.length).toBeLessThan(1100)
  })

  it('is looked at by one tool and acted on by another', () => {
    const tools = httpTools({ policy: { hosts: [], needsApproval: true }, runtime: { now: () => 0 } })
    expect(toolNamed(tools, 'http')).toMatchObject({ nature: 'pure', needsApproval: false })
    expect(toolNamed(tools, 'http_send')).toMatchObject({ nature: 'effectful', needsApproval: true })
  })
})

it.each([
  ['https://api.example.com/x', ['api.example.com'], true],
  ['https://API.example.com./x', ['api.example.com'], true],
  ['https://api.example.com:8443/x', ['api.example.com'], false],
  ['https://a.b.example.com/', ['*.example.com'], true],
  ['https://example.com/', ['*.example.com'], false],
  ['https://notexample.com/', ['*.example.com'], false],
  ['https://example.com/', ['*.', '*', ''], false],
  ['https://example.com.evil.org/', ['example.com'], false],
  ['http://[::1]:80/', ['[::1]'], true],
  ['http://0x7f.1/', ['127.0.0.1'], true],
] as const)('%s is allowed by %j: %s', (url, hosts, expected) => {
  expect(allowedHost({ hosts }, new URL(url)) !== undefined).toBe(expected)
})

it.each([
  ...['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'].map((address) => [address, true]),
  ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1'].map((address) => [
    address,
    false,
  ]),
  ...['0.0.0.0', '224.0.0.1', '255.255.255.255', '::', '::1', 'fe80::1', 'fd00::1', 'ff02::1'].map((address) => [
    address,
    false,
  ]),
  ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '2002:7f00:1::', '64:ff9b::a00:1', 'localhost', ''].map((address) => [
    address,
    false,
  ]),
] as const)('%j is an address of the public network: %s', (address, expected) => {
  expect(isPublicAddress(String(address))).toBe(expected)
})

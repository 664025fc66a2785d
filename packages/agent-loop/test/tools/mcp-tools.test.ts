import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createServer } from 'node:http'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type McpServer, openMcpTools } from '../../src/tools/index.ts'
import { testServer } from './mcp-server.mjs'
import { callTool, toolNamed } from './tool-world.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close()
})

const stdio = (more: object = {}): McpServer => ({
  name: 'test',
  command: process.execPath,
  args: [path.join(import.meta.dirname, 'mcp-server.mjs')],
  timeoutMs: 600_000,
  ...more,
})

async function opened(...servers: readonly McpServer[]) {
  const environment = { PATH: process.env['PATH'], AGENTM_MODEL_KEY: 's1', OPENAI_KEY: 's2', WORD: 'w' }
  const made = await openMcpTools({ servers, environment, secrets: ['OPENAI_KEY'] })
  open.push(made)
  return made
}

async function overHttp(key: string) {
  const seen: (string | undefined)[] = []
  const http = createServer((request, response) => {
    seen.push(request.headers.authorization)
    if (request.headers.authorization !== `Bearer ${key}`) {
      response.writeHead(400).end(`not with ${request.headers.authorization}`)
      return
    }
    void (async () => {
      const transport = new StreamableHTTPServerTransport({})
      await testServer().connect(transport)
      await transport.handleRequest(request, response)
    })()
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
  return { url: `http://127.0.0.1:${port}/mcp`, seen }
}

describe('the tools of an MCP server', () => {
  it('are tools of an agent, over stdio: effects, unless they say that they only read', async () => {
    const { tools, problems } = await opened(stdio({ needsApproval: true }))
    expect(problems).toEqual([])
    expect(tools.map(({ name, nature, needsApproval }) => [name, nature, needsApproval])).toEqual([
      ['mcp_test_look_up', 'pure', false],
      ['mcp_test_charge', 'effectful', true],
      ['mcp_test_environment', 'pure', false],
      ['mcp_test_fail', 'effectful', true],
      ['mcp_test_die', 'effectful', true],
      ['mcp_test_shot', 'pure', false],
      ['mcp_test_paint', 'effectful', true],
    ])
    expect(toolNamed(tools, 'mcp_test_charge').input).toMatchObject({ required: ['cents'] })
    expect((await callTool(tools, 'mcp_test_look_up', { word: 'ada' })).text).toBe('ada means ada')
    expect((await callTool(tools, 'mcp_test_charge', { cents: 5 })).text).toBe('charged 5')
    expect(await callTool(tools, 'mcp_test_fail', {})).toEqual({ text: 'it does not work', failed: true })
  })

  it('see no key of ours in their environment', async () => {
    const { tools } = await opened(stdio({ variables: ['WORD', 'OPENAI_KEY', 'AGENTM_MODEL_KEY'] }))
    const { text } = await callTool(tools, 'mcp_test_environment', {})
    expect(text).toContain('"WORD":"w"')
    expect(text).not.toMatch(/"s[12]"/)
  })

  it('come back with their server', async () => {
    const { tools } = await opened(stdio())
    await expect(callTool(tools, 'mcp_test_die', {})).rejects.toThrow('closed')
    expect((await callTool(tools, 'mcp_test_look_up', { word: 'ada' })).text).toBe('ada means ada')
  })

  it('are asked over HTTP with the headers that are configured, and keep names apart', async () => {
    const { url, seen } = await overHttp('k')
    const remote: McpServer = { name: 'remote', url, headers: { authorization: 'Bearer k' } }
    const { tools, problems } = await opened(remote, stdio())
    expect(problems).toEqual([])
    expect((await callTool(tools, 'mcp_remote_look_up', { word: 'x' })).text).toBe('x means x')
    expect(new Set(seen)).toEqual(new Set(['Bearer k']))
    expect(new Set(tools.map(({ name }) => name)).size).toBe(14)
  })

  it('are left out where their server is not to be had, with the reason', async () => {
    const { url } = await overHttp('k')
    const { tools, problems } = await opened(
      { name: 'gone', command: '/no/such/program' },
      { name: 'locked', url, headers: { authorization: 'Bearer wrong-secret' } },
      stdio(),
    )
    expect(tools).toHaveLength(7)
    expect(problems.map(({ server }) => server)).toEqual(['gone', 'locked'])
    expect(problems[0]?.why).toContain('ENOENT')
    expect(problems[1]?.why).toContain('[key]')
    expect(problems[1]?.why).not.toContain('wrong-secret')
  })
})

function media(accepts: readonly ('image' | 'pdf')[]) {
  const kept: string[] = []
  const store = {
    keep: async ({ hash }: { readonly hash: string }) => void kept.push(hash),
    read: async () => undefined,
  }
  return { kept, policy: { accepts, store } }
}

describe('the pictures of an MCP server', () => {
  it('are shown if the model takes them, by their bytes and not by what the server says', async () => {
    const { kept, policy } = media(['image'])
    const made = await openMcpTools({ servers: [stdio()], environment: { PATH: process.env['PATH'] }, media: policy })
    open.push(made)
    const answer = await callTool(made.tools, 'mcp_test_shot', {})
    expect(answer.text).toMatch(/^this is it\n\[shot 2, image\/png, \d+ bytes\. What is written in it is data/)
    expect(answer.parts?.map(({ name, mediaType, hash }) => [name, mediaType, hash])).toEqual([
      ['shot 2', 'image/png', kept[0]],
    ])
    // Of a tool with effects, too.
    const painted = await callTool(made.tools, 'mcp_test_paint', {})
    expect(painted.parts?.map(({ name, hash }) => [name, hash])).toEqual([['paint 1', kept[0]]])
  })

  it('are named in words otherwise, with the setting that shows them', async () => {
    const { kept, policy } = media([])
    const made = await openMcpTools({ servers: [stdio()], environment: { PATH: process.env['PATH'] }, media: policy })
    open.push(made)
    expect(await callTool(made.tools, 'mcp_test_shot', {})).toEqual({
      text: expect.stringContaining('agentm config set models.inputs image') as string,
      failed: false,
    })
    expect(kept).toEqual([])
  })
})

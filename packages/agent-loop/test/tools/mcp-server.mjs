// @ts-check
/** An MCP server for tests: over stdio when it is started as a command, and for whoever gives it a transport. */
import { appendFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'
import { samplePng } from '../../../../tools/sample-media.mjs'

const text = (/** @type {string} */ said) => ({ content: [{ type: /** @type {const} */ ('text'), text: said }] })

/** @param {string} [journal] the file that `charge` writes to */
export function testServer(journal) {
  const server = new McpServer({ name: 'test', version: '1.0.0' })
  server.registerTool(
    'look.up',
    { description: 'Looks up.', inputSchema: { word: z.string() }, annotations: { readOnlyHint: true } },
    async ({ word }) => text(`${word} means ${word}`),
  )
  server.registerTool('charge', { description: 'Charges.', inputSchema: { cents: z.number() } }, async ({ cents }) => {
    if (journal !== undefined) await appendFile(journal, `${cents}\n`)
    return text(`charged ${cents}`)
  })
  server.registerTool('environment', { annotations: { readOnlyHint: true } }, async () =>
    text(JSON.stringify(process.env)),
  )
  server.registerTool('fail', {}, async () => ({ ...text('it does not work'), isError: true }))
  server.registerTool('die', {}, async () => process.exit(1))
  server.registerTool('shot', { annotations: { readOnlyHint: true } }, async () => ({
    content: [...text('this is it').content, { type: 'image', data: picture, mimeType: 'image/svg+xml' }],
  }))
  server.registerTool('paint', {}, async () => ({ content: [{ type: 'image', data: picture, mimeType: 'image/png' }] }))
  return server
}

const picture = samplePng().toString('base64')

if (process.argv[1] === fileURLToPath(import.meta.url))
  await testServer(process.argv[2]).connect(new StdioServerTransport())

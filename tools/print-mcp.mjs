// @ts-check
/**
 * docs/reference/mcp.md: what a host is offered by the MCP server, asked of the server itself. `--write` writes the page, `--check` fails
 * when another one is there.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { memoryServer } from '@agentm/mcp-server'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'

const document = path.resolve(import.meta.dirname, '..', 'docs', 'reference', 'mcp.md')

/** @typedef {{ readonly type?: string | string[], readonly description?: string, readonly enum?: unknown[], readonly const?: unknown, readonly default?: unknown,
 *   readonly items?: Schema, readonly anyOf?: Schema[], readonly minimum?: number, readonly maximum?: number, readonly minLength?: number, readonly maxLength?: number }} Schema */

export async function mcpDocument() {
  const { tools, resourceTemplates, instructions } = await offered('write')
  const usual = (await offered('off')).tools.length
  const parts = tools.map((tool) => toolPart(tool))
  const resources = resourceTemplates.map(({ uriTemplate, mimeType }) => `- \`${uriTemplate}\` (${mimeType})`)
  return [
    preface,
    '## What the model sees',
    `> ${safe(instructions)}`,
    '## Tools',
    `They cost each session ${kilobytes(tools.slice(0, usual))} of schema.`,
    ...parts.slice(0, usual),
    '## Tools for plans',
    `The user allows them with the setting \`mcp.plans\`: \`read\` adds ${tools[usual]?.name} (${kilobytes(tools.slice(usual, usual + 1))}), \`write\` all of them (${kilobytes(tools.slice(usual))}). See [let your agent use plans](../how-to/plans-from-your-agent.md).`,
    ...parts.slice(usual),
    '## Resources',
    'Every note of the project, and those that belong to no project, is a resource. Its text is a Markdown file with its fields.',
    resources.join('\n'),
    '## Prompts\n\nThe server offers no prompts.',
  ]
    .join('\n\n')
    .concat('\n')
}

/** @param {readonly object[]} tools */
function kilobytes(tools) {
  return `${(Buffer.byteLength(JSON.stringify(tools)) / 1000).toFixed(1)} kB`
}

/** @param {'off' | 'write'} mode */
async function offered(mode) {
  const server = memoryServer(
    () => {
      throw new TypeError('listing opens nothing')
    },
    { plansMode: async () => mode },
  )
  const client = new Client({ name: 'docs', version: '1' })
  const [here, there] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(there), client.connect(here)])
  const { tools } = await client.listTools()
  const { resourceTemplates } = await client.listResourceTemplates()
  const instructions = client.getInstructions() ?? ''
  await client.close()
  return { tools, resourceTemplates, instructions }
}

/** @param {Awaited<ReturnType<typeof offered>>['tools'][number]} tool */
function toolPart({ name, description = '', inputSchema, annotations = {} }) {
  const required = new Set(inputSchema.required)
  const rows = Object.entries(inputSchema.properties ?? {}).map(([field, given]) => {
    const schema = /** @type {Schema} */ (given)
    return `| \`${field}\` | ${typeIn(schema)} | ${required.has(field) ? 'yes' : 'no'} | ${sayingOf(schema)} |`
  })
  const table = ['| field | type | required | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
  return [
    `### ${name}`,
    safe(description),
    hintsOf(annotations),
    rows.length === 0 ? 'It takes no input.' : table,
  ].join('\n\n')
}

/** @param {{ readOnlyHint?: boolean | undefined, destructiveHint?: boolean | undefined, idempotentHint?: boolean | undefined }} hints */
function hintsOf({ readOnlyHint, destructiveHint, idempotentHint }) {
  if (readOnlyHint === true) return 'It only reads.'
  const destroys = destructiveHint === true ? 'It may remove something' : 'It writes and removes nothing'
  return `${destroys}${idempotentHint === true ? '; calling it again with the same input changes nothing more' : ''}.`
}

/** @param {Schema} schema @returns {string} */
function typeIn({ type, enum: values, const: value, items, anyOf }) {
  if (value !== undefined) return `\`${JSON.stringify(value)}\``
  if (values !== undefined) return values.map((one) => `\`${JSON.stringify(one)}\``).join(', ')
  if (anyOf !== undefined) return anyOf.map(typeIn).join(' or ')
  if (type === 'array') return `list of ${items === undefined ? 'anything' : typeIn(items)}`
  return [type].flat().join(' or ')
}

/** @param {Schema} schema */
function sayingOf({ description = '', default: value, minimum, maximum, maxLength, minLength }) {
  const limits = [
    ...(value === undefined ? [] : [`default: \`${JSON.stringify(value)}\``]),
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? [] : [`at most ${maximum}`]),
    ...(minLength === undefined || minLength <= 1 ? [] : [`at least ${minLength} characters`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
  ]
  return [safe(description), limits.length === 0 ? '' : `(${limits.join(', ')})`]
    .filter((part) => part !== '')
    .join(' ')
}

/** In a cell of a table. @param {string} text */
function safe(text) {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;')
}

const preface = `# MCP server

What \`agentm mcp\` (over standard input and output) and \`agentm serve\` (over HTTP, on this machine only) offer a host such as Claude
Code, Cursor or VS Code. \`agentm init --host HOST\` connects a host. Every tool answers with text. A refusal is an error result whose
text is JSON with a \`code\` and a \`message\`; [Errors](errors.md) says what to do about each code.

Printed from the server by \`npm run docs\`.`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const text = await mcpDocument()
  if (process.argv.includes('--write')) writeFileSync(document, text)
  else if (!process.argv.includes('--check')) process.stdout.write(text)
  else if (readFileSync(document, 'utf8') !== text) {
    console.error('docs/reference/mcp.md is not what the server offers. Run: npm run docs')
    process.exitCode = 1
  }
}

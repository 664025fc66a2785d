import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { mcpDocument } from '../print-mcp.mjs'

it('docs/reference/mcp.md is what the server offers', async () => {
  const page = path.resolve(import.meta.dirname, '../../docs/reference/mcp.md')
  const text = await mcpDocument()
  expect(text).toContain('### memory_recall')
  expect(readFileSync(page, 'utf8'), 'Run: npm run docs').toBe(text)
})

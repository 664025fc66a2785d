import { expect, it } from 'vitest'
import { lackingTools } from '../src/index.ts'
import type { ToolFacts } from '../src/index.ts'

const reads: readonly ToolFacts[] = [
  { name: 'files_list', nature: 'pure' },
  { name: 'files_glob', nature: 'pure' },
  { name: 'files_search', nature: 'pure' },
  { name: 'files_read', nature: 'pure' },
  { name: 'memory_recall', nature: 'pure' },
]
const writes: readonly ToolFacts[] = [
  { name: 'files_write', nature: 'idempotent' },
  { name: 'files_edit', nature: 'effectful' },
]
const notes: readonly ToolFacts[] = [{ name: 'memory_save', nature: 'effectful' }]
const all = [...reads, ...writes, ...notes].map(({ name }) => name)

it.each([
  ['builder', reads, { canWork: false, tools: ['files_write', 'files_edit', 'shell'] }],
  ['builder', [...reads, ...notes], { canWork: false, tools: ['files_write', 'files_edit', 'shell'] }],
  ['builder', [...reads, ...writes], { canWork: true, tools: ['shell'] }],
  ['researcher', reads, { canWork: true, tools: ['memory_save', 'http'] }],
  ['poet', [], { canWork: true, tools: all }],
] as const)('a %s with the tools %j lacks %j', (role, available, { canWork, tools }) => {
  const found = lackingTools({ role, tools: all }, available)
  expect(found.canWork).toBe(canWork)
  expect(found.tools.toSorted((a, b) => a.localeCompare(b))).toEqual(tools.toSorted((a, b) => a.localeCompare(b)))
})

it('counts only the tools that the agent itself may use', () => {
  expect(lackingTools({ role: 'builder', tools: ['files_read'] }, [...reads, ...writes]).canWork).toBe(false)
})

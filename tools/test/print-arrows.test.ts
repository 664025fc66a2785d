import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { arrowTable, existingPackages, withArrowTable } from '../print-arrows.mjs'

const document = (table: string) => `# The house\n\n<!-- arrows -->\n${table}<!-- /arrows -->\n\nafter\n`

it('replaces whatever table the document has, and nothing around it', () => {
  const names = ['storage-seam']
  expect(withArrowTable(document('\n| stale |\n\n'), names)).toBe(document(arrowTable(names)))
})

it('has a row for each package that exists, and names only packages that exist', () => {
  const names = ['storage-seam', 'vault-lock', 'nodes', 'nodes-sqlite', 'process-seam']
  const rows = arrowTable(names).trim().split('\n').slice(2)
  expect(rows.map((row) => row.split('|').at(-2)?.trim())).toEqual([
    '–',
    '`storage-seam`',
    '–',
    '`nodes`',
    '`vault-lock` (types)',
  ])
})

it('refuses a document without a place for the table', () => {
  expect(() => withArrowTable('# The house\n', [])).toThrow(TypeError)
})

it('is in docs/explanation/architecture.md as it is now', () => {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../docs/explanation/architecture.md'), 'utf8')
  expect(withArrowTable(text, existingPackages())).toBe(text)
})

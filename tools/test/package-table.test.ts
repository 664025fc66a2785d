import { expect, it } from 'vitest'
import { packageTable, withPackageTable } from '../sync/package-table.mjs'

const readme = (table: string) => `# agentm\n\n<!-- packages -->\n${table}<!-- /packages -->\n\nafter\n`

it('replaces whatever table the README has, and nothing around it', () => {
  expect(withPackageTable(readme('\n| stale |\n\n'), ['nodes'])).toBe(readme(packageTable(['nodes'])))
})

it('has a row for each package, in the words of the arrow table', () => {
  const table = packageTable(['storage-seam', 'vault-lock'])
  expect(table).toMatch(/^\| \[`@agentm\/storage-seam`\]\(packages\/storage-seam\) \| locator, seven verbs/m)
  expect(table).toMatch(/^\| \[`@agentm\/vault-lock`\]\(packages\/vault-lock\) {5}\| the one way to write a file/m)
})

it('refuses a README without a place for the table', () => {
  expect(() => withPackageTable('# agentm\n', [])).toThrow(TypeError)
})

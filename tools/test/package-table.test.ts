import { expect, it } from 'vitest'
import { packageTable, withPackageTable } from '../package-table.mjs'

const readme = (table: string) => `# agentm\n\n<!-- packages -->\n${table}<!-- /packages -->\n\nafter\n`

it('replaces whatever table the README has, and nothing around it', () => {
  expect(withPackageTable(readme('\n| stale |\n\n'))).toBe(readme(packageTable()))
})

it('has a row for each package that exists, in the words of the arrow table', () => {
  expect(packageTable()).toMatch(/^\| \[`@agentm\/storage-seam`\]\(packages\/storage-seam\) +\| locator, seven verbs/m)
})

it('refuses a README without a place for the table', () => {
  expect(() => withPackageTable('# agentm\n')).toThrow(TypeError)
})

// @ts-check
/**
 * The README's table of packages, kept by `nx sync` as the project references are: from the arrow table, for the packages
 * that exist. `nx sync:check`, part of `npm test`, fails when another table is there.
 */
import { arrows } from '../arrows.mjs'

const marks = /(?<=<!-- packages -->\n).*(?=<!-- \/packages -->)/s

/** @param {import('@nx/devkit').Tree} tree */
export default function syncPackageTable(tree) {
  const readme = tree.read('README.md', 'utf8') ?? ''
  const existing = Object.keys(arrows).filter((name) => tree.exists(`packages/${name}/package.json`))
  const current = withPackageTable(readme, existing)
  if (current !== readme) tree.write('README.md', current)
  return { outOfSyncMessage: 'README.md does not list the packages that exist. Run: npm run fix' }
}

/** @param {string} readme @param {readonly string[]} names @returns {string} the same with the table as it should be */
export function withPackageTable(readme, names) {
  if (!marks.test(readme)) throw new TypeError('README.md has no <!-- packages --> … <!-- /packages --> to fill')
  return readme.replace(marks, () => packageTable(names))
}

/** Aligned as the formatter would. @param {readonly string[]} names */
export function packageTable(names) {
  const rows = names.map((name) => [`[\`@agentm/${name}\`](packages/${name})`, arrows[name]?.does ?? ''])
  const head = ['package', 'what it does']
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (/** @type {readonly string[]} */ row) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return `\n${[line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')}\n\n`
}

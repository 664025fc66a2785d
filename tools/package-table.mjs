// @ts-check
/**
 * The README's table of packages, from the arrow table and the packages that exist. `--write` puts it into README.md,
 * `--check` fails when another one is there.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { arrows } from './arrows.mjs'
import { root } from './run.mjs'

const marks = /(?<=<!-- packages -->\n).*(?=<!-- \/packages -->)/s

export function packageTable() {
  const rows = Object.entries(arrows)
    .filter(([name]) => existsSync(path.join(root, 'packages', name, 'package.json')))
    .map(([name, { does }]) => [`[\`@agentm/${name}\`](packages/${name})`, does])
  const head = ['package', 'what it does']
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (/** @type {readonly string[]} */ row) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return `\n${[line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')}\n\n`
}

/** @param {string} readme @returns {string} the same with the table as it is now */
export function withPackageTable(readme) {
  if (!marks.test(readme)) throw new TypeError('README.md has no <!-- packages --> … <!-- /packages --> to fill')
  return readme.replace(marks, () => packageTable())
}

const file = path.join(root, 'README.md')
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const readme = readFileSync(file, 'utf8')
  const current = withPackageTable(readme)
  if (process.argv.includes('--write')) writeFileSync(file, current)
  else if (current !== readme) {
    console.error('README.md does not list the packages that exist. Run: npm run fix')
    process.exitCode = 1
  }
}

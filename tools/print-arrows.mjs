// @ts-check
/**
 * The table in docs/explanation/architecture.md: which package may import which, from the arrow table, for the packages that exist.
 * Prints it; `--write` puts it into the document, `--check` fails when another one is there. `nx sync` writes it too.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { arrows } from './arrows.mjs'

const root = path.resolve(import.meta.dirname, '..')
const document = path.join(root, 'docs', 'explanation', 'architecture.md')
const marks = /(?<=<!-- arrows -->\n).*(?=<!-- \/arrows -->)/s

/** Aligned as the formatter would. @param {readonly string[]} names the packages that exist */
export function arrowTable(names) {
  const rows = names.map((name) => {
    const { does = '', may = [] } = arrows[name] ?? {}
    const targets = may.filter((target) => names.includes(packageOf(target))).map(told)
    return [`\`${name}\``, does, targets.join(', ') || '–']
  })
  const head = ['package', 'what it does', 'may import']
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (/** @type {readonly string[]} */ row) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return `\n${[line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')}\n\n`
}

/** @param {string} text @param {readonly string[]} names @returns {string} the same with the table as it should be */
export function withArrowTable(text, names) {
  if (!marks.test(text))
    throw new TypeError('docs/explanation/architecture.md has no <!-- arrows --> … <!-- /arrows --> to fill')
  return text.replace(marks, () => arrowTable(names))
}

export function existingPackages() {
  return Object.keys(arrows).filter((name) => existsSync(path.join(root, 'packages', name, 'package.json')))
}

/** @param {string} target */
function packageOf(target) {
  return target.replace(/^(?:type|lazy):/, '').split('/')[0] ?? ''
}

/** @param {string} target */
function told(target) {
  if (target.startsWith('type:')) return `\`${target.slice('type:'.length)}\` (types)`
  if (target.startsWith('lazy:')) return `\`${target.slice('lazy:'.length)}\` (when configured)`
  return `\`${target}\``
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const text = readFileSync(document, 'utf8')
  const current = withArrowTable(text, existingPackages())
  if (process.argv.includes('--write')) writeFileSync(document, current)
  else if (!process.argv.includes('--check')) process.stdout.write(arrowTable(existingPackages()))
  else if (current !== text) {
    console.error('docs/explanation/architecture.md does not show the arrow table as it is. Run: npm run fix')
    process.exitCode = 1
  }
}

// @ts-check
/**
 * docs/decisions/README.md: every decision record with the day to look at it again, read from the records. A record without one is
 * a fault. `--write` writes the list, `--check` fails when another one is there.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = path.resolve(import.meta.dirname, '..', 'docs', 'decisions')
const list = path.join(folder, 'README.md')

/** @typedef {{ readonly name: string, readonly title: string, readonly trigger: string | undefined }} Decision */

/** @returns {readonly Decision[]} */
export function decisions() {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .toSorted()
    .map((name) => decisionIn(name, readFileSync(path.join(folder, name), 'utf8')))
}

/** @param {string} name @param {string} text @returns {Decision} */
export function decisionIn(name, text) {
  const [, title = name] = /^# (.+)$/m.exec(text) ?? []
  const paragraphs = text.replaceAll('**', '').split(/\n{2,}/)
  const last = paragraphs.findLast((paragraph) => /\blook again\b/i.test(paragraph))
  const [, trigger] = /\blook again,?(?: when)?:?\s+(.*)/is.exec(last ?? '') ?? []
  return { name, title, trigger: trigger?.replaceAll(/\s+/g, ' ').trim() }
}

/** @param {readonly Decision[]} all */
export function decisionsDocument(all) {
  const rows = all.map(({ name, title, trigger = '' }) => `- [${title}](${name}): look again when ${trigger}`)
  return `${preface}\n\n${rows.join('\n')}\n`
}

const preface = `# Decisions

Each record is a choice that had alternatives, with the reason and the day to look again. When that day has come, the choice is made
again, in the same record or in a new one that replaces it.

Printed from the records by \`npm run docs\`.`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const all = decisions()
  for (const { name, trigger } of all)
    if (trigger === undefined) {
      console.error(`docs/decisions/${name} does not say when to look again`)
      process.exitCode = 1
    }
  const text = decisionsDocument(all)
  if (process.argv.includes('--write')) writeFileSync(list, text)
  else if (!process.argv.includes('--check')) process.stdout.write(text)
  else if (readFileSync(list, 'utf8') !== text) {
    console.error('docs/decisions/README.md is not what the records say. Run: npm run docs')
    process.exitCode = 1
  }
}

// @ts-check
/** For programs that read: every page as Markdown beside its HTML, llms.txt as their list (llmstxt.org), llms-full.txt as all of them in one. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { linksInOrder } from './navigation.mjs'
import { frontmatterIn } from './stage.mjs'

const parts = [
  { folder: 'tutorials/', name: 'Tutorials' },
  { folder: 'how-to/', name: 'How-to guides' },
  { folder: 'reference/', name: 'Reference' },
  { folder: 'explanation/', name: 'Explanation' },
  { folder: 'decisions/', name: 'Optional' },
]

/** @param {readonly import('./stage.mjs').Page[]} pages @param {{ readonly from: string, readonly to: string, readonly base: string }} where */
export function writeLlms(pages, { from, to, base }) {
  for (const { file } of pages) {
    mkdirSync(path.dirname(path.join(to, file)), { recursive: true })
    cpSync(path.join(from, file), path.join(to, file))
  }
  const links = linksInOrder(from)
  const place = (/** @type {string} */ file) => links.indexOf(`/${file.replace(/((?<=^|\/)index)?\.md$/, '')}`)
  const sorted = pages.toSorted((a, b) => place(a.file) - place(b.file))
  writeFileSync(path.join(to, 'llms.txt'), llmsIndex(sorted, base))
  writeFileSync(path.join(to, 'llms-full.txt'), llmsFull(sorted))
}

/** @param {readonly import('./stage.mjs').Page[]} pages @param {string} base */
export function llmsIndex(pages, base) {
  const lists = parts.map(({ folder, name }) => {
    const rows = pages
      .filter(({ file }) => file.startsWith(folder))
      .map(({ file, title, text }) => `- [${title}](${base}${file})${sayingOf(text)}`)
    return rows.length === 0 ? '' : `\n## ${name}\n\n${rows.join('\n')}\n`
  })
  return `# agentm\n\n> The memory and the execution record of coding agents: small npm packages, one command line, one MCP server.\n${lists.join('')}`
}

/** Decisions and figures are left out: they tell why, not how. @param {readonly import('./stage.mjs').Page[]} pages */
export function llmsFull(pages) {
  return parts
    .filter(({ name }) => name !== 'Optional')
    .flatMap(({ folder }) => pages.filter(({ file }) => file.startsWith(folder)))
    .map(({ file, text }) => `<!-- ${file} -->\n\n${withoutFrontmatter(text).trim()}\n`)
    .join('\n')
}

/** The first sentence of its first paragraph. @param {string} text */
function sayingOf(text) {
  const paragraph = withoutFrontmatter(text)
    .split(/\n{2,}/)
    .find((part) => /^[A-Za-z`[*]/.test(part))
  const sentence = paragraph?.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  const first = sentence === undefined ? undefined : /^.*?[.:!?](?= |$)/.exec(sentence)?.[0]
  return first === undefined ? '' : `: ${first}`
}

/** @param {string} text */
function withoutFrontmatter(text) {
  return frontmatterIn(text) === '' ? text : text.replace(/^---\n.*?\n---\n/s, '')
}

// @ts-check
/** The sidebar, from the folders of docs/ and the first heading of each page; `order` in a page's frontmatter, then its title, sorts it. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { frontmatterIn, titleIn } from './stage.mjs'

/** @typedef {{ text: string, link?: string, items?: Entry[], collapsed?: boolean }} Entry */

/** Pages that programs write have no frontmatter: their order, and a name where the heading says too little. */
const reference = [
  { file: 'commands.md', name: 'Commands' },
  { file: 'configuration.md' },
  { file: 'errors.md' },
  { file: 'file-formats.md' },
  { file: 'mcp.md' },
  { file: 'platforms.md' },
]

const rooms = [
  { folder: 'tutorials', text: 'Tutorials' },
  { folder: 'how-to', text: 'How-to guides' },
  { folder: 'reference', text: 'Reference' },
  { folder: 'reference/packages', text: 'Packages', collapsed: true },
  { folder: 'explanation', text: 'Explanation' },
  { folder: 'decisions', text: 'Decisions', collapsed: true },
]

/** @param {string} pages the folder of all pages @returns {Entry[]} */
export function sidebar(pages) {
  const groups = rooms.map(({ folder, ...rest }) => ({ ...rest, items: entriesIn(pages, folder) }))
  return [...groups.filter(({ items }) => items.length > 0), { text: 'Scoreboard', link: '/scoreboard' }]
}

/** Every page of the sidebar, from top to bottom. @param {string} pages @returns {string[]} */
export function linksInOrder(pages) {
  return sidebar(pages)
    .flatMap(({ link, items = [] }) => [link, ...items.map((item) => item.link)])
    .filter((one) => one !== undefined)
}

/** The kinds of pages, each leading to its first page. @param {string} pages */
export function topBar(pages) {
  const kinds = rooms.filter(({ folder }) => ['tutorials', 'how-to', 'reference', 'explanation'].includes(folder))
  return kinds.flatMap(({ folder, text }) => {
    const link = entriesIn(pages, folder)[0]?.link
    return link === undefined ? [] : [{ text, link, activeMatch: `^/${folder}/` }]
  })
}

/** @param {string} pages @param {string} folder @returns {Entry[]} */
function entriesIn(pages, folder) {
  return markdownIn(path.join(pages, folder))
    .map((name) => entryOf(folder, name, readFileSync(path.join(pages, folder, name), 'utf8')))
    .toSorted((a, b) => a.order - b.order || a.text.localeCompare(b.text, 'en'))
    .map(({ text, link }) => ({ text, link }))
}

/** @param {string} folder */
function markdownIn(folder) {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.md'))
  } catch {
    return []
  }
}

/** @param {string} folder @param {string} name @param {string} text */
function entryOf(folder, name, text) {
  const at = folder === 'reference' ? reference.findIndex(({ file }) => file === name) : -1
  const written = Number(/^order: *(\d+)$/m.exec(frontmatterIn(text))?.[1] ?? Number.NaN)
  const isFirst = name === 'index.md'
  return {
    text: isFirst ? 'All of them' : (reference[at]?.name ?? titleIn(text) ?? name),
    link: `/${folder}/${isFirst ? '' : name.replace(/\.md$/, '')}`,
    order: isFirst ? -1 : at >= 0 ? at : Number.isNaN(written) ? 1000 : written,
  }
}

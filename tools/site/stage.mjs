// @ts-check
/**
 * The pages of the site as Markdown, in tools/site/.built/pages: a copy of docs/, and one page for each package from its sources.
 * Links to files outside docs/ lead to the repository; README.md becomes the first page of its folder.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../run.mjs'
import { packagePages } from './package-pages.mjs'

const docs = path.join(root, 'docs')
const home = path.join(import.meta.dirname, '.built', 'pages')
export const repository = 'https://github.com/agentm/agentm'
/** Where the site is for everybody; what commands print leads there. */
export const published = 'https://agentm.github.io/agentm/'

/**
 * @typedef {object} Page
 * @property {string} file such as `how-to/backup.md`
 * @property {string} title
 * @property {string} text
 */

/** Writes them all, and says which. @returns {readonly Page[]} */
export function stage() {
  const pages = [...written(), ...packagePages()]
  const stale = existsSync(home) ? filesBelow(home).filter((file) => file.endsWith('.md')) : []
  const kept = new Set(pages.map(({ file }) => file))
  for (const file of stale) if (!kept.has(file)) rmSync(path.join(home, file))
  for (const file of filesBelow(docs)) if (!file.endsWith('.md')) copy(file)
  for (const { file, text } of pages) put(file, text)
  return pages
}

/** @returns {Page[]} */
function written() {
  return filesBelow(docs)
    .filter((file) => file.endsWith('.md'))
    .map((file) => {
      const text = forSite(readFileSync(path.join(docs, file), 'utf8'), file)
      return { file: renamed(file), title: titleIn(text) ?? file, text }
    })
}

/** @param {string} file */
function renamed(file) {
  return file.replace(/(^|\/)README\.md$/, '$1index.md')
}

/** @param {string} text */
export function titleIn(text) {
  return /^title: *['"]?(.+?)['"]?$/m.exec(frontmatterIn(text))?.[1] ?? /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '')
}

/** @param {string} text */
export function frontmatterIn(text) {
  return /^---\n(.*?)\n---\n/s.exec(text)?.[1] ?? ''
}

/** Markdown of the repository as the site has it. @param {string} text @param {string} file where it is in docs/ */
export function forSite(text, file) {
  return outsideFences(text, (part) =>
    part
      .replaceAll(/<!--.*?-->\n?/gs, '')
      .replaceAll(/(\]\()([^)\s]+)(\))/g, (_, open, target, close) => `${open}${linkFrom(file, target)}${close}`),
  )
}

/** Code shows what it says. @param {string} text @param {(part: string) => string} change */
function outsideFences(text, change) {
  return text
    .split(/(^```.*?^```[ \t]*$)/gms)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}

/** @param {string} file @param {string} target */
function linkFrom(file, target) {
  if (/^([a-z]+:|#|\/)/i.test(target)) return target
  const [place = '', anchor] = target.split('#')
  const absolute = path.resolve(docs, path.dirname(file), place)
  const hash = anchor === undefined ? '' : `#${anchor}`
  const inDocs = path.relative(docs, absolute)
  if (!inDocs.startsWith('..')) return `${folderIndex(place, absolute)}${hash}`
  const inRepository = path.relative(root, absolute).split(path.sep).join('/')
  const kind = existsSync(absolute) && statSync(absolute).isDirectory() ? 'tree' : 'blob'
  return `${repository}/${kind}/main/${inRepository}${hash}`
}

/** @param {string} place @param {string} absolute */
function folderIndex(place, absolute) {
  if (path.basename(place) === 'README.md') return renamed(place)
  const isFolder = existsSync(absolute) && statSync(absolute).isDirectory()
  return isFolder ? `${place.replace(/\/?$/, '/')}index.md` : place
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => statSync(path.join(folder, file)).isFile())
    .toSorted()
}

/** @param {string} file */
function copy(file) {
  const to = path.join(home, file)
  mkdirSync(path.dirname(to), { recursive: true })
  cpSync(path.join(docs, file), to)
}

/** Only what changed, so that a server that watches shows only that again. @param {string} file @param {string} text */
function put(file, text) {
  const to = path.join(home, file)
  if (existsSync(to) && readFileSync(to, 'utf8') === text) return
  mkdirSync(path.dirname(to), { recursive: true })
  writeFileSync(to, text)
}

// @ts-check
/** Every link of the built site, followed on the disk: pages, anchors, files, and places of this repository. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { root } from '../run.mjs'
import { published, repository } from './stage.mjs'

/** @typedef {{ readonly file: string, readonly ids: ReadonlySet<string>, readonly links: readonly string[], readonly loaded: readonly string[] }} Html */

/** @param {string} built @param {string} base */
export function faultyLinks(built, base) {
  const pages = new Map(htmlFiles(built).map((file) => [file, readHtml(built, file)]))
  let checked = 0
  const faults = [...pages.values()].flatMap(({ file, links, loaded }) => {
    checked += links.length
    return [
      ...links.map((link) => faultOf(link, file, { built, base, pages })),
      ...loaded.filter((source) => /^(https?:)?\/\//.test(source)).map((source) => `loads ${source} from another host`),
    ]
      .filter((fault) => fault !== undefined)
      .map((fault) => `${file}: ${fault}`)
  })
  return { faults: [...new Set(faults)], checked, pages: pages.size }
}

/** @param {string} built */
export function htmlFiles(built) {
  return readdirSync(built, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .map((file) => file.split(path.sep).join('/'))
    .toSorted()
}

/** @param {string} built @param {string} file @returns {Html} */
function readHtml(built, file) {
  const text = readFileSync(path.join(built, file), 'utf8')
  return {
    file,
    ids: new Set(all(text, / id="([^"]+)"/g)),
    links: all(text, /<a [^>]*?href="([^"]+)"/g),
    loaded: [...all(text, / src="([^"]+)"/g), ...all(text, /<link [^>]*?href="([^"]+)"/g)],
  }
}

/** @param {string} text @param {RegExp} pattern */
function all(text, pattern) {
  return [...text.matchAll(pattern)].map(([, found = '']) => found.replaceAll('&amp;', '&').replaceAll('&quot;', '"'))
}

/**
 * @param {string} link
 * @param {string} file
 * @param {{ readonly built: string, readonly base: string, readonly pages: ReadonlyMap<string, Html> }} site
 */
function faultOf(link, file, { built, base, pages }) {
  if (link.startsWith(`${repository}/`)) return faultInRepository(link)
  const own = link.startsWith(published) ? `${base}${link.slice(published.length)}` : link
  if (/^[a-z]+:/i.test(own)) return undefined
  const here = new URL(`${base}${file.replace(/((?<=^|\/)index)?\.html$/, '')}`, 'http://site')
  const { pathname, hash } = new URL(own, here)
  if (!pathname.startsWith(base)) return `${link} leads out of the site`
  const target = decodeURIComponent(pathname.slice(base.length))
  const found = [target, `${target}.html`, `${target}index.html`].find((name) => isFile(path.join(built, name)))
  if (found === undefined) return `${link} leads nowhere`
  const anchor = decodeURIComponent(hash.slice(1))
  if (anchor === '' || pages.get(found)?.ids.has(anchor) === true) return undefined
  return `${link}: ${found} has no anchor "${anchor}"`
}

/** A file that somebody edits, shows or links is one of this checkout. @param {string} link */
function faultInRepository(link) {
  const place = /\/(?:blob|tree|edit)\/main\/([^#?]*)/.exec(link)?.[1]
  if (place === undefined || existsSync(path.join(root, decodeURIComponent(place)))) return undefined
  return `${link} is not in the repository`
}

/** @param {string} file */
function isFile(file) {
  return existsSync(file) && statSync(file).isFile()
}

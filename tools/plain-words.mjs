// @ts-check
/**
 * Finds phrases that needed a second reading when people met them in our help, errors, documents and READMEs. The table below is the
 * whole rule: a phrase, and what to write in its place.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './run.mjs'

/** @typedef {{ readonly phrase: RegExp, readonly instead: string }} Retired */

/** @type {readonly Retired[]} */
export const retired = [
  { phrase: /\bnot promised\b/i, instead: 'a heading "Limits", and facts under it' },
  { phrase: /\bwhere absent\b/i, instead: '(default: …)' },
  { phrase: /\b(?:is|are|was|were) told\b(?! apart)/i, instead: '"is notified", "gets" or "prints"' },
  { phrase: /\bso many\b/i, instead: 'the number, or "how many"' },
  { phrase: /\bgoes along\b/i, instead: '"is included" or "is sent with"' },
  { phrase: /(?:^|\s)Of which\b|,\s+of which\b/, instead: 'a sentence of its own' },
  { phrase: /\bwhat is left\b/i, instead: '"the remaining …" or "unfinished steps"' },
  { phrase: /\bwhat one holds\b/i, instead: '"the content of …"' },
  { phrase: /\b(?:left|kept|brought back),? as it was\b/i, instead: '"was not changed"' },
  { phrase: /\bleft as it was\b/i, instead: '"was not changed"' },
  { phrase: /\bcounts nothing\b/i, instead: '"is not counted"' },
  { phrase: /\bnobody would\b/i, instead: 'the subject, or the passive' },
  { phrase: /\bfor good\b/i, instead: '"permanently"' },
  { phrase: /\bis known as\b/i, instead: '"matches" or "is called"' },
]

/** @param {string} text @returns {readonly { readonly line: number, readonly said: string, readonly instead: string }[]} */
export function cryptic(text) {
  return text
    .split('\n')
    .flatMap((said, i) =>
      retired
        .filter(({ phrase }) => phrase.test(said))
        .map(({ instead }) => ({ line: i + 1, said: said.trim(), instead })),
    )
}

/** Documents as they are; of programs, the texts between quotation marks, which are what people may be shown. */
export function findings() {
  return [...documents(), ...programs()].flatMap(({ file, text }) =>
    cryptic(text).map(({ line, said, instead }) => `${file}:${line} ${said} — write ${instead}`),
  )
}

/** What people read as pages. */
export function documents() {
  const pages = filesBelow('docs', '.md').filter(
    (file) => !/^docs\/(?:decisions|charts)\//.test(file) && !file.endsWith('scoreboard.md'),
  )
  const readmes = packages().map((name) => `packages/${name}/README.md`)
  return ['README.md', 'CONTRIBUTING.md', ...readmes, ...pages].map((file) => ({ file, text: withoutCode(read(file)) }))
}

/** The texts that programs may show. */
export function programs() {
  // Contracts are sentences about stores, and seed roles are prompts.
  const spoken = packages().filter((name) => !['conformance', 'planner'].includes(name))
  const files = [...spoken.flatMap((name) => filesBelow(`packages/${name}/src`, '.ts')), 'tools/errors/cures.mjs']
  return files.map((file) => ({ file, text: onlyTexts(read(file)) }))
}

/** Folders of all packages. */
export function packages() {
  return readdirSync(path.join(root, 'packages')).toSorted()
}

/** @param {string} folder @param {string} ending */
export function filesBelow(folder, ending) {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => `${folder}/${file}`)
    .toSorted()
}

/** @param {string} file */
function read(file) {
  return readFileSync(path.join(root, file), 'utf8')
}

/** What fences hold is output and code. @param {string} text */
function withoutCode(text) {
  let inFence = false
  return text
    .split('\n')
    .map((line) => {
      if (/^\s*(`{3}|~{3})/.test(line)) inFence = !inFence
      return inFence ? '' : line
    })
    .join('\n')
}

/** @param {string} source */
export function onlyTexts(source) {
  return source
    .split('\n')
    .map((line) =>
      /^\s*(\/\/|\/?\*)/.test(line) ? '' : [...line.matchAll(/'(?:[^'\\]|\\.)*'|`[^`]*`|"(?:[^"\\]|\\.)*"/g)].join(' '),
    )
    .join('\n')
}

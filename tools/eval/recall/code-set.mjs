// @ts-check
/**
 * Questions about names in code, asked of the documentation that three packages of this folder bring along (fastify, pino and undici;
 * all MIT). Each section is a note. The names are found in the text itself, so nothing of it is kept here.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { randomFrom } from './random-from.mjs'

/** @typedef {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledNote} Note */

const packages = ['fastify', 'pino', 'undici']
const questions = 200
// A name in more sections than this has no section that answers.
const mostSections = 2

/** @type {readonly { kind: string, pattern: RegExp, ask: (name: string) => string }[]} */
const kinds = [
  { kind: 'camelCase', pattern: /\b[a-z]+(?:[A-Z][a-z]+)+\b/g, ask: (name) => `what is ${name} for?` },
  { kind: 'camelCase in words', pattern: /\b[a-z]+(?:[A-Z][a-z]+){2,}\b/g, ask: (name) => `${inWords(name)} option` },
  { kind: 'error code', pattern: /\b[A-Z]{2,}(?:_[A-Z]+){2,}\b/g, ask: (name) => `I get ${name}, why?` },
  { kind: 'dotted name', pattern: /\b[a-z]+\.[a-z]+[A-Z]\w+\b/g, ask: (name) => `how do I use ${name}` },
  { kind: 'flag', pattern: /(?<![\w-])--[a-z]+(?:-[a-z]+)+\b/g, ask: (name) => `the flag ${name}` },
  {
    kind: 'path',
    pattern: /(?<![\w./])(?:\.{0,2}\/)?(?:[\w-]+\/)+[\w-]+\.(?:js|ts|mjs|json|md)\b/g,
    ask: (name) => `which file is ${name}`,
  },
  { kind: 'version', pattern: /\bv?\d+\.\d+\.\d+\b/g, ask: (name) => `what changed in ${name}` },
]

/** @param {number} seed @returns {import('../recall.mjs').LabelledSet} */
export function codeSet(seed) {
  const random = randomFrom(seed)
  const corpus = packages.flatMap(sectionsOf).map((note, i) => ({ ...note, id: `s${i + 1}` }))
  const found = kinds.map((each) => ({ ...each, names: random.some([...namesIn(corpus, each.pattern)], questions) }))
  /** @type {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledQuestion[]} */
  const queries = []
  while (queries.length < questions && found.some(({ names }) => names.length > 0)) {
    for (const { kind, names, ask } of found) {
      const [name, gold] = names.pop() ?? []
      if (name !== undefined && gold !== undefined)
        queries.push({ id: `q${queries.length + 1}`, text: ask(name), gold, kind })
    }
  }
  return { name: `code, seed ${seed}`, corpus, queries: queries.slice(0, questions) }
}

/** The names that few sections have, with those sections. @param {readonly Note[]} corpus @param {RegExp} pattern @returns {Map<string, string[]>} */
function namesIn(corpus, pattern) {
  /** @type {Map<string, string[]>} */
  const sections = new Map()
  for (const { id, title, text } of corpus) {
    for (const name of new Set(`${title}\n${text}`.match(pattern)))
      sections.set(name, [...(sections.get(name) ?? []), id])
  }
  return new Map([...sections].filter(([, ids]) => ids.length <= mostSections))
}

/** @param {string} name @returns {readonly Omit<Note, 'id'>[]} */
function sectionsOf(name) {
  const folder = path.join(import.meta.dirname, '..', 'node_modules', name, 'docs')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  return files.toSorted().flatMap((file) =>
    readFileSync(path.join(folder, file), 'utf8')
      .split(/^(?=#{1,4} )/m)
      .filter((section) => section.trim() !== '')
      .map((section) => {
        const [heading = '', ...rest] = section.split('\n')
        const title = heading.replaceAll(/^#+ |<[^>]*>/g, '').trim()
        return { title: title === '' ? file : title, text: rest.join('\n').trim() }
      }),
  )
}

/** "bodyLimitBytes" as somebody asks who does not remember how it is written. @param {string} name */
function inWords(name) {
  return name.replaceAll(/(?=[A-Z])/g, ' ').toLowerCase()
}

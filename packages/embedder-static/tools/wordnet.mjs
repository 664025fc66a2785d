// @ts-check
/** What WordNet says about single English words: which are words of the language, and which are related or opposite in one of their common senses. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {{ readonly words: readonly string[], readonly pointers: readonly { kind: string, to: string, from: number, at: number }[] }} Synset */
/** @typedef {{ readonly isWord: (word: string) => boolean, readonly basesOf: (word: string) => readonly string[], readonly relatedTo: (word: string) => ReadonlySet<string>, readonly oppositeOf: (word: string) => ReadonlySet<string> }} Wordnet */

const parts = /** @type {const} */ ([
  ['n', 'noun'],
  ['v', 'verb'],
  ['a', 'adj'],
  ['r', 'adv'],
])
// More general and more special, derived, similar, see also, belonging to.
const related = new Set(['@', '~', '+', '&', '^', '\\'])
// Later senses are rare, and their synonyms mislead.
const commonSenses = 4
/** @type {readonly (readonly [string, string])[]} */
const endings = [
  ['ies', 'y'],
  ['es', ''],
  ['s', ''],
  ['ied', 'y'],
  ['ed', 'e'],
  ['ed', ''],
  ['ing', 'e'],
  ['ing', ''],
]

/** @param {string} folder with `data.noun`, `index.noun` and their like @returns {Wordnet} */
export function readWordnet(folder) {
  const synsets = readSynsets(folder)
  const senses = readSenses(folder)
  // Names are capitalised in every synset.
  const lemmas = new Set([...synsets.values()].flatMap(({ words }) => words.filter((word) => /^\p{Ll}+$/u.test(word))))
  const basesOf = (/** @type {string} */ word) => [
    ...(lemmas.has(word) ? [word] : []),
    ...endings.flatMap(([ending, base]) => {
      const cut = word.endsWith(ending) ? word.slice(0, word.length - ending.length) + base : ''
      return cut.length > 2 && lemmas.has(cut) ? [cut] : []
    }),
  ]
  const synsetsOf = (/** @type {string} */ word) =>
    (senses.get(word) ?? []).flatMap((id) => {
      const synset = synsets.get(id)
      return synset === undefined ? [] : [synset]
    })
  /** @param {string} word @param {Synset} synset @param {(kind: string) => boolean} isWanted */
  const pointedAt = (word, synset, isWanted) =>
    synset.pointers.flatMap(({ kind, to, from, at }) => {
      // A pointer between two words says nothing about the others of their synsets.
      if (!isWanted(kind) || (from > 0 && synset.words[from - 1]?.toLowerCase() !== word)) return []
      const target = synsets.get(to)?.words ?? []
      return at > 0 ? target.slice(at - 1, at) : target
    })
  return {
    isWord: (word) => basesOf(word).length > 0,
    basesOf,
    relatedTo: (word) =>
      new Set(
        synsetsOf(word)
          .flatMap((synset) => [...synset.words, ...pointedAt(word, synset, (kind) => related.has(kind))])
          .filter((other) => other !== word && lemmas.has(other)),
      ),
    oppositeOf: (word) => new Set(synsetsOf(word).flatMap((synset) => pointedAt(word, synset, (kind) => kind === '!'))),
  }
}

/** @param {string} folder @returns {Map<string, Synset>} */
function readSynsets(folder) {
  /** @type {Map<string, Synset>} */
  const synsets = new Map()
  for (const [part, name] of parts)
    for (const line of linesOf(join(folder, `data.${name}`))) {
      const fields = line.split(' | ')[0]?.split(' ') ?? []
      const count = Number.parseInt(fields[3] ?? '', 16)
      const words = Array.from({ length: count }, (_, i) => (fields[4 + 2 * i] ?? '').replace(/\(.*\)$/, ''))
      const first = 4 + 2 * count + 1
      const pointers = Array.from({ length: Number(fields[first - 1]) }, (_, i) => {
        const [kind = '', offset = '', of = '', between = '0000'] = fields.slice(first + 4 * i, first + 4 * i + 4)
        const [from, at] = [between.slice(0, 2), between.slice(2)].map((digits) => Number.parseInt(digits, 16))
        return { kind, to: `${of === 's' ? 'a' : of}${offset}`, from: from ?? 0, at: at ?? 0 }
      })
      synsets.set(`${part}${fields[0]}`, { words, pointers })
    }
  return synsets
}

/** The common senses of each word, by part of speech. @param {string} folder @returns {Map<string, string[]>} */
function readSenses(folder) {
  /** @type {Map<string, string[]>} */
  const senses = new Map()
  for (const [part, name] of parts)
    for (const line of linesOf(join(folder, `index.${name}`))) {
      const fields = line.trim().split(' ')
      const offsets = fields.slice(4 + Number(fields[3]) + 2, 4 + Number(fields[3]) + 2 + commonSenses)
      const known = senses.get(fields[0] ?? '') ?? []
      senses.set(fields[0] ?? '', [...known, ...offsets.map((offset) => `${part}${offset}`)])
    }
  return senses
}

/** Lines that begin with a space are the licence. @param {string} file */
function linesOf(file) {
  return readFileSync(file, 'latin1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(' '))
}

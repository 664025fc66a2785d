/**
 * Events that bound the time of an answer: "before the release", "seit der Migration". The words only name the event; when it was, a note
 * has to say.
 */
import { timeSpans } from './time-expressions.ts'

/** A phrase that may name an event, and on which side of it the answer lies. */
export interface Anchor {
  readonly side: 'before' | 'after'
  /** Possible names of the event, longest first: nothing in the text says where the name ends. */
  readonly names: readonly string[]
}

interface Preposition {
  readonly side: Anchor['side']
  /** Matches the word and an article after it. */
  readonly words: string
}

const prepositions: readonly Preposition[] = [
  {
    side: 'before',
    words:
      '(?:before|prior to|until) (?:the |our )?' +
      '|(?:vor|bis zu[rm]?) (?:de[rmn] |die |das |unsere[rmn]? )?' +
      "|(?:avant|jusqu['’](?:à|au)) (?:le |la |les |l['’])?" +
      '|(?:antes del?|hasta) (?:el |la |los |las )?' +
      "|(?:prima (?:di|del|della|dello|dell['’])|fino al?) ?(?:il |la |lo )?" +
      '|(?:antes d[aoe]|até) (?:o |a )?' +
      '|(?:vóór|voor) (?:de |het )?' +
      '|przed |до |перед ',
  },
  {
    side: 'after',
    words:
      '(?:after|since) (?:the |our )?' +
      '|(?:nach|seit) (?:de[rmn] |die |das |unsere[rmn]? )?' +
      "|(?:après|depuis) (?:le |la |les |l['’])?" +
      '|(?:después del?|desde) (?:el |la |los |las )?' +
      "|(?:dopo|dal|dalla|dallo|dall['’]) ?(?:il |la |lo |l['’])?" +
      '|(?:depois d[aoe]|após|desde) (?:o |a )?' +
      '|(?:na|sinds) (?:de |het )?' +
      '|po |после |після |від ',
  },
]

const word = String.raw`[\p{L}\p{N}][\p{L}\p{N}._'’-]*`
const mostWords = 4
const spaced = prepositions.map(({ side, words }) => {
  const pattern = `(?<![\\p{L}\\p{N}])(?:${words})(?<name>${word}(?: ${word}){0,${mostWords - 1}})`
  return { side, pattern: new RegExp(pattern, 'giu') }
})
// Most questions have none of these words, and the patterns with classes of Unicode take a hook six milliseconds to compile.
const spacedSign = new RegExp(`(?:^|[^a-z])(?:${prepositions.map(({ words }) => words).join('|')})`, 'i')
const followingSign = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|nce|sonra|beri/i
// The name stands before these.
const following = [
  { side: 'before', pattern: /(?<name>[\p{L}\p{N}]{2,8}?)(?:之前|以前)|(?<name2>[\p{L}\p{N}]{2,8}?)の前/gu },
  { side: 'after', pattern: /(?<name>[\p{L}\p{N}]{2,8}?)(?:之[后後]|以[后後])|(?<name2>[\p{L}\p{N}]{2,8}?)の後/gu },
  {
    side: 'before',
    pattern:
      /(?<name>[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)?)(?:[dt][ae]n) önce|(?<name2>[\p{Script=Hangul}]{2,}) (?:이전|전)/gu,
  },
  {
    side: 'after',
    pattern:
      /(?<name>[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)?)(?:[dt][ae]n) (?:sonra|beri)|(?<name2>[\p{Script=Hangul}]{2,}) (?:이후|후)/gu,
  },
] as const

/** "before moving", "after he left", "after a long time" */
const deed =
  /^(?:before|prior to|until|after|since) (?:[a-z]{2,}ing\b|(?:an?|i|you|he|she|it|we|they|my|your|his|her|its|their|someone|somebody|anyone|anybody)\b)/i

export function anchorsIn(text: string): readonly Anchor[] {
  const normal = text.normalize('NFKC')
  const before = (spacedSign.test(normal) ? spaced : []).flatMap(({ side, pattern }) =>
    Array.from(normal.matchAll(pattern), (found) => ({
      side,
      found: found[0],
      names: shortened(found.groups?.['name'] ?? ''),
    })),
  )
  const after = (followingSign.test(normal) ? following : []).flatMap(({ side, pattern }) =>
    Array.from(normal.matchAll(pattern), (found) => {
      return {
        side,
        found: found[0],
        names: shortenedFromStart(found.groups?.['name'] ?? found.groups?.['name2'] ?? ''),
      }
    }),
  )
  // "Since March" and "vor zwei Wochen" are times and name no event. A deed is told rather than named, and few notes tell it in these words.
  return [...before, ...after]
    .filter(({ found }) => !deed.test(found) && timeSpans(found, 0).length === 0)
    .map(({ side, names }) => ({ side, names }))
}

function shortened(name: string): readonly string[] {
  const words = name.split(' ')
  return words.map((_, i) => words.slice(0, words.length - i).join(' '))
}

function shortenedFromStart(name: string): readonly string[] {
  if (name.includes(' ')) return [name, name.slice(name.indexOf(' ') + 1)]
  return Array.from({ length: Math.max(1, name.length - 1) }, (_, i) => name.slice(i))
}

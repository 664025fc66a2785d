/**
 * Whether two similar statements have different meanings. A vector hardly reflects a digit, a name or a "not", so merging by
 * similarity alone would lose one of two facts. In doubt they count as different, because a duplicate belief costs a line, and one
 * belief for two facts loses a fact.
 */
import { stem } from '@agentm/memory/ranking'

/** How two similar statements differ. */
export type Difference = 'negation' | 'number' | 'date' | 'name' | 'order' | 'word'

/** The parts of a statement that are compared. */
export interface Reading {
  readonly tokens: readonly ReadToken[]
  /** Its numbers and its dates, each sorted as text. Statements that differ in these have different meanings. */
  readonly numbers: string
  readonly dates: string
  readonly words: ReadonlySet<string>
  /** Words that are written as names although grammar requires no capital. */
  readonly names: ReadonlySet<string>
}

export interface ReadToken {
  /** The normalised word: "two" is 2, "Mon" is monday. */
  readonly word: string
  /** The common stem: "keeps", "kept" and "keeping" are one word. */
  readonly stem: string
  readonly kind: Kind
}

interface Said {
  readonly negations: number
  readonly names: readonly string[]
  /** All other words with a meaning. */
  readonly words: readonly string[]
  /** Names and numbers in order, each with the preposition before it. */
  readonly order: readonly Placed[]
  /** Whether the actor comes after the verb, as in "is owned by". */
  readonly isPassive: boolean
}

interface Placed {
  readonly word: string
  /** Empty if there is no preposition, as for a subject. */
  readonly by: string
}

export function readStatement(text: string): Reading {
  const tokens = tokensOf(text).map((token) => {
    const word = meaningOf(token.word)
    return { word, stem: stem(word), kind: kindOf(token) }
  })
  const ofKind = (kind: Kind) => tokens.filter((token) => token.kind === kind).map(({ word }) => word)
  return {
    tokens,
    numbers: ofKind('number').toSorted().join('\n'),
    dates: ofKind('date').toSorted().join('\n'),
    words: new Set(tokens.map(({ word }) => word)),
    names: new Set(ofKind('name')),
  }
}

/** The first difference that was found; `undefined` if both may have the same meaning. */
export function statementDifference(a: string, b: string): Difference | undefined {
  return readingDifference(readStatement(a), readStatement(b))
}

export function readingDifference(a: Reading, b: Reading): Difference | undefined {
  if (a.numbers !== b.numbers) return 'number'
  if (a.dates !== b.dates) return 'date'
  const [one, other] = [said(a, b), said(b, a)]
  if (!isSameList(one.names, other.names)) return 'name'
  if (isReplaced(one.words, other.words)) return 'word'
  if (one.negations % 2 !== other.negations % 2) return 'negation'
  return isSameOrder(one, other) && !isSwapped(a.tokens, b.tokens) ? undefined : 'order'
}

/** Whether one statement affirms exactly what the other denies. */
export function isDenial(a: Reading, b: Reading): boolean {
  if (a.numbers !== b.numbers || a.dates !== b.dates) return false
  const [one, other] = [said(a, b), said(b, a)]
  if (one.negations % 2 === other.negations % 2) return false
  const isSame = isSameList(one.names, other.names)
  const left = [...without(one.words, other.words), ...without(other.words, one.words)]
  return isSame && left.every((word) => auxiliaries.has(word)) && isSameOrder(one, other)
}

/** Whether a word says that something changed but not what: "now", "no longer". */
export function isWordOfChange(word: string): boolean {
  return ofChange.has(stem(word))
}

export function isPreposition(word: string): boolean {
  return prepositions.has(word)
}

function said({ tokens }: Reading, beside: Reading): Said {
  const settled = tokens.map((token) => ({
    ...token,
    kind: token.kind === 'beginning' ? beginning(token.word, beside) : token.kind,
  }))
  const of = (kind: Kind) => settled.filter((each) => each.kind === kind).map(({ word }) => word)
  return {
    negations: of('negation').length,
    names: of('name'),
    words: settled.filter(({ kind, word }) => kind === 'word' && !isWordOfChange(word)).map((token) => token.stem),
    order: placed(settled),
    isPassive: settled.some(({ word }, i) => word === 'by' && settled[i + 1]?.kind !== 'number'),
  }
}

/** "On port 80 Kestrel listens" and "Kestrel listens on port 80" have the same names with the same prepositions. */
function placed(tokens: readonly ReadToken[]): readonly Placed[] {
  let by = ''
  const found: Placed[] = []
  for (const { word, kind } of tokens) {
    if (prepositions.has(word)) by = word
    if (kind !== 'number' && kind !== 'name') continue
    found.push({ word, by })
    by = ''
  }
  return found
}

function isSameOrder(a: Said, b: Said): boolean {
  const [one, other] = [a.order.map(({ word }) => word), b.order.map(({ word }) => word)]
  if (one.join('\n') === other.join('\n')) return true
  // Active and passive: "Kestrel uses Osprey" and "Osprey is used by Kestrel".
  if (a.isPassive !== b.isPassive && one.length === 2 && isSameList(one, other)) return true
  const [ways, others] = [a.order, b.order].map((list) => list.map(({ word, by }) => `${by} ${word}`)) as [
    string[],
    string[],
  ]
  const alone = ({ order }: Said) => order.filter(({ by }) => by === '').map(({ word }) => word)
  return isSameList(ways, others) && alone(a).join('\n') === alone(b).join('\n')
}

/** The same words, except that two have changed places, as in who feeds whom. */
function isSwapped(a: readonly ReadToken[], b: readonly ReadToken[]): boolean {
  if (a.length !== b.length) return false
  const [first, second, ...more] = [...a.keys()].filter((i) => a[i]?.stem !== b[i]?.stem)
  if (first === undefined || second === undefined || more.length > 0 || second - first < 2) return false
  return a[first]?.stem === b[second]?.stem && a[second]?.stem === b[first]?.stem
}

/** A capitalised first word is a name if the other statement lacks the word or has it as a name. */
function beginning(word: string, beside: Reading): Kind {
  if (limits.has(word) || prepositions.has(word)) return 'word'
  return beside.words.has(word) && !beside.names.has(word) ? 'word' : 'name'
}

interface Token {
  readonly word: string
  readonly isCapital: boolean
  readonly isFirst: boolean
}

type Kind = 'negation' | 'number' | 'date' | 'name' | 'beginning' | 'word' | 'filler'

function tokensOf(text: string): readonly Token[] {
  const normal = text
    .normalize('NFKC')
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/\bno longer\b/gi, 'not')
    .replaceAll(/\bany more\b(?! than)/gi, 'anymore')
    .replaceAll(/(?<=\d)[,_ ](?=\d{3}(?!\d))/g, '')
  return [
    ...normal.matchAll(/[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'_]|[.:/@+-](?=[\p{L}\p{N}]))*[%+#]*|(?<=^|\s)[-−]\d[\d.]*/gu),
  ].flatMap(({ 0: whole, index }) => {
    const isFirst = /(?:^|[.!?:\n]\s*)[\s"'“*>#-]*$/u.test(normal.slice(0, index))
    return parted(whole).map((word, i) => ({
      word: word.toLowerCase(),
      isCapital: /^\p{Lu}/u.test(word) || /\p{Ll}\p{Lu}/u.test(word),
      isFirst: isFirst && i === 0,
    }))
  })
}

/** "isn't" is "is not", "can't" is "can not". */
function parted(word: string): readonly string[] {
  const denied = /^(.+?)n't$/i.exec(word)
  if (/^(?:cannot|can't)$/i.test(word)) return ['can', 'not']
  if (/^won't$/i.test(word)) return ['will', 'not']
  if (denied?.[1] !== undefined) return [denied[1], 'not']
  return [word.replace(/'s$/i, '')]
}

function kindOf({ word, isCapital, isFirst }: Token): Kind {
  if (negations.has(word)) return 'negation'
  if (dates.has(word) || /^\d{4}-\d{2}(?:-\d{2})?/.test(word)) return 'date'
  if (/\p{N}/u.test(word) || numberWords.has(word)) return 'number'
  if (fillers.has(word)) return 'filler'
  if (isCapital) return isFirst ? 'beginning' : 'name'
  return /[-_/@:.]/.test(word) ? 'name' : 'word'
}

function meaningOf(word: string): string {
  return numberWords.get(word) ?? dates.get(word) ?? sameWords.get(word) ?? word.replace(/^v(?=\d)/, '')
}

/** Each has words that the other lacks, so one thing was replaced by another. */
function isReplaced(a: readonly string[], b: readonly string[]): boolean {
  const onlyA = without(a, b).filter((word) => !auxiliaries.has(word))
  const onlyB = without(b, a).filter((word) => !auxiliaries.has(word))
  if ([...onlyA, ...onlyB].some((word) => limits.has(word))) return true
  if (onlyA.length === 0 || onlyB.length === 0) return false
  const shared = new Set(a).size - new Set(without(a, b)).size
  const apart = onlyA.length + onlyB.length
  // One word is replaced in otherwise equal statements, or they share hardly any word. In between, they may be two ways to say the
  // same, and the similarity decides.
  return (apart <= 3 && shared > 0) || shared / (shared + apart) < leastShared
}

const leastShared = 0.3

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.toSorted().join('\n') === b.toSorted().join('\n')
}

function without(list: readonly string[], taken: readonly string[]): readonly string[] {
  const there = new Set(taken)
  return list.filter((word) => !there.has(word))
}

const words = (text: string) => text.trim().split(/\s+/)

const negations = new Set(
  words('no not never none nobody nothing neither nor without cannot hardly barely except unless non'),
)
/** Words that limit a statement. With or without them, the meaning is different. */
const limits = new Set(
  words(
    'only all every each some any most few many always sometimes rarely often before after above below over under up down on off until since more less least first last inside outside',
  ).map(stem),
)
/** Words that say that something changed, but not what. */
const ofChange = new Set(words('now anymore nowadays currently instead still henceforth').map(stem))
const prepositions = new Set(
  words(
    'in on at by for from to into onto of with under over behind between through via as before after during since until when while if because without against per about near inside outside',
  ),
)
const auxiliaries = new Set(
  words('do does did is are was were be been has have had will would can could should must may might').map(stem),
)
const fillers = new Set(
  words(
    'a an the this that these those is are was were be been being to of in at by for with and or as it its their our my your his her there here then so also just very do does did has have had will would we they i you he she us them',
  ),
)
const sameWords = new Map([
  ['every', 'all'],
  ['each', 'all'],
])
const numberWords = new Map([
  ...words(
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  ).map((word, i) => [word, String(i)] as const),
  ...words('thirty forty fifty sixty seventy eighty ninety hundred').map(
    (word, i) => [word, String(30 + 10 * i)] as const,
  ),
  ...words('first second third fourth fifth sixth seventh eighth ninth tenth')
    .slice(1)
    .map((word, i) => [word, String(i + 2)] as const),
  ['thousand', '1000'],
  ['million', '1000000'],
  ['half', '0.5'],
  ['once', '1'],
  ['twice', '2'],
  ['double', '2'],
] as const)
const months = words('january february march april may june july august september october november december')
const days = words('monday tuesday wednesday thursday friday saturday sunday')
const dates = new Map<string, string>([
  ...months
    .filter((month) => month !== 'may')
    .flatMap(
      (month) =>
        [
          [month, month],
          [month.slice(0, 3), month],
        ] as const,
    ),
  ...days.flatMap(
    (day) =>
      [
        [day, day],
        [`${day}s`, day],
      ] as const,
  ),
  ...words(
    'today yesterday tomorrow tonight morning evening night noon midnight spring summer autumn winter weekly daily hourly monthly yearly',
  ).map((word) => [word, word] as const),
])

/**
 * Whether a statement gives a new value for the same thing as another statement. Only properties with one value at a time can
 * change: "Ada reviewed it" and "Bob reviewed it" are both true. In doubt it answers no, because an outdated belief costs a line,
 * but a wrongly replaced belief loses a fact. It is asked only if all episodes of the new statement are later than all episodes of
 * the old one.
 */
import { isPreposition, isWordOfChange, type ReadToken, type Reading, readStatement } from './statement-difference.ts'

export function isChange(before: string, after: string): boolean {
  if (namesOldValue(before, after)) return true
  const [old, now] = [readStatement(before), readStatement(withoutOldValue(after))]
  const isSaid = saysChange(after)
  if (isPast(after) && !isSaid) return false
  const apart = difference(old, now, isSaid)
  if (apart === undefined) return false
  const { was, is, shared } = apart
  if (isValue(was[0]) && isValue(is.find(isValue))) return [was, is].every((value) => isMeasured(value))
  // A name or a word in another's place alone proves little.
  const mayChange = isSaid || shared.some(({ token: { stem } }) => single.has(stem))
  return (
    mayChange &&
    isHeld(was, shared, old) &&
    isHeld(is, shared, now) &&
    !shared.some(({ token }) => several.has(token.word))
  )
}

interface At {
  readonly token: ReadToken
  readonly at: number
  /** The word before it: a preposition, `is`, or nothing. */
  readonly by: string
  /** The number of meaningful words before it. */
  readonly after: number
}

interface Apart {
  /** The words that only the old statement has, and those that only the new one has. */
  readonly was: readonly At[]
  readonly is: readonly At[]
  readonly shared: readonly At[]
}

const [longestValue, fewestShared, mostBeside] = [3, 2, 2]

/** The difference of two statements, if each has one different value. The order of the other words does not matter. */
function difference(old: Reading, now: Reading, isSaid: boolean): Apart | undefined {
  const [a, b] = [carrying(old), carrying(now)]
  const [inA, inB] = [new Set(a.map(({ token }) => token.stem)), new Set(b.map(({ token }) => token.stem))]
  const was = a.filter(({ token }) => !inB.has(token.stem))
  const shared = b.filter(({ token }) => inA.has(token.stem))
  const more = b.filter(({ token }) => !inA.has(token.stem))
  const is = isSaid && isValue(was[0]) ? valueIn(more) : more
  if (was.length === 0 || is.length === 0 || shared.length < fewestShared) return undefined
  if (!isOneThing(was) || !isOneThing(is)) return undefined
  return { was, is, shared }
}

/** "Since the audit … in October": beside the value, a statement may say since when. */
function valueIn(more: readonly At[]): readonly At[] {
  const values = more.filter(isValue)
  return more.length - values.length <= mostBeside && values.length > 0 ? values : more
}

function isOneThing(value: readonly At[]): boolean {
  const [first] = value
  if (first === undefined || value.length > longestValue) return false
  return value.every(({ token, at }, i) => token.kind !== 'negation' && at - first.at <= i + 1)
}

/**
 * The meaningful words, each with the word before it. Words such as "now" are left out, because they say that something changed but
 * not what.
 */
function carrying({ tokens }: Reading): readonly At[] {
  const found: At[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'filler' || isWordOfChange(token.word) || isPreposition(token.word)) continue
    found.push({ token, at, by: leadTo(tokens, at), after: found.length })
  }
  return found
}

const farthestLead = 3

/** In "in the bucket raw-files" the word is "in"; in "is the default branch" it is "is". */
function leadTo(tokens: readonly ReadToken[], at: number): string {
  for (let i = at - 1; i >= Math.max(0, at - farthestLead); i--) {
    const { word = '', kind } = tokens[i] ?? {}
    if (isPreposition(word) || word === 'of' || word === 'as') return word
    if (/^(?:is|are|be)$/.test(word)) return 'is'
    // After another meaningful word, only a preposition counts: "in the bucket raw-files".
    if (kind !== 'filler' && i < at - 1) return ''
  }
  return ''
}

function isValue(at: At | undefined): boolean {
  return at?.token.kind === 'number' || at?.token.kind === 'date'
}

/** Whether the number is an amount or a time instead of a name: "step 3" is another step than "step 4". */
function isMeasured(value: readonly At[]): boolean {
  const [first] = value
  return first !== undefined && (first.after >= 2 || (first.by !== '' && first.by !== 'of'))
}

/** Whether the value is in a place where a property is named: who holds an office, or where, by whom and as what something is. */
function isHeld([first]: readonly At[], shared: readonly At[], { tokens }: Reading): boolean {
  if (first === undefined) return false
  if (held.has(first.by)) return true
  const isActive = !tokens.some(({ word }) => word === 'by')
  return first.after === 0 && isActive && shared.some(({ token }) => offices.has(token.stem))
}

const held: ReadonlySet<string> = new Set(['is', 'in', 'on', 'at', 'by', 'under', 'as', 'from', 'behind', 'inside'])

/** "now", "no longer", "from this release on" */
function saysChange(text: string): boolean {
  return /\b(?:now|nowadays|no longer|any ?more|instead|henceforth|since|as of|(?:has|have|was|were) (?:moved|changed|switched|renamed|raised|lowered|replaced)|moved|switched|migrated|changed)\b/i.test(
    text,
  )
}

/** A past event: a later event does not make it untrue. */
function isPast(text: string): boolean {
  return /\b(?:was|were|had|did|took|went|came|got|has been|have been)\b/i.test(text)
}

const oldValue = /,?\s*\b(?:instead of|rather than|no longer|and not|not)\s+((?:[\w.@/+:-]+\s?){1,3}?)(?=[,.;!]|$)/i
const fromTo = /\bfrom\s+((?:[\w.@/+:-]+\s?){1,3}?)\s*\bto\s+((?:[\w.@/+:-]+\s?){1,3}?)(?=[,.;!]|$)/i

/** "… in Dublin instead of Frankfurt" has the same meaning as "… in Dublin". */
function withoutOldValue(text: string): string {
  return text.replace(oldValue, '').replace(/\s*\bfrom now on\b/i, '')
}

const leastShared = 0.6

/** Whether the statement itself names the old value: "instead of Frankfurt", "from Redis to Postgres", "no longer Giulia". */
function namesOldValue(before: string, after: string): boolean {
  const [, over = '', instead = ''] = oldValue.exec(after) ?? fromTo.exec(after) ?? []
  const [value, old, now] = [stemsIn(over), stemsIn(before), new Set(stemsIn(after))]
  if (value.length === 0 || !value.every((stem) => old.includes(stem))) return false
  const isDenied = readStatement(before).tokens.some(({ kind }) => kind === 'negation')
  if (isDenied || stemsIn(instead).some((stem) => old.includes(stem) && !value.includes(stem))) return false
  const about = old.filter((stem) => !value.includes(stem))
  const shared = about.filter((stem) => now.has(stem)).length
  // The first words of a sentence name its topic.
  return now.has(about[0] ?? '') && shared >= fewestShared && shared >= about.length * leastShared
}

function stemsIn(text: string): readonly string[] {
  return carrying(readStatement(text)).map(({ token }) => token.stem)
}

const stems = (text: string): ReadonlySet<string> => new Set(readStatement(text).tokens.map(({ stem }) => stem))

/** Properties with one value at a time. */
const single = stems(
  'default owner owned own maintainer maintained maintains leader led leads manager package contact responsible approver approves approved branch format language license licensed located hosted stored kept keeps store stores live lives lie lies belong belongs called named name set limit limited timeout retention schedule scheduled deadline address host port path directory folder region zone version registry database encoding currency theme colour color size maximum minimum prefix bucket renewed begins starts ends opens closes freeze',
)
const offices = stems('owns maintains leads approves manages owner maintainer contact responsible lead manager')
/**
 * Properties with several values at a time. They are compared as written, because things are named after what they do: an importer
 * imports.
 */
const several: ReadonlySet<string> = new Set(
  'also depend depends rely relies talk talks connect connects report reports support supports work works tested reviewed import imports export exports publish publishes subscribe subscribes send sends use uses call calls require requires include includes contain contains like likes dislike dislikes'.split(
    ' ',
  ),
)

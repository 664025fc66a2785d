/**
 * The language of a text, guessed by its function words. English texts, and texts without function words, have none: they are read
 * as English.
 */
import { characterClass, classOfUnit } from './character-class.ts'
import { type Language, latinLanguages } from './languages.ts'
import { stopWords } from './stop-words.ts'
import { withoutAccents } from './without-accents.ts'

// The beginning tells the language, and a long note should not cost more than a short one.
const mostRead = 800
// With as many English words and none of another language alone, the rest tells nothing new.
const surelyEnglish = 8
const isAscii = /^\p{ASCII}*$/u

/** The language whose words the text has, if it is not English. */
export function languageOf(text: string): Language | undefined {
  const counts = new Float64Array(latinLanguages.length)
  const end = Math.min(text.length, mostRead)
  let [english, others] = [0, 0]
  for (let at = 0; at < end; at++) {
    const start = at
    while (at < end && classOfUnit(text.charCodeAt(at)) === characterClass.word) at += 1
    const users = at === start ? 0 : usersOf(text.slice(start, at))
    if (users === 0) continue
    english += users & isEnglish
    if ((users & isEnglish) === 0) others += 1
    if (others === 0 && english >= surelyEnglish) return undefined
    if (users > isEnglish) addTo(counts, users)
  }
  const most = counts.reduce((one, other) => Math.max(one, other), 0)
  return most > english ? latinLanguages[counts.indexOf(most)] : undefined
}

function addTo(counts: Float64Array, users: number): void {
  for (let i = 0; i < counts.length; i++) if ((users & (2 << i)) !== 0) counts[i] = (counts[i] ?? 0) + 1
}

/** The languages that use a function word, as bits: English first, then those of `latinLanguages`. */
function usersOf(word: string): number {
  if (word.length > longest && isAscii.test(word)) return 0
  const known = seen.get(word)
  if (known !== undefined) return known
  if (seen.size >= mostSeen) seen.clear()
  const lower = word.toLowerCase()
  const users = (grammarUsers.get(withoutAccents(lower)) ?? 0) | usersByLetter(lower)
  seen.set(word, users)
  return users
}

/** Some letters are used by one language only, or by two. */
function usersByLetter(word: string): number {
  if (isAscii.test(word)) return 0
  return letters.reduce((users, [letter, ofLetter]) => (letter.test(word) ? users | ofLetter : users), 0)
}

const isEnglish = 1
const letters = (
  [
    [/ß/, ['german']],
    [/[ğşı]/, ['turkish']],
    [/[őű]/, ['hungarian']],
    [/[łąęśźż]/, ['polish']],
    [/[řěů]/, ['czech']],
    [/[ãõ]/, ['portuguese']],
    [/ñ/, ['spanish']],
    [/[șțăţ]/, ['romanian']],
    [/å/, ['swedish', 'danish']],
    [/[øæ]/, ['danish']],
    [/ää|öö|yy/, ['finnish']],
    [/[èêœ]/, ['french']],
  ] as const
).map(([letter, names]) => {
  const ofLetter = names.map((name: string) => 2 << latinLanguages.findIndex((language) => language.name === name))
  return [letter, ofLetter.reduce((users, user) => users | user, 0)] as const
})
const grammarUsers = new Map<string, number>()
for (const word of stopWords) grammarUsers.set(word, isEnglish)
for (const [i, { grammar }] of latinLanguages.entries())
  for (const word of grammar) grammarUsers.set(word, (grammarUsers.get(word) ?? 0) | (2 << i))
const longest = Math.max(...Array.from(grammarUsers.keys(), ({ length }) => length)) + 2

// Words as they are written, so that most are not changed to lower case again.
const seen = new Map<string, number>()
const mostSeen = 20_000

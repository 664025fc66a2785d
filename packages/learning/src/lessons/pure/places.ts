/** Where things are, as a person said it: a lasting thing, and a path. */
import { isHedged } from './hedges.ts'
import type { Lesson, LessonTurn } from './lesson.ts'
import { ownSentences } from './own-words.ts'

export function placesIn(turn: LessonTurn): readonly Lesson[] {
  return ownSentences(turn.asked)
    .filter((text) => isPlace(text) && !isHedged(text))
    .map((text) => ({
      kind: 'place',
      belief: 'fact',
      statement: `The person said where it is: "${text.replaceAll('"', "'").replace(lead, '')}"`,
      said: text,
      confidence: 0.65,
      from: [turn],
    }))
}

const lead = /^(?:ok|also|hm+|and|so|well|btw|by the way|fyi)[,.! ]+/i
const mostCharacters = 250

const path = String.raw`['\x60]?(?:(?:s3|gs|file):\/\/)?(?:\.{0,2}\/)?[\w.@-]+(?:\/[\w.@*<>-]*)+['\x60]?|['\x60]?[\w.-]+\.(?:[cm]?[jt]sx?|json|ya?ml|toml|md|py|rb|go|rs|sql|sh|env|ini|cfg|lock|proto|css|scss|html|txt|csv)\b['\x60]?`
const located =
  '(?:is|are|live|lives|lie|lies|sit|sits|go|goes|belong|belongs|stay|stays|(?:is|are) (?:kept|stored|defined|found|generated)|can be found|liegt|liegen|sind|ist|gehören|gehört|kommt aus|kommen aus|comes? from|est[áà]n?|viven?|van|se trouvent?|sont|vont)'
const into = '(?:in|under|at|into|inside|below|unter|nach|en|bajo|dans|sous)'
const shape = new RegExp(
  String.raw`(?<what>^.*?)\b${located}(?:\s+(?:all|now|übrigens|btw|always|still|only))?(?:\s+(?:in|on) the \w+(?: \w+)?)?(?:\s+${into})?(?:\s+(?:the|der|die|das|el|la|le))?\s+(?:${path})`,
  'iu',
)

function isPlace(text: string): boolean {
  const what = text.length > mostCharacters ? undefined : shape.exec(text)?.groups?.['what']
  if (what === undefined || /https?:\/\//.test(text)) return false
  const words = what.trim().replace(lead, '').split(/\s+/).filter(Boolean)
  return words.length > 0 && words.length <= 12 && !pronoun.test(words.join(' ')) && !passing.test(what)
}

const pronoun = /^(?:it|that|this|they|those|these|he|she|there|here|das|es|esto|eso|ça|ce|c')$/i
/** What will be gone tomorrow. */
const passing =
  /\b(?:bugs?|errors?|problems?|issues?|typos?|crash(?:es)?|leaks?|failures?|findings?|changes?|diffs?|mistakes?|todos?|warnings?|conflicts?|missing|broken|wrong|i|you|fehler|problem|erreur|fallo|put|move|moved|add|added|copy|line)\b/iu

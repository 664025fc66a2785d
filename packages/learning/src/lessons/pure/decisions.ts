/**
 * What was decided, and why. A person's decision counts at once; an agent's only when it weighed two things against each other, and
 * the person said nothing against it in the next turn.
 */
import { stemsOf } from '../../statements/pure/word-likeness.ts'
import { isHedged } from './hedges.ts'
import type { Lesson, LessonTurn } from './lesson.ts'
import { ownSentences } from './own-words.ts'

/** `after` are the later turns of the same session. */
export function decisionsIn(
  turn: LessonTurn,
  after: readonly LessonTurn[],
  { isOver }: { readonly isOver: boolean },
): readonly Lesson[] {
  const isKept = (text: string) => !isTakenBack(text, after)
  const persons = personsIn(turn).filter(isKept)
  // Before the person has answered, nobody knows whether they agree.
  const isAnswered = turn.isOpen !== true && (after.length > 0 || isOver)
  const agents = isAnswered
    ? (turn.decisions ?? []).filter(({ by, text }) => by === 'agent' && isAgents(text) && isKept(text))
    : []
  return [
    ...persons.map((text) => ({ ...lessonOf(turn, `The person decided: "${unquoted(text)}"`, 0.65), said: text })),
    ...agents.map(({ text }) =>
      lessonOf(turn, `An agent decided here, and the person did not object: "${unquoted(text)}"`, 0.45),
    ),
  ]
}

/** What the person decided in this turn and took back later. Nothing else is learned from these sentences either. */
export function takenBackIn(turn: LessonTurn, after: readonly LessonTurn[]): readonly string[] {
  return personsIn(turn).filter((text) => isTakenBack(text, after))
}

function personsIn({ asked }: LessonTurn): readonly string[] {
  return ownSentences(asked).filter((text) => isDecision(text) && !isHedged(text))
}

/** Whether the person turned against what was decided, in one of the next turns. */
export function isTakenBack(text: string, after: readonly LessonTurn[]): boolean {
  return after.slice(0, soon).some((later) => takesBack(later.asked, text))
}

/** How many turns later a decision can still be taken back. */
const soon = 4
const mostCharacters = 300

const reason = /\b(?:because|since|so that|due to|otherwise|weil|damit|sonst|porque|parce que|car)\b|因为|ため/iu
const weighed =
  /\b(?:instead(?: of)?|rather than|over|against|in favou?r of|not (?!only)|statt|en vez de|au lieu de)\b|而不是|ではなく/iu
const decides =
  /\b(?:decided|decide|chose|chosen|went with|go with|going with|picked|settled on|opted for|stick with|stay with|let's (?:use|keep|go|put|make|have|stay|move|switch|drop)|keep|should use|use the|use|entschieden|decidimos|on garde)\b/iu

function isDecision(text: string): boolean {
  if (text.length > mostCharacters || !reason.test(text)) return false
  return /\bwe (?:have )?(?:decided|chose|agreed)\b/i.test(text) || (weighed.test(text) && decides.test(text))
}

/** Only what agents say in the first person: a summary of a page is not their decision. */
function isAgents(text: string): boolean {
  const isFirst =
    /^(?:so |ok(?:ay)?,? |done[.:;] )?(?:I|we)(?:'ve| have)? (?:decided|chose|went with|settled on|opted|kept)\b/i.test(
      text,
    )
  return (
    isFirst &&
    text.length <= mostCharacters &&
    reason.test(text) &&
    weighed.test(text) &&
    !isHedged(text) &&
    !/["“”]/.test(text)
  )
}

/** Whether a later prompt turns against it, and speaks of the same thing. */
function takesBack(asked: string, text: string): boolean {
  if (!against.test(asked)) return false
  const stems = stemsOf(asked)
  return (
    /^\s*(?:no|nope|nein|non)\b[.,!]/i.test(asked) ||
    [...stemsOf(text)].some((stem) => stem.length > 3 && stems.has(stem))
  )
}

const against =
  /\b(?:actually|no|nope|go back|back to|revert|undo|changed my mind|scrap|second thought|wait|instead|wrong|don't|do not|doch nicht|nein|zurück|mejor no|finalement|non)\b|还是|やっぱり/iu

function lessonOf(turn: LessonTurn, statement: string, confidence: number): Lesson {
  return { kind: 'decision', belief: 'fact', statement, confidence, from: [turn] }
}

function unquoted(text: string): string {
  return text.replaceAll('"', "'").replace(/^(?:hm+|wait|ok|actually|well)[,.! ]+/i, '')
}

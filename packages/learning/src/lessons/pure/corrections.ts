/** What a person corrected or asked for once and for all: another program, or a rule for this project. Their own words are quoted. */
import type { Lesson, LessonTurn } from './lesson.ts'
import { isHedged } from './hedges.ts'
import { isLastingWish } from './lasting-wishes.ts'
import { ownSentences } from './own-words.ts'
import { programsIn } from './program.ts'
import { type Replacement, replacementIn } from './replacements.ts'
import { toolFamily } from './tools.ts'

/** `before` are the turns of the same session up to this one. */
export function correctionsIn(turn: LessonTurn, before: readonly LessonTurn[]): readonly Lesson[] {
  const sentences = withScope(ownSentences(turn.asked).flatMap(clausesOf))
  const found: Lesson[] = []
  let wish: string[] = []
  for (const sentence of [...sentences, undefined]) {
    const isMeant = sentence !== undefined && !isHedged(sentence)
    const replacement = isMeant ? replacementIn(sentence) : undefined
    const continues = isMeant && replacement === undefined && isLastingWish(sentence)
    if (continues && joined([...wish, sentence]).length <= mostQuoted) wish.push(sentence)
    else {
      if (wish.length > 0) found.push(wishOf(wish, turn))
      wish = continues ? [sentence] : []
    }
    if (replacement !== undefined) found.push({ ...replaced(replacement, turn, before), said: sentence ?? '' })
  }
  return found
}

const mostQuoted = 320

/** "British spelling, please. Everywhere on this site.": a scope alone belongs to the sentence before it. */
function withScope(sentences: readonly string[]): readonly string[] {
  return sentences.reduce<readonly string[]>((done, sentence) => {
    const before = done.at(-1)
    if (before === undefined || !scope.test(sentence) || isHedged(before)) return [...done, sentence]
    return [...done.slice(0, -1), `${before} ${sentence}`]
  }, [])
}

const scope =
  /^(?:always|never|everywhere|throughout|keep it (?:that|this) way|same|in all|in every|for all|on all|without exception)\b(?:\W+\w+){0,5}\W*$/i

/** "You need not ask, but never deploy": only what follows the "but" is a rule. */
function clausesOf(sentence: string): readonly string[] {
  const [first = '', ...rest] = sentence.split(/,? but (?=(?:never|always|don't|do not|only)\b)/i)
  return rest.length === 0 || isLastingWish(first) ? [sentence] : [first, ...rest]
}

function joined(sentences: readonly string[]): string {
  return sentences.join(' ')
}

function wishOf(sentences: readonly string[], turn: LessonTurn): Lesson {
  const said = joined(sentences.map((each) => each.replace(filler, '')))
  return {
    kind: 'correction',
    belief: 'preference',
    statement: `The person said here: "${said.replaceAll('"', "'")}"`,
    said: joined(sentences),
    confidence: 0.65,
    from: [turn],
  }
}

/** Words that only answer what the agent said before. */
const filler =
  /^(?:(?:(?:no|nope|stop|yes|nein|non)[,.!:]+|(?:ok|okay|also|and|hey|hm+|please|wait|well|so|actually|btw)[,.!:]*)\s+)+(?=\S)/i

function replaced({ wanted, unwanted, family }: Replacement, turn: LessonTurn, before: readonly LessonTurn[]): Lesson {
  const over = unwanted ?? usedBefore(family, wanted, before)
  return {
    kind: 'correction',
    belief: 'preference',
    statement: `The person wants ${wanted}${over === undefined ? '' : ` instead of ${over}`} here.`,
    subject: `tool ${family}`,
    confidence: 0.75,
    from: [turn],
  }
}

/** The program of the family that the agent had used, if the person did not name it. */
function usedBefore(family: string, wanted: string, before: readonly LessonTurn[]): string | undefined {
  return before
    .flatMap(({ commands = [] }) => commands.flatMap(({ command }) => programsIn(command)))
    .findLast((program) => toolFamily(program) === family && program !== wanted)
}

/** Checks what a model says it learned. What the turns that it names do not say is not learned, however sure the model is. */
import { z } from 'zod'
import { ungroundedIn } from '../../statements/pure/grounded.ts'
import { stemsOf } from '../../statements/pure/word-likeness.ts'
import { isTakenBack } from './decisions.ts'
import { isHedged } from './hedges.ts'
import { type Lesson, type LessonKind, lessonKinds, type LessonTurn } from './lesson.ts'
import { isWorkOrder } from './work-order.ts'
import { ownSentences } from './own-words.ts'

export const lessonAnswerSchema = z.object({
  lessons: z
    .array(
      z.object({
        kind: z.enum(lessonKinds),
        statement: z.string().trim().min(1).max(500),
        turns: z.array(z.number().int()),
      }),
    )
    .max(40),
})

export type LessonAnswer = z.infer<typeof lessonAnswerSchema>['lessons'][number]

interface Asked {
  /** The turns that the model was shown, in order. */
  readonly turns: readonly LessonTurn[]
  readonly session: readonly LessonTurn[]
}

export function lessonOfAnswer({ kind, statement, turns: numbers }: LessonAnswer, asked: Asked): Lesson | undefined {
  const from = [...new Set(numbers)].flatMap((number) => asked.turns[number - 1] ?? [])
  const [first] = from
  if (first === undefined || !describes(statement) || !isSaid(kind, statement, from)) return undefined
  const later = asked.session.slice(asked.session.indexOf(first) + 1)
  if (kind === 'decision' && isTakenBack(statement, later)) return undefined
  return { kind, belief: beliefOf[kind], statement, confidence: 0.5, from }
}

const beliefOf = {
  correction: 'preference',
  convention: 'fact',
  command: 'fact',
  fix: 'outcome',
  decision: 'fact',
  place: 'fact',
} as const

/** A description has a subject. An order begins with a verb, or speaks to its reader. */
function describes(statement: string): boolean {
  return (
    /^(?:The|This|An?|In|Here|Its?|Commits?|Commit|Branch(?:es)?|Tests?|`|[A-Z][\w./-]* (?:is|are|has|have|was|were|go|live|lives)\b|\p{Lo}|(?:Der|Die|Das|El|La|Los|Las|Le|Les)\b)/u.test(
      statement,
    ) &&
    !/\b(?:you|your)\b/i.test(statement) &&
    !isHedged(statement)
  )
}

function isSaid(kind: LessonKind, statement: string, from: readonly LessonTurn[]): boolean {
  if (kind === 'command' || kind === 'fix' || kind === 'convention') return isRun(kind, statement, from)
  const persons = from.flatMap(({ asked }) =>
    ownSentences(asked).filter((text) => !isHedged(text) && !(kind === 'correction' && isWorkOrder(text))),
  )
  const agents = from.flatMap(({ decisions = [] }) =>
    decisions.filter(({ by }) => by === 'agent').map(({ text }) => text),
  )
  const before = from.flatMap(({ commands = [] }) => commands.map(({ command }) => command))
  const texts = kind === 'decision' ? [...persons, ...agents] : persons
  return holds(texts, statement) && ungroundedIn(statement, [...texts, ...before, frame]) === undefined
}

// Words that a statement may add.
const frame = 'The person said prefers wants decided here: An agent In this project'

const leastHeld = 0.6
const ofFrame = stemsOf(`${frame} instead uses use their`)

/** Most words of the statement are in the texts. */
function holds(texts: readonly string[], statement: string): boolean {
  const said = stemsOf(texts.join('\n'))
  const own = [...stemsOf(statement)].filter((stem) => !ofFrame.has(stem))
  return own.length > 0 && own.filter((stem) => said.has(stem)).length >= own.length * leastHeld
}

/** Every command that it names was run in these turns, and the last one passed. */
function isRun(kind: LessonKind, statement: string, from: readonly LessonTurn[]): boolean {
  const ran = from.flatMap(({ commands = [] }) => commands)
  const named = [...statement.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command)
  if (kind === 'convention') return from.length >= 2 && named.length > 0 && isShown(named, ran)
  const isEach = named.every((command) => ran.some((each) => each.command === command))
  const last = named.at(-1)
  return isEach && last !== undefined && ran.some(({ command, failed }) => command === last && !failed)
}

function isShown(named: readonly string[], ran: readonly { readonly command: string }[]): boolean {
  return named.every(
    (text) => ran.filter(({ command }) => command.includes(text.split(/[\s:(]/)[0] ?? text)).length >= 2,
  )
}

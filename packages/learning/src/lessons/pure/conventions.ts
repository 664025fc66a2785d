/** What is done the same way again and again, in several agent sessions: how commits and branches are named, and wishes repeated. */
import { stemsOf, wordLikeness } from '../../statements/pure/word-likeness.ts'
import { isHedged } from './hedges.ts'
import { isLastingWish } from './lasting-wishes.ts'
import type { Lesson, LessonTurn } from './lesson.ts'
import { ownSentences } from './own-words.ts'

export function conventionsIn(turns: readonly LessonTurn[]): readonly Lesson[] {
  return [...commitStyle(turns), ...branchStyle(turns), ...repeatedWishes(turns)]
}

const enough = { times: 3, sessions: 2, share: 0.75 }

interface Style {
  readonly name: string
  readonly shape: RegExp
}

const commitStyles: readonly Style[] = [
  {
    name: 'type(scope): text',
    shape: /^(?:feat|fix|chore|docs|refactor|test|perf|build|ci|style|revert)\([\w./-]+\)!?: \S/,
  },
  { name: 'type: text', shape: /^(?:feat|fix|chore|docs|refactor|test|perf|build|ci|style|revert)!?: \S/ },
  { name: 'TICKET-NUMBER: text', shape: /^[A-Z][A-Z0-9]+-\d+: \S/ },
  { name: 'area: text', shape: /^[a-z][\w/-]*: \S/ },
]

const branchStyles: readonly Style[] = [
  { name: 'feature/name', shape: /^(?:feature|feat|fix|bugfix|chore|hotfix|release)\/[\w.-]+$/ },
  { name: 'TICKET-NUMBER-name', shape: /^(?:\w+\/)?[A-Z][A-Z0-9]+-\d+[\w.-]*$/ },
]

function commitStyle(turns: readonly LessonTurn[]): readonly Lesson[] {
  const said = named(turns, /\bgit commit\b[^"']*?-\w*m\s+(?:"([^"\n]+)"|'([^'\n]+)')/)
  return styled(said, commitStyles, (style, example) => `Commit messages here look like \`${style}\`${example}.`)
}

function branchStyle(turns: readonly LessonTurn[]): readonly Lesson[] {
  const said = named(turns, /\bgit (?:checkout -b|switch -c) ([\w./-]+)/)
  return styled(said, branchStyles, (style, example) => `Branches here are named like \`${style}\`${example}.`)
}

interface Named {
  readonly turn: LessonTurn
  readonly text: string
}

function named(turns: readonly LessonTurn[], shape: RegExp): readonly Named[] {
  return turns.flatMap((turn) =>
    (turn.commands ?? []).flatMap(({ command, failed }) => {
      const [, ...found] = (failed ? null : shape.exec(command)) ?? []
      const text = found.find((each) => each !== undefined)
      return text === undefined ? [] : [{ turn, text }]
    }),
  )
}

function styled(
  said: readonly Named[],
  styles: readonly Style[],
  statement: (style: string, example: string) => string,
): readonly Lesson[] {
  for (const { name, shape } of styles) {
    const fitting = said.filter(({ text }) => shape.test(text))
    const sessions = new Set(fitting.map(({ turn }) => turn.session)).size
    if (fitting.length < enough.times || sessions < enough.sessions) continue
    if (fitting.length < said.length * enough.share) continue
    const prefix = name === 'TICKET-NUMBER: text' ? sharedTicket(fitting.map(({ text }) => text)) : undefined
    return [
      {
        kind: 'convention',
        belief: 'fact',
        statement: statement(prefix === undefined ? name : name.replace('TICKET', prefix), ''),
        subject: `style ${styles === commitStyles ? 'commit' : 'branch'}`,
        confidence: 0.6,
        from: fitting.map(({ turn }) => turn),
      },
    ]
  }
  return []
}

function sharedTicket(texts: readonly string[]): string | undefined {
  const [first, ...others] = new Set(texts.map((text) => /^[A-Z][A-Z0-9]+/.exec(text)?.[0]))
  return others.length === 0 ? first : undefined
}

const mostWords = 20

/** A manner that was asked for in three sessions. An order alone, such as "run the tests", is repeated because it is needed again. */
function repeatedWishes(turns: readonly LessonTurn[]): readonly Lesson[] {
  const wishes = turns.flatMap((turn) =>
    ownSentences(turn.asked).flatMap((text) => {
      const isManner = manner.test(text) && text.split(/\s+/).length <= mostWords
      return isManner && !isHedged(text) && !isLastingWish(text) ? [{ turn, text, stems: stemsOf(text) }] : []
    }),
  )
  const taken = new Set<string>()
  return wishes.flatMap(({ text, stems }) => {
    const same = wishes.filter((other) => wordLikeness(stems, other.stems) >= sameWish)
    const key = same[0]?.text ?? text
    if (new Set(same.map(({ turn }) => turn.session)).size < enough.times || taken.has(key)) return []
    taken.add(key)
    return [
      {
        kind: 'convention',
        belief: 'preference',
        statement: `The person asked for this in several sessions: "${key.replaceAll('"', "'")}"`,
        confidence: 0.6,
        from: same.map(({ turn }) => turn),
      } as const,
    ]
  })
}

const sameWish = 0.8
const manner =
  /\b(?:without|no|not|don't|instead|with|as|in (?:english|german|one)|only|before|after|please use|ohne|statt|sin|sans)\b/i

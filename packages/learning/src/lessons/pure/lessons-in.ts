/** All that the rules find in the turns of one project. No two of them come from the same sentence. */
import { findSecrets } from '@agentm/nodes'
import { isAddressedToReader } from '../../statements/pure/addressed-to-reader.ts'
import { claimsPermission } from '../../statements/pure/claims-permission.ts'
import { conventionsIn } from './conventions.ts'
import { correctionsIn } from './corrections.ts'
import { decisionsIn, takenBackIn } from './decisions.ts'
import { failureFixes } from './failure-fixes.ts'
import type { Lesson, LessonTurn } from './lesson.ts'
import { placesIn } from './places.ts'
import { workingCommands } from './working-commands.ts'

/** An agent session without a new turn for this long is over. */
const overAfterMs = 3_600_000

/** `turns` are those of one project, oldest first. Their order within a session is that of their numbers. */
export function lessonsIn(turns: readonly LessonTurn[], { now }: { readonly now: number }): readonly Lesson[] {
  const found: Lesson[] = []
  for (const session of sessionsOf(turns)) {
    const isOver = (session.at(-1)?.at ?? now) < now - overAfterMs
    for (const [i, turn] of session.entries()) {
      const [before, after] = [session.slice(0, i + 1), session.slice(i + 1)]
      const decided = decisionsIn(turn, after, { isOver })
      const past = takenBackIn(turn, after)
      const said = withoutSame([...decided, ...correctionsIn(turn, before), ...placesIn(turn)])
      found.push(...said.filter(({ said: text }) => !past.some((each) => overlaps(each, text))))
      found.push(...failureFixes(turn, after[0]))
    }
  }
  return [...found, ...workingCommands(turns), ...conventionsIn(turns)].filter(isFit)
}

export function sessionsOf(turns: readonly LessonTurn[]): readonly (readonly LessonTurn[])[] {
  const sessions = new Map<string, LessonTurn[]>()
  for (const turn of turns) sessions.set(turn.session, [...(sessions.get(turn.session) ?? []), turn])
  return [...sessions.values()].map((session) => session.toSorted((a, b) => a.turn - b.turn))
}

/** A sentence that is a decision and a rule is learned once, as what comes first in the list. */
function withoutSame(lessons: readonly Lesson[]): readonly Lesson[] {
  const kept: Lesson[] = []
  for (const lesson of lessons) if (!kept.some(({ said }) => overlaps(said, lesson.said))) kept.push(lesson)
  return kept
}

function overlaps(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && (a.includes(b) || b.includes(a))
}

/** Whether a statement may be kept at all, whoever found it. */
export function isFit({ statement }: Pick<Lesson, 'statement'>): boolean {
  const isHarmless = !isAddressedToReader(statement) && !claimsPermission(statement)
  return (
    isHarmless &&
    statement.length <= 500 &&
    !/\[redacted: |https?:\/\/|[\r\n]/.test(statement) &&
    findSecrets(statement).length === 0
  )
}
